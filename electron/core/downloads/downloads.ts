import type {
  Download,
  DownloadList,
  DownloadQuery,
  DownloadState,
  LedgerPage,
  VerifiedFile,
} from '../../contract/api/downloads.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { Failed } from '../../contract/failure.ts'
import type { Connections } from '../connections/connections.ts'
import type { Journal } from '../journal/journal.ts'
import { FolderError, type Platform } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openDownloadRows, secondsFor, publicDownload, type StoredDownload } from './download-rows.ts'
import { cleared, lookedUp, openDownloadRunner, type DownloadSource } from './download-runner.ts'
import { folderUnusable } from './fetching.ts'
import { fileAddress } from './file-request.ts'
import { fileNameOf } from './file-name.ts'
import { unwatched, type RunningTask } from '../tasks.ts'
import { openLedger, reasonGiven } from './ledger.ts'
import { verifyFiles } from './file-bytes.ts'
import { Listeners } from '../listeners.ts'

export { requestFile, type FileRequestDeps } from './file-request.ts'

/** The client that waits for a download: without one, it is paused. */
export type DownloadWaiter = object

/**
 * Firmware files: several are fetched at once, until complete or stopped by a person. Rejects with Failed.
 */
export interface Downloads {
  /** Joins the running download if the same file is requested again. */
  start(organizationId: string, query: DownloadQuery, who: string, waiting: DownloadWaiter): Promise<Download>
  get(id: string): Promise<Download>
  list(organizationId: string): Promise<DownloadList>
  pause(id: string): Promise<Download>
  resume(id: string, waiting: DownloadWaiter): Promise<Download>
  cancel(id: string): Promise<Download>
  show(id: string): Promise<void>
  ledger(organizationId: string, product: ProductId | null, start: number, count: number): Promise<LedgerPage>
  verify(
    organizationId: string | null,
    files: readonly string[],
    task?: RunningTask,
  ): Promise<readonly VerifiedFile[]>
  /** It continues after its client disconnects. */
  keep(id: string): Promise<void>
  /** Call it when the client has disconnected: downloads without another client are paused. */
  leave(waiting: DownloadWaiter): Promise<void>
  /** Takes over the downloads of an earlier owner of the data folder. */
  resumeAll(waiting: DownloadWaiter): Promise<void>
  /** A person resumes them. */
  pauseAll(): Promise<void>
  /** Call it when an organization was removed: its running downloads end. */
  forget(organizationId: string): Promise<void>
  /** The listener gets what changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** Stops running downloads; the next owner resumes them. */
  close(): Promise<void>
}

export interface DownloadsDeps {
  readonly platform: Pick<
    Platform,
    'clock' | 'random' | 'newId' | 'names' | 'fileTransport' | 'folders' | 'dataFolder' | 'log' | 'desktop'
  >
  readonly workbook: Workbook
  readonly journal: Journal
  readonly connections: Pick<Connections, 'attempted'>
  readonly source: (organizationId: string) => Promise<DownloadSource>
}

