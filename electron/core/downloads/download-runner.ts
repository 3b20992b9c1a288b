import type { BegunAnew, DownloadResult, DownloadState } from '../../contract/api/downloads.ts'
import type {
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareRelease,
  ProductId,
} from '../../contract/api/firmware.ts'
import { Failed, failedWith } from '../../contract/failure.ts'
import type { Connections } from '../connections/connections.ts'
import { compareVersions } from '../lists/version-order.ts'
import { throttle, type Throttle } from '../throttle.ts'
import { FolderError, type Cancel, type Platform } from '../platform.ts'
import type { DownloadRows, PublishedFile, StoredDownload, Running } from './download-rows.ts'
import { fetchFile, type FetchProgress } from './fetching.ts'
import type { PublishedName } from './file-bytes.ts'
import { addressRefused } from './file-request.ts'
import type { FileIdentity, Ledger } from './ledger.ts'

/**
 * Period over which the rate is averaged: short enough to follow a change, long enough to be readable. Raise
 * it if the figure jumps.
 */
const rateOverMs = 5_000
/** Interval of progress events (contract: ten a second). */
const sampleEveryMs = 100

/** What one organization provides for its downloads. */
export interface DownloadSource {
  readonly organization: { readonly id: string; readonly name: string }
  /** Of the metadata address. */
  readonly ownOrigin: string
  /** The owner of the ledger: the demonstration is one origin on every port. */
  readonly ledgerOrigin: string
  product(id: ProductId): Promise<{ readonly name: string }>
  link(query: FirmwareLinkQuery & { readonly refresh: boolean }): Promise<FirmwareLink>
  /** Empty if the releases cannot be read. */
  releases(id: ProductId): Promise<readonly FirmwareRelease[]>
  /** From the cached catalogue; sends no request. */
  published(): Promise<readonly PublishedName[]>
}

type Why = 'pause' | 'cancel' | 'close'

interface Live {
  readonly stored: StoredDownload
  readonly stop: AbortController
  why: Why | null
  volume: string | null
  progress: Running
  samples: readonly { readonly at: number; readonly bytes: number }[]
  /** Ends the rate if no bytes arrive. */
  silence: Cancel | null
  /** Emits progress; the last event is never lost. */
  readonly grown: Throttle
  ended: Promise<void>
}

/** Downloads that run in this process. */
export interface DownloadRunner {
  readonly live: ReadonlyMap<string, Live>
  /**
   * Why the last run that ended here started again from zero, because a run may end before its state is
   * queried.
   */
  readonly begunAnew: ReadonlyMap<string, readonly BegunAnew[]>
  readonly begin: (stored: StoredDownload) => Promise<void>
  /** Resolves when it has stopped; immediately if it does not run. */
  readonly stop: (id: string, why: Why) => Promise<void>
  readonly removePart: (id: string) => Promise<void>
}

