import { createRequire } from 'node:module'
import about from '@gnaudio/jabra-properties-definition/package.json' with { type: 'json' }
import schema from '@gnaudio/jabra-properties-definition/properties-schema.json' with { type: 'json' }
import type { Json } from '../contract/json.ts'
import type { Platform } from '../core/platform.ts'

/** The installed definitions package. Its properties are 600 kB: they are read when first needed. */
export const definitionsPackage: Platform['definitionsPackage'] = {
  version: about.version,
  schemaVersion: schemaVersionOf(schema.$id),
  file: `${about.name}@${about.version}/properties.json`,
  properties: () =>
    createRequire(import.meta.url)('@gnaudio/jabra-properties-definition/properties.json') as Json,
}

/**
 * The package states its schema version only in its schema's address:
 * `https://jabra.com/sdk/1.11.0/property-schema.json`.
 */
function schemaVersionOf(address: string): string {
  const version = /\/(\d+(?:\.\d+)+)\//.exec(address)?.[1]
  if (version === undefined) throw new Error('the definitions package names no schema version')
  return version
}