export function openDownloads(deps: DownloadsDeps): Downloads {
  const { platform, workbook, journal, connections, source } = deps
  const { clock, folders, newId } = platform
  const rows = openDownloadRows(workbook)
  const ledger = openLedger({ workbook, journal, clock })
  /** The waiting clients by download. A queued download without one is left to the next owner. */
  const waiting = new Map<string, Set<DownloadWaiter>>()
  const requestedBy = new Map<string, string>()
  const listeners = new Listeners<[ids: readonly string[]]>()
  let closed = false
  const lasting: DownloadWaiter = {}

  const changed = (id: string): void => listeners.notify([id])
  const { live, begunAnew, begin, stop, removePart } = openDownloadRunner({
    platform,
    rows,
    ledger,
    connections,
    source,
    changed,
    requestedBy: (id) => requestedBy.get(id) ?? '',
    isClosed: () => closed,
    ended: (id, isDone) => {
      if (isDone) waiting.delete(id)
      changed(id)
      void pump().catch(() => undefined)
    },
  })
  const waitFor = (id: string, who: DownloadWaiter): void => {
    waiting.set(id, (waiting.get(id) ?? new Set()).add(who))
  }
  const publicView = (stored: StoredDownload): Download => {
    const running = live.get(stored.id)?.progress ?? null
    return publicDownload(stored, running, running?.begunAnew ?? begunAnew.get(stored.id) ?? [])
  }
  const known = async (id: string): Promise<StoredDownload> => {
    const stored = await rows.get(id)
    if (stored === null) throw Failed.notFound(`the download ${id}`)
    return stored
  }
  const ownerOnly = (): void => {
    const problem = platform.dataFolder.problem()
    if (problem !== null) throw new Failed(problem)
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One at a time: two clients that request the same file must share one download. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  /** Starts queued downloads, oldest first. */
  const pump = (): Promise<void> =>
    inTurn(async () => {
      if (closed) return
      const { downloadsAtOnce } = await workbook.preferences()
      const queued = (await rows.all())
        .filter((one) => isOpen(one) && one.state !== 'paused' && one.state !== 'failed')
        .filter(({ id }) => waiting.has(id) && !live.has(id))
        .toReversed()
      for (const stored of queued.slice(0, Math.max(0, downloadsAtOnce - live.size))) await begin(stored)
    })

  async function start(
    organizationId: string,
    query: DownloadQuery,
    who: string,
    waits: DownloadWaiter,
  ): Promise<Download> {
    ownerOnly()
    const acceptChanged = reasonGiven(query.acceptChanged)
    const from = await source(organizationId)
    const { acceptRevoked, folder: wanted, acceptChanged: _, ...requested } = query
    const { link, published, isRevoked } = await lookedUp(from, { ...requested, refresh: false })
    const { name } = await from.product(query)
    if (isRevoked && !acceptRevoked)
      throw Failed.notFound(`release ${link.version} of ${name} that was not revoked`)
    await fileAddress(link.url, {
      clock,
      ownOrigin: from.ownOrigin,
      transport: platform.fileTransport,
      // The name is resolved when a connection is made.
      names: { ...platform.names, lookup: async () => [] },
    }).catch((error: unknown) => {
      if (error instanceof Failed) throw error
    })
    const { downloadFolder } = await workbook.preferences()
    const folder = await openFolder(wanted ?? downloadFolder ?? folders.usual)
    const { version, buildType, bundle } = link
    const stored: StoredDownload = {
      id: newId(),
      organizationId,
      vendorId: query.vendorId,
      productId: query.productId,
      name,
      version,
      buildType,
      bundle,
      folder,
      acceptChanged,
      published,
      file: fileNameOf({ product: name, version, buildType, url: link.url }),
      url: link.url,
      expiresAt: link.expiresAt,
      linkRenewed: false,
      state: 'queued',
      etag: null,
      bytes: 0,
      sha256: null,
      size: null,
      placing: false,
      failure: null,
      result: null,
      startedAt: clock.now(),
      endedAt: null,
    }
    const id = await inTurn(async () => {
      const same = (await rows.all()).find(
        (one) => isOpen(one) && one.folder === folder && one.file === stored.file,
      )
      if (same !== undefined && identityKey(same) !== identityKey(stored))
        throw folderUnusable({ reason: 'taken', path: `${folder}: ${stored.file}` })
      const one = same ?? stored
      requestedBy.set(one.id, who)
      waitFor(one.id, waits)
      if (same === undefined) await rows.add(stored)
      else if (!live.has(same.id))
        await rows.change(same.id, {
          state: 'queued',
          failure: null,
          endedAt: null,
          acceptChanged,
          published,
          url: link.url,
          expiresAt: link.expiresAt,
          linkRenewed: false,
        })
      return one.id
    })
    changed(id)
    await pump()
    return publicView(await known(id))
  }

  async function openFolder(path: string): Promise<string> {
    try {
      return (await folders.open(path)).path
    } catch (error) {
      throw error instanceof FolderError ? folderUnusable(error) : error
    }
  }

  async function resume(id: string, waits: DownloadWaiter): Promise<Download> {
    ownerOnly()
    const stored = await known(id)
    if (stored.state === 'cancelled')
      throw Failed.invalid(
        'download',
        'This download was cancelled and its data was deleted. Start it again.',
      )
    if (stored.state === 'done') return publicView(stored)
    waitFor(id, waits)
    // A pause that is in progress is finished first.
    if (live.get(id)?.why === 'pause') await live.get(id)?.ended
    if (!live.has(id)) {
      waitFor(id, waits)
      await rows.change(id, { state: 'queued', failure: null, endedAt: null, linkRenewed: false })
    }
    changed(id)
    await pump()
    return publicView(await known(id))
  }

  async function pause(id: string): Promise<Download> {
    const stored = await known(id)
    if (live.has(id)) await stop(id, 'pause')
    else if (stored.state === 'queued' || stored.state === 'running') {
      waiting.delete(id)
      await rows.change(id, { state: 'paused' })
      changed(id)
    }
    return publicView(await known(id))
  }

  return {
    start,
    get: async (id) => publicView(await known(id)),
    async list(organizationId) {
      const all = (await rows.all()).filter((one) => one.organizationId === organizationId)
      const downloads = all.map(publicView)
      const running = downloads.filter(({ rate }) => rate !== null)
      const rate = running.length === 0 ? null : running.reduce((sum, one) => sum + (one.rate ?? 0), 0)
      const left = downloads.filter(({ state }) => state === 'running' || state === 'queued')
      const bytes = left.some(({ size }) => size === null)
        ? null
        : left.reduce((sum, one) => sum + (one.size ?? 0) - one.bytes, 0)
      const { downloadFolder } = await workbook.preferences()
      return {
        total: downloads.length,
        downloads,
        rate,
        secondsLeft: secondsFor(bytes, rate),
        folder: downloadFolder ?? folders.usual,
      }
    },
    pause,
    resume,
    async cancel(id) {
      const stored = await known(id)
      if (live.has(id)) await stop(id, 'cancel')
      else if (isOpen(stored)) {
        await removePart(id)
        waiting.delete(id)
        await rows.change(id, { state: 'cancelled', endedAt: clock.now(), ...cleared('cancelled') })
        changed(id)
      }
      return publicView(await known(id))
    },
    async show(id) {
      const { folder, file, state } = await known(id)
      if (state !== 'done') throw Failed.notFound('the downloaded file')
      const path = (await folders.open(folder).catch(() => null))?.pathOf(file)
      if (path === undefined) throw folderUnusable({ reason: 'missing', path: folder })
      await platform.desktop.showFile(path)
    },
    ledger: async (organizationId, product, from, count) =>
      ledger.list((await source(organizationId)).ledgerOrigin, product, from, count),
    async verify(organizationId, files, task = unwatched) {
      const published = organizationId === null ? [] : await (await source(organizationId)).published()
      return verifyFiles(files, { folders, ledger, published }, task)
    },
    keep: async (id) => waitFor((await known(id)).id, lasting),
    async leave(who) {
      if (closed) return
      for (const [id, all] of [...waiting])
        if (all.delete(who) && all.size === 0) await pause(id).catch(() => undefined)
    },
    async resumeAll(who) {
      for (const { id, state } of await rows.all())
        if (state === 'queued' || state === 'running') waitFor(id, who)
      await pump()
    },
    async pauseAll() {
      for (const { id, state } of await rows.all())
        if (state === 'queued' || state === 'running') await pause(id)
    },
    async forget(organizationId) {
      for (const [id, { stored }] of [...live])
        if (stored.organizationId === organizationId) await stop(id, 'cancel')
    },
    onChange: listeners.add,
    async close() {
      closed = true
      await turn
      await Promise.all([...live.keys()].map((id) => stop(id, 'close')))
      listeners.clear()
    },
  }
}

/** The download has not ended yet. */
const isOpen = ({ state }: { readonly state: DownloadState }): boolean =>
  state !== 'done' && state !== 'cancelled'

function identityKey(stored: StoredDownload): string {
  const { organizationId, vendorId, productId, version, buildType, bundle } = stored
  return JSON.stringify([organizationId, vendorId, productId, version, buildType, bundle])
}

export type { DownloadSource } from './download-runner.ts'
export { folderUnusable } from './fetching.ts'
export { bytesOf } from './file-bytes.ts'
export { fileNameOf, legalName } from './file-name.ts'