export function openDownloadRunner(deps: {
  readonly platform: Pick<
    Platform,
    'clock' | 'random' | 'newId' | 'names' | 'fileTransport' | 'folders' | 'log'
  >
  readonly rows: DownloadRows
  readonly ledger: Ledger
  readonly connections: Pick<Connections, 'attempted'>
  readonly source: (organizationId: string) => Promise<DownloadSource>
  readonly requestedBy: (id: string) => string
  readonly isClosed: () => boolean
  readonly changed: (id: string) => void
  /** `isDone`: there is nothing to resume. */
  readonly ended: (id: string, isDone: boolean) => void
}): DownloadRunner {
  const { platform, rows, ledger, connections, source, requestedBy, isClosed, changed, ended } = deps
  const { clock, folders, log, newId, random, fileTransport } = platform
  const live = new Map<string, Live>()
  const begunAnew = new Map<string, readonly BegunAnew[]>()

  async function begin(stored: StoredDownload): Promise<void> {
    if (isClosed()) return
    await rows.change(stored.id, { state: 'running', failure: null, endedAt: null })
    const one: Live = {
      stored,
      stop: new AbortController(),
      why: null,
      volume: null,
      progress: { bytes: stored.bytes, size: stored.size, rate: null, triesAgainAt: null, begunAnew: [] },
      samples: [],
      silence: null,
      grown: throttle(clock, sampleEveryMs, () => changed(stored.id)),
      ended: Promise.resolve(),
    }
    live.set(stored.id, one)
    one.ended = run(one)
    changed(stored.id)
  }

  async function run(one: Live): Promise<void> {
    const { id } = one.stored
    let end: Partial<StoredDownload>
    try {
      end = { state: 'done', failure: null, endedAt: null, result: await fetched(one) }
    } catch (error) {
      end = await endedBy(one, error)
    }
    const isOver = end.state !== 'queued' && end.state !== 'paused'
    await rows
      .change(id, { ...end, ...(isOver ? { endedAt: clock.now() } : {}), ...cleared(end.state) })
      .catch((error: unknown) =>
        log.write('warn', 'The outcome of a download could not be saved', { reason: String(error) }),
      )
    one.grown.close()
    one.silence?.()
    live.delete(id)
    begunAnew.set(id, one.progress.begunAnew)
    ended(id, isOver || end.state === 'paused')
  }

  async function endedBy({ stored, why }: Live, error: unknown): Promise<Partial<StoredDownload>> {
    if (failedWith(error, 'cancelled') && why !== null) {
      if (why === 'pause') return { state: 'paused' }
      if (why === 'close') return { state: 'queued' }
      await removePart(stored.id)
      return { state: 'cancelled' }
    }
    if (error instanceof Failed) return { state: 'failed', failure: error.failure }
    const reference = newId().slice(0, 8)
    log.write('error', 'bug', {
      reference,
      where: 'a download',
      error: String((error as Error).stack ?? error),
    })
    return { state: 'failed', failure: { kind: 'bug', reference } }
  }

  /** Only files that the workbook has a record of may be deleted. */
  async function removePart(id: string): Promise<void> {
    const stored = await rows.get(id)
    if (stored === null || stored.bytes === 0) return
    try {
      await (await folders.open(stored.folder)).remove(`${stored.file}.part`)
    } catch (error) {
      if (!(error instanceof FolderError)) throw error
    }
  }

  const wantedOf = (volume: string, without: Live): number =>
    [...live.values()]
      .filter((other) => other !== without && other.volume === volume)
      .reduce((sum, { progress: { size, bytes } }) => sum + Math.max(0, (size ?? bytes) - bytes), 0)

  async function fetched(one: Live): Promise<DownloadResult> {
    const { stored } = one
    const from = await source(stored.organizationId)
    const { organization, ownOrigin } = from
    const who = requestedBy(stored.id)
    return fetchFile(
      {
        stored,
        identity: identityOf(stored, from.ledgerOrigin),
        accepted: stored.acceptChanged === null ? null : { reason: stored.acceptChanged, who, organization },
        renewLink: async () => {
          const { link, published } = await lookedUp(from, { ...queryOf(stored), refresh: true })
          return { url: link.url, expiresAt: link.expiresAt, published }
        },
        save: (more) => rows.change(stored.id, more),
        tell: (progress) => noteProgress(one, progress),
        wantedByOthers: (volume) => wantedOf(volume, one),
        signal: one.stop.signal,
      },
      {
        clock,
        folders,
        ledger,
        ownOrigin,
        random,
        names: platform.names,
        transport: fileTransport,
        counted: (url, attempt) => connections.attempted(url, 'download', organization.id, attempt),
      },
    )
  }

  function noteProgress(one: Live, received: FetchProgress): void {
    const { volume, ...progress } = received
    const at = clock.monotonic()
    const last = one.samples.at(-1)
    // Bytes that were present before, or are discarded, do not count as speed.
    const recent = last === undefined || received.bytes < last.bytes ? [] : one.samples
    const isDue = recent.length === 0 || at - (last?.at ?? at) >= sampleEveryMs
    if (isDue) {
      one.samples = [
        ...recent.filter((sample) => at - sample.at <= rateOverMs),
        { at, bytes: received.bytes },
      ]
      one.silence?.()
      one.silence = clock.after(rateOverMs, () => {
        one.samples = []
        one.progress = { ...one.progress, rate: null }
        changed(one.stored.id)
      })
    }
    const [first] = one.samples
    const ms = first === undefined ? 0 : at - first.at
    const rate = ms <= 0 || first === undefined ? null : ((received.bytes - first.bytes) * 1_000) / ms
    one.volume = volume
    one.progress = { ...progress, rate }
    one.grown.happened()
  }

  async function stop(id: string, why: Why): Promise<void> {
    const one = live.get(id)
    if (one === undefined) return
    one.why ??= why
    one.stop.abort()
    await one.ended
  }

  return { live, begunAnew, begin, stop, removePart }
}

/** An ended download has no partial file to resume, unless it failed. */
export const cleared = (state: DownloadState | undefined): Partial<StoredDownload> =>
  state === 'done' || state === 'cancelled' ? { bytes: 0, sha256: null, etag: null, placing: false } : {}

const identityOf = (stored: StoredDownload, origin: string): FileIdentity => {
  const { vendorId, productId, name, version, buildType, bundle } = stored
  return { origin, vendorId, productId, name, version, buildType, bundle: bundle?.group ?? null }
}

const queryOf = ({ vendorId, productId, version, buildType, bundle }: StoredDownload): FirmwareLinkQuery => ({
  vendorId,
  productId,
  version,
  buildType,
  ...(bundle === null ? {} : { bundle: bundle.group }),
})

/** An allowed link, and the published values of its file. Rejects with Failed. */
export async function lookedUp(
  from: DownloadSource,
  query: FirmwareLinkQuery & { readonly refresh: boolean },
): Promise<{
  readonly link: FirmwareLink & { readonly url: string }
  readonly published: PublishedFile
  readonly isRevoked: boolean
}> {
  const link = await from.link(query)
  const { url, refused, bytes, md5, version } = link
  if (url === null)
    throw refused === null
      ? Failed.notFound(`a download address for version ${version}`)
      : addressRefused(refused, /^http:/i.test(refused) ? 'not-https' : 'not-an-address')
  const named = (await from.releases(query)).filter(
    (release) => compareVersions(release.version, version) === 0,
  )
  // The values of the link's own record and those of the release list for the same version, because both were
  // published.
  return {
    link: { ...link, url },
    published: {
      sizes: [...new Set([bytes, ...named.map(({ fileSize }) => fileSize)])].filter((size) => size !== null),
      md5s: [...new Set([md5, ...named.map((release) => release.md5)])].filter((one) => one !== null),
    },
    isRevoked: named.length > 0 && named.every(({ revoked }) => revoked),
  }
}
