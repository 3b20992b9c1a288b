import { z } from 'zod'
import { byId, count, free, nothing, product, stages, start, text, version } from '../argument-parts.ts'
import type { FileChecks } from '../download.ts'
import type { Failure } from '../failure.ts'
import type { PrereleaseStage } from '../firmware.ts'
import { event, method } from '../method.ts'
import type { ProductId } from './firmware.ts'

/**
 * `queued`: waits for its turn, or for the next owner of the data folder; `failed`: it can be resumed where the first bytes are kept.
 * `cancelled`: nothing of it is left.
 */
export type DownloadState = 'queued' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'

/** A firmware bundle a file belongs to. */
export interface DownloadBundle {
  readonly group: string
  readonly version: string
}

/**
 * Why a file is fetched from its first byte again: it changed at its host, its host sent all of it or another part, had no such part,
 * the bytes that were left do not agree with the record of them, or the host names no version of the file to go on with.
 */
export type BegunAnew =
  'changed' | 'range-ignored' | 'other-range' | 'no-such-range' | 'part-differs' | 'no-etag'

/** One file that is fetched, or was. */
export interface Download extends ProductId {
  readonly id: string
  /** Of the product. */
  readonly name: string
  readonly version: string
  readonly buildType: string
  readonly bundle: DownloadBundle | null
  readonly folder: string
  /** The name it has in the end; beside it, with `.part` behind it, while it grows. */
  readonly file: string
  readonly host: string
  readonly state: DownloadState
  /** That are there. */
  readonly bytes: number
  /** In all, as published or as its host says; null: not known yet. */
  readonly size: number | null
  /** Bytes a second, of the last seconds; null: it is not running, or has only begun. */
  readonly rate: number | null
  readonly secondsLeft: number | null
  /** When a break is tried to be healed next; null: no break. */
  readonly triesAgainAt: number | null
  readonly begunAnew: readonly BegunAnew[]
  readonly startedAt: number
  readonly endedAt: number | null
  readonly failure: Failure | null
  /** Of a file that is done; else null. */
  readonly result: DownloadResult | null
}

export interface DownloadResult {
  /** Lower-case hex. */
  readonly sha256: string
  readonly md5: string
  readonly bytes: number
  /** The same bytes had the name already: nothing was put there. */
  readonly already: boolean
  /** Bytes that were there when the last request was sent; 0: it came in one piece. */
  readonly resumedFrom: number
  readonly checks: FileChecks
}

export interface DownloadList {
  readonly total: number
  /** Newest first. */
  readonly downloads: readonly Download[]
  /** Of all that run together, bytes a second; null: none runs, or only begun. */
  readonly rate: number | null
  /** Until all that run or wait are there; null: not known. */
  readonly secondsLeft: number | null
  /** Where files go unless a folder is given. */
  readonly folder: string
}

export interface DownloadQuery extends ProductId {
  /** `latest`: the newest release that may be the latest. */
  readonly version: string
  /** Group or name of the firmware bundle it is to come from; missing: the product's own release, else the bundle that has it. */
  readonly bundle?: string
  /** null: the organization's usual one. */
  readonly buildType: string | null
  /** An absolute path; null: the usual folder. */
  readonly folder: string | null
  /** Why other bytes of a known version are taken; null: they are not. */
  readonly acceptChanged: string | null
  readonly acceptRevoked: boolean
  readonly includeStages?: readonly PrereleaseStage[]
}

/** The bytes a version had, from one metadata origin. */
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
  /** These bytes took the place of others because somebody said so; null: they were the first. */
  readonly accepted: { readonly reason: string; readonly who: string; readonly at: number } | null
  /** Others were accepted in their place. */
  readonly superseded: boolean
}

export interface LedgerPage {
  readonly total: number
  /** Newest first. */
  readonly entries: readonly LedgerEntry[]
}

/** A file that was looked at, without network. */
export interface VerifiedFile {
  readonly file: string
  readonly bytes: number | null
  readonly sha256: string | null
  readonly md5: string | null
  /** `changed`: its path or name is one that was written or published, with other bytes. */
  readonly result: 'known' | 'changed' | 'unknown' | 'unreadable'
  readonly by: 'ledger' | 'md5' | null
  readonly products: readonly (ProductId & { readonly name: string; readonly version: string })[]
}

const path = text(4_000)

export const downloads = {
  /** Rejects where nothing can be fetched: no link, an address that is refused, a folder that cannot be used. */
  start: method(
    product.extend({
      version,
      buildType: version.nullable(),
      bundle: version.exactOptional(),
      folder: path.nullable(),
      acceptChanged: free.nullable(),
      acceptRevoked: z.boolean(),
      includeStages: stages.exactOptional(),
    }),
  ).returns<Download>(),
  list: method(nothing).returns<DownloadList>(),
  pause: method(byId).returns<Download>(),
  /** Goes on with one that is paused, failed or waits. */
  resume: method(byId).returns<Download>(),
  /** Removes what there is of it, unless it is done. */
  cancel: method(byId).returns<Download>(),
  /** Shows the file in its folder. */
  show: method(byId).returns<void>(),
  /** Asks where to; null: the technician thought better of it. */
  chooseFolder: method(nothing).returns<string | null>(),
  ledger: method(z.strictObject({ product: product.nullable(), start, count })).returns<LedgerPage>(),
  verify: method(z.strictObject({ files: z.array(path).min(1).max(100).readonly() })).returns<
    readonly VerifiedFile[]
  >(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
