import { z } from 'zod'
import { byId, count, free, nothing, product, stages, start, text, version } from '../argument-parts.ts'
import type { FileChecks } from '../download.ts'
import type { Failure } from '../failure.ts'
import type { PrereleaseStage } from '../firmware.ts'
import { event, local, method, windowOnly } from '../method.ts'
import type { ProductId } from './firmware.ts'

/**
 * `queued`: waits for earlier downloads, or for the next owner of the data folder. `failed`: can be resumed
 * if the first bytes are stored. `cancelled`: all of it was removed.
 */
export type DownloadState = 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'

/** A firmware bundle a file belongs to. */
export interface DownloadBundle {
  readonly group: string
  readonly version: string
}

/**
 * Why a file is fetched again from its first byte: it changed at its host, the host sent all of it or another
 * part, the host did not have that part, the stored bytes do not match their record, or the host gives no
 * version of the file to resume with.
 */
export type BegunAnew =
  | 'changed'
  | 'range-ignored'
  | 'other-range'
  | 'no-such-range'
  | 'part-differs'
  | 'no-etag'

/** A file that is or was fetched. */
export interface Download extends ProductId {
  readonly id: string
  /** Of the product. */
  readonly name: string
  readonly version: string
  readonly buildType: string
  readonly bundle: DownloadBundle | null
  readonly folder: string
  /** Its final name; while the file grows, `.part` is appended. */
  readonly file: string
  readonly host: string
  readonly state: DownloadState
  /** Received bytes. */
  readonly bytes: number
  /** Total bytes, as published or as its host states; null: not known yet. */
  readonly size: number | null
  /** Bytes per second over the last seconds; null: not running, or just started. */
  readonly rate: number | null
  readonly secondsLeft: number | null
  /** When it resumes after an interruption; null: not interrupted. */
  readonly triesAgainAt: number | null
  readonly begunAnew: readonly BegunAnew[]
  readonly startedAt: number
  readonly endedAt: number | null
  readonly failure: Failure | null
  /** Of a finished file; else null. */
  readonly result: DownloadResult | null
}

export interface DownloadResult {
  /** Lower-case hex. */
  readonly sha256: string
  readonly md5: string
  readonly bytes: number
  /** The file with this name already had the same bytes: nothing was written. */
  readonly already: boolean
  /** Bytes that were already stored at the last request; 0: it was fetched in one request. */
  readonly resumedFrom: number
  readonly checks: FileChecks
}

export interface DownloadList {
  readonly total: number
  /** Newest first. */
  readonly downloads: readonly Download[]
  /** Bytes per second of all running downloads; null: none runs, or they just started. */
  readonly rate: number | null
  /** Remaining time of all running and waiting downloads; null: not known. */
  readonly secondsLeft: number | null
  /** The folder for files unless another is given. */
  readonly folder: string
}

export interface DownloadQuery extends ProductId {
  /** `latest`: the newest release that may be the latest; `approved`: the approved version. */
  readonly version: string
  /** The variant whose approved version is meant; missing: the version for all variants. */
  readonly variant?: string
  /**
   * Group or name of the firmware bundle to fetch it from; missing: the product's own release, else the
   * bundle that has it.
   */
  readonly bundle?: string
  /** null: the organization's default. */
  readonly buildType: string | null
  /** An absolute path; null: the default folder. */
  readonly folder: string | null
  /** The reason for accepting other bytes of a known version; null: they are not accepted. */
  readonly acceptChanged: string | null
  readonly acceptRevoked: boolean
  readonly includeStages?: readonly PrereleaseStage[]
}

/** The bytes recorded for a version, for one metadata origin. */
export interface LedgerEntry extends ProductId {
  readonly version: string
  readonly buildType: string
  readonly bundle: string | null
  /** Lower-case hex. */
  readonly sha256: string
  readonly bytes: number
  readonly md5: string
  readonly host: string
  readonly at: number
  /** A technician accepted these bytes in place of others; null: they were the first. */
  readonly accepted: { readonly reason: string; readonly who: string; readonly at: number } | null
  /** Other bytes were accepted later. */
  readonly superseded: boolean
}

export interface LedgerPage {
  readonly total: number
  /** Newest first. */
  readonly entries: readonly LedgerEntry[]
}

/** A file that was verified without network. */
export interface VerifiedFile {
  readonly file: string
  readonly bytes: number | null
  readonly sha256: string | null
  readonly md5: string | null
  /** `changed`: it has the path or name of a file that was written or published, but other bytes. */
  readonly result: 'known' | 'changed' | 'unknown' | 'unreadable'
  readonly by: 'ledger' | 'md5' | null
  readonly products: readonly (ProductId & { readonly name: string; readonly version: string })[]
}

const path = text(4_000)

export const downloads = {
  /** Rejects if nothing can be fetched: no link, a refused address, an unusable folder. */
  start: local(
    product.extend({
      version,
      buildType: version.nullable(),
      variant: version.exactOptional(),
      bundle: version.exactOptional(),
      folder: path.nullable(),
      acceptChanged: free.nullable(),
      acceptRevoked: z.boolean(),
      includeStages: stages.exactOptional(),
    }),
  ).returns<Download>(),
  list: method(nothing).returns<DownloadList>(),
  get: method(byId).returns<Download>(),
  /** It continues without the client that started it. */
  keep: method(byId).returns<void>(),
  pause: method(byId).returns<Download>(),
  /** Resumes one that is paused, failed or waiting. */
  resume: method(byId).returns<Download>(),
  /** Deletes its partial file, unless it is done. */
  cancel: method(byId).returns<Download>(),
  /** Shows the file in its folder. */
  show: windowOnly(byId).returns<void>(),
  /** Shows a save dialog; null if cancelled. */
  chooseFolder: windowOnly(nothing).returns<string | null>(),
  ledger: method(z.strictObject({ product: product.nullable(), start, count })).returns<LedgerPage>(),
  verify: method(z.strictObject({ files: z.array(path).min(1).max(100).readonly() })).returns<
    readonly VerifiedFile[]
  >(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
