import type {
  BegunAnew,
  Download,
  DownloadBundle,
  DownloadResult,
  DownloadState,
} from '../../contract/api/downloads.ts'
import type { Failure } from '../../contract/failure.ts'
import type { SqlRow, SqlValue } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { numberOrNull, textOrNull } from '../storage/row-values.ts'

/** The published values of a file: several if records differ. */
export interface PublishedFile {
  readonly sizes: readonly number[]
  /** Lower-case hex. */
  readonly md5s: readonly string[]
}

/** A download as stored in the workbook: enough for a later run to resume it. */
export interface StoredDownload extends Omit<
  Download,
  'host' | 'rate' | 'secondsLeft' | 'triesAgainAt' | 'begunAnew'
> {
  readonly organizationId: string
  readonly acceptChanged: string | null
  readonly published: PublishedFile
  readonly url: string
  readonly expiresAt: number | null
  /** A new link was already requested. */
  readonly linkRenewed: boolean
  /** The state of the partial file: its first `bytes` hash to `sha256`. */
  readonly etag: string | null
  readonly sha256: string | null
  /** The file is complete and checked, and is about to get its name. */
  readonly placing: boolean
}

/** State that exists only while it runs. */
export interface Running {
  readonly bytes: number
  readonly size: number | null
  readonly rate: number | null
  readonly triesAgainAt: number | null
  readonly begunAnew: readonly BegunAnew[]
}

const columns: Readonly<Record<keyof StoredDownload, string>> = {
  id: 'id',
  organizationId: 'organization_id',
  vendorId: 'vendor_id',
  productId: 'product_id',
  name: 'product_name',
  version: 'version',
  buildType: 'build_type',
  bundle: 'bundle_group',
  folder: 'folder',
  file: 'file',
  state: 'state',
  acceptChanged: 'accept_changed',
  published: 'published',
  url: 'url',
  expiresAt: 'expires_at',
  linkRenewed: 'link_renewed',
  etag: 'etag',
  bytes: 'bytes',
  sha256: 'sha256',
  size: 'size',
  placing: 'placing',
  failure: 'failure',
  result: 'result',
  startedAt: 'started_at',
  endedAt: 'ended_at',
}

/** Ended downloads that remain listed. Raise it if people look further back. */
const endedAtMost = 100

const sqlOf = (changed: Partial<StoredDownload>): [names: string[], values: SqlValue[]] => {
  const names: string[] = []
  const values: SqlValue[] = []
  for (const [member, value] of Object.entries(changed) as [keyof StoredDownload, unknown][]) {
    if (member === 'bundle') {
      const bundle = value as DownloadBundle | null
      names.push('bundle_group', 'bundle_version')
      values.push(bundle?.group ?? null, bundle?.version ?? null)
      continue
    }
    names.push(columns[member])
    values.push(
      typeof value === 'boolean'
        ? Number(value)
        : typeof value === 'object' && value !== null
          ? JSON.stringify(value)
          : (value as SqlValue),
    )
  }
  return [names, values]
}

/** Rejects with Failed `cache-unusable`. */
export const openDownloadRows = (workbook: Pick<Workbook, 'query' | 'write'>) => ({
  all: async (): Promise<readonly StoredDownload[]> =>
    (await workbook.query('SELECT * FROM download ORDER BY number DESC')).map(storedDownload),
  get: async (id: string): Promise<StoredDownload | null> => {
    const [row] = await workbook.query('SELECT * FROM download WHERE id = ?', [id])
    return row === undefined ? null : storedDownload(row)
  },
  add: async (one: StoredDownload): Promise<void> => {
    const [names, values] = sqlOf(one)
    await workbook.write((transaction) => {
      transaction.run(
        `INSERT INTO download (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        values,
      )
      transaction.run(
        `DELETE FROM download WHERE state IN ('done', 'cancelled') AND number NOT IN
           (SELECT number FROM download WHERE state IN ('done', 'cancelled') ORDER BY number DESC LIMIT ${endedAtMost})`,
      )
    })
  },
  /** A deleted row is not written again. */
  change: async (id: string, changed: Partial<StoredDownload>): Promise<void> => {
    const [names, values] = sqlOf(changed)
    await workbook.write((transaction) =>
      transaction.run(`UPDATE download SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, [
        ...values,
        id,
      ]),
    )
  },
})
export type DownloadRows = ReturnType<typeof openDownloadRows>

const states: readonly DownloadState[] = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled']
const text = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '')
const parsed = <T>(value: SqlValue | undefined, otherwise: T): T => {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as T) : otherwise
  } catch {
    return otherwise
  }
}

function storedDownload(row: SqlRow): StoredDownload {
  const group = textOrNull(row['bundle_group'])
  return {
    id: text(row['id']),
    organizationId: text(row['organization_id']),
    vendorId: Number(row['vendor_id']),
    productId: Number(row['product_id']),
    name: text(row['product_name']),
    version: text(row['version']),
    buildType: text(row['build_type']),
    bundle: group === null ? null : { group, version: text(row['bundle_version']) },
    folder: text(row['folder']),
    file: text(row['file']),
    state: states.find((state) => state === row['state']) ?? 'failed',
    acceptChanged: textOrNull(row['accept_changed']),
    published: parsed<PublishedFile>(row['published'], { sizes: [], md5s: [] }),
    url: text(row['url']),
    expiresAt: numberOrNull(row['expires_at']),
    linkRenewed: row['link_renewed'] === 1,
    etag: textOrNull(row['etag']),
    bytes: Number(row['bytes']),
    sha256: textOrNull(row['sha256']),
    size: numberOrNull(row['size']),
    placing: row['placing'] === 1,
    failure: parsed<Failure | null>(row['failure'], null),
    result: parsed<DownloadResult | null>(row['result'], null),
    startedAt: Number(row['started_at']),
    endedAt: numberOrNull(row['ended_at']),
  }
}

/** The download for clients; `running` null: it does not run in this process. */
export function publicDownload(
  stored: StoredDownload,
  running: Running | null,
  begunAnew: readonly BegunAnew[],
): Download {
  const { id, vendorId, productId, name, version, buildType, bundle, folder, file, result } = stored
  const bytes = result?.bytes ?? running?.bytes ?? stored.bytes
  const size = result?.bytes ?? running?.size ?? stored.size ?? stored.published.sizes[0] ?? null
  const rate = running?.rate ?? null
  return {
    id,
    vendorId,
    productId,
    name,
    version,
    buildType,
    bundle,
    folder,
    file,
    host: URL.canParse(stored.url) ? new URL(stored.url).host : '',
    // A download that ran when its process ended is queued for the next one.
    state: stored.state === 'running' && running === null ? 'queued' : stored.state,
    bytes,
    size,
    rate,
    secondsLeft: secondsFor(size === null ? null : size - bytes, rate),
    triesAgainAt: running?.triesAgainAt ?? null,
    begunAnew,
    startedAt: stored.startedAt,
    endedAt: stored.endedAt,
    failure: stored.failure,
    result,
  }
}

/** null: not known. */
export const secondsFor = (bytes: number | null, rate: number | null): number | null =>
  bytes === null || rate === null || rate <= 0 ? null : Math.ceil(Math.max(0, bytes) / rate)
