import { createHash } from 'node:crypto'
import type { KitPart } from '../../contract/api/kits.ts'
import type { ProductId } from '../../contract/api/firmware.ts'

/** Written first and last: a folder without it is not a kit. */
export const manifestName = 'manifest.json'
/** The input of `sha256sum -c`, which includes the manifest. */
export const sumsName = 'manifest.sha256'

export interface KitFile {
  /** Below the kit's folder, with forward slashes. */
  readonly path: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  /** null: a generated page that is not about a single product. */
  readonly product: (ProductId & { readonly name: string }) | null
  /** The version of the firmware; null: it is a page. */
  readonly version: string | null
  /** The host it came from; null: it was generated here. */
  readonly host: string | null
  /** Firmware only for restoring devices from recovery mode, not as a target version; missing: no. */
  readonly recovery?: true
}

export interface KitManifest {
  readonly kit: 1
  /** False: it is incomplete, or being made. */
  readonly complete: boolean
  readonly madeAt: number
  /** Name of the organization when it was made, to be read by people. */
  readonly organization: string
  readonly organizationId: string
  readonly files: readonly KitFile[]
  readonly missing: readonly KitPart[]
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

export const manifestText = (manifest: KitManifest): string => `${JSON.stringify(manifest, null, 2)}\n`

/** `manifestSha256`: of the manifest's own text. */
export const sumsText = (files: readonly Pick<Summed, 'path' | 'sha256'>[], manifestSha256: string): string =>
  [...files, { path: manifestName, sha256: manifestSha256 }]
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join('')

/** The members needed to verify files; null: this is not a manifest of a kit. */
export function manifestOf(
  text: string,
):
  | (Pick<KitManifest, 'complete' | 'organizationId' | 'missing'> & { readonly files: readonly Summed[] })
  | null {
  const json = parsed(text)
  if (!isRecord(json) || json['kit'] !== 1 || !Array.isArray(json['files'])) return null
  const { complete, organizationId, missing } = json
  const files = (json['files'] as readonly unknown[]).map((one): Summed | null => {
    if (!isRecord(one)) return null
    const { path, bytes, sha256 } = one
    return typeof path === 'string' && typeof bytes === 'number' && typeof sha256 === 'string'
      ? { path, bytes, sha256 }
      : null
  })
  return {
    complete: complete === true,
    organizationId: typeof organizationId === 'string' ? organizationId : '',
    missing: (Array.isArray(missing) ? (missing as readonly unknown[]) : []).flatMap((one) =>
      isRecord(one) ? [{ what: String(one['what']), reason: String(one['reason']) }] : [],
    ),
    // An unreadable entry means that the file cannot be valid.
    files: files.map((file) => file ?? { path: '', bytes: -1, sha256: '' }),
  }
}

/** The format of a manifest that a later version wrote; null: it is another text. */
export function laterFormatOf(text: string): number | null {
  const json = parsed(text)
  const format = isRecord(json) ? json['kit'] : null
  return typeof format === 'number' && format > 1 ? format : null
}

/** The members of an entry that are needed to verify a file. */
export type Summed = Pick<KitFile, 'path' | 'bytes' | 'sha256'>

/**
 * Whether it is a path in our form: relative, with forward slashes, below the kit's folder on every system.
 */
export const isInside = (path: string): boolean =>
  path.length <= 1_000 &&
  !/[\p{Cc}\\:*?"<>|]/u.test(path) &&
  path.split('/').every((part) => part !== '' && !/^\.+$|[. ]$/.test(part))

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
