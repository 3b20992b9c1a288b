import definitionsPackage from '@gnaudio/jabra-properties-definition/package.json' with { type: 'json' }
import definitionsSchema from '@gnaudio/jabra-properties-definition/properties-schema.json' with { type: 'json' }
import type { About } from '../contract/app.ts'
import type { Demonstration, Desktop, Host, Transport } from '../core/host.ts'
import { systemClock } from './clock.ts'
import { openDatabases } from './database.ts'
import { files } from './files.ts'
import { openKeychain } from './keychain.ts'
import { openLog } from './log.ts'
import { systemNames } from './names.ts'
import { newId } from './new-id.ts'
import { openPinnedTransport } from './pinned-transport.ts'

export interface NodeHostParts {
  /** The folder that holds everything Headroom keeps on this machine. */
  readonly home: string
  readonly workerUrl: URL
  readonly transport: Transport
  readonly demonstration: () => Promise<Demonstration>
  readonly desktop: Desktop
  readonly about: Pick<About, 'version' | 'shell'>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What app and command line share of a host: everything but the wire, the desktop and how the demonstration is started. */
export function openNodeHost(parts: NodeHostParts): Host {
  const { home, workerUrl, environment, ...rest } = parts
  return {
    ...rest,
    about: { ...parts.about, platform: process.platform, architecture: process.arch, home },
    processId: process.pid,
    clock: systemClock,
    random: Math.random,
    newId,
    names: systemNames,
    pinned: openPinnedTransport({ environment }),
    keychain: openKeychain('Headroom'),
    databases: openDatabases({ folder: home, workerUrl }),
    files,
    log: openLog(home),
    definitionsPackage: { version: definitionsPackage.version, schemaVersion: schemaVersionOf(definitionsSchema.$id) },
    keyFromEnvironment: environment['HEADROOM_KEY']?.trim() || null,
  }
}

/** The package tells its schema version only in its schema's address: `https://jabra.com/sdk/1.11.0/property-schema.json` (observed). */
function schemaVersionOf(address: string): string {
  const version = /\/(\d+(?:\.\d+)+)\//.exec(address)?.[1]
  if (version === undefined) throw new Error('the definitions package names no schema version')
  return version
}
