import type {
  Download,
  DownloadList,
  DownloadQuery,
  DownloadResult,
  DownloadState,
  LedgerPage,
  VerifiedFile,
} from '../../contract/api/downloads.ts'
import type {
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareRelease,
  ProductId,
} from '../../contract/api/firmware.ts'
import { Failed } from '../../contract/failure.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { Connections } from '../connections/connections.ts'
import { compareVersions } from '../firmware/firmware.ts'
import { heldBack, type HeldBack } from '../held-back.ts'
import type { Journal } from '../journal/journal.ts'
import { FolderError, type Platform } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import {
  openDownloadRows,
  secondsFor,
  shownDownload,
  type KeptDownload,
  type PublishedFile,
  type Running,
} from './download-rows.ts'
import { fetchFile, folderUnusable, type FetchProgress } from './fetching.ts'
import { addressRefused, fileAddress } from './file-address.ts'
import { fileNameOf } from './file-name.ts'
import { openLedger, reasonGiven, type FileIdentity } from './ledger.ts'
import { verifyFiles, type PublishedName } from './verifying.ts'

/** What one organization tells of its files. */
export interface DownloadSource {
  readonly organization: { readonly id: string; readonly name: string }
  /** Of the metadata address. */
  readonly ownOrigin: string
  /** Whose ledger it is: the demonstration is one origin, whatever its port. */
  readonly ledgerOrigin: string
  product(id: ProductId): Promise<{ readonly name: string }>
  link(query: FirmwareLinkQuery & { readonly refresh: boolean }): Promise<FirmwareLink>
  /** Empty where they cannot be read. */
  releases(id: ProductId): Promise<readonly FirmwareRelease[]>
  /** Of what is kept of the catalogue; nothing is asked. */
  published(): Promise<readonly PublishedName[]>
}

/** Who waits for a download: while nobody does, it is paused. */
export type Waiting = object

/** Files of firmware: fetched one beside another, to the end or till somebody stops them. Rejects with Failed. */
export interface Downloads {
  /** Joins the one that is under way where the same file is asked for once more. */
  start(organizationId: string, query: DownloadQuery, who: string, waiting: Waiting): Promise<Download>
  get(id: string): Promise<Download>
  list(organizationId: string): Promise<DownloadList>
  pause(id: string): Promise<Download>
  resume(id: string, waiting: Waiting): Promise<Download>
  cancel(id: string): Promise<Download>
  show(id: string): Promise<void>
  ledger(organizationId: string, product: ProductId | null, start: number, count: number): Promise<LedgerPage>
  verify(organizationId: string | null, files: readonly string[]): Promise<readonly VerifiedFile[]>
  /** It goes on whoever leaves. */
  keep(id: string): void
  /** Whoever waited has gone: what nobody else waits for is paused. */
  leave(waiting: Waiting): Promise<void>
  /** Takes on what an earlier owner of the data folder left. */
  goOn(waiting: Waiting): Promise<void>
  /** An organization was removed: what runs for it ends. */
  forget(organizationId: string): Promise<void>
  /** Called with what changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** Stops what runs, to go on in the next owner. */
  close(): Promise<void>
}

export interface DownloadsParts {
  readonly platform: Pick<
    Platform,
    'clock' | 'random' | 'newId' | 'names' | 'fileTransport' | 'folders' | 'dataFolder' | 'log' | 'desktop'
  >
  readonly workbook: Workbook
  readonly journal: Journal
  readonly connections: Pick<Connections, 'attempted'>
  readonly source: (organizationId: string) => Promise<DownloadSource>
}

/** A rate is that of the last seconds. Chosen: it follows a change, and stands still enough to be read. */
const rateOverMs = 5_000
/** How far it is, is told so often (contract: ten a second). */
const sampleEveryMs = 100

type Why = 'pause' | 'cancel' | 'close'

interface Live {
  readonly kept: KeptDownload
  readonly stop: AbortController
  why: Why | null
  volume: string | null
  progress: Running
  samples: readonly { readonly at: number; readonly bytes: number }[]
  /** Tells of it; the last of what comes is never lost. */
  readonly grown: HeldBack
  ended: Promise<void>
}

export function openDownloads({
  platform,
  workbook,
  journal,
  connections,
  source,
}: DownloadsParts): Downloads {
  const { clock, folders, log, newId } = platform
  const rows = openDownloadRows(workbook)
  const ledger = openLedger({ workbook, journal, clock, newId })
  const live = new Map<string, Live>()
  /** By download: who waits for it. Without anybody one that is queued is left to the next owner. */
  const waiting = new Map<string, Set<Waiting>>()
  const whoAsked = new Map<string, string>()
  const listeners = new Set<(ids: readonly string[]) => void>()
  let closed = false
  const lasting: Waiting = {}

  const changed = (id: string): void => {
    for (const listener of listeners) listener([id])
  }
  const waitFor = (id: string, who: Waiting): void => {
    waiting.set(id, (waiting.get(id) ?? new Set()).add(who))
  }
  const shown = (kept: KeptDownload): Download => shownDownload(kept, live.get(kept.id)?.progress ?? null)
  const known = async (id: string): Promise<KeptDownload> => {
    const kept = await rows.get(id)
    if (kept === null) throw new Failed({ kind: 'not-found', call: null, what: `the download ${id}` })
    return kept
  }
  const ownerOnly = (): void => {
    const trouble = platform.dataFolder.trouble()
    if (trouble !== null) throw new Failed(trouble)
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One after another: two who ask for one file must find each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  /** Starts what waits for its turn, oldest first. */
  const pump = (): Promise<void> =>
    inTurn(async () => {
      if (closed) return
      const { downloadsAtOnce } = await workbook.preferences()
      const queued = (await rows.all())
        .filter((one) => isOpen(one) && one.state !== 'paused' && one.state !== 'failed')
        .filter(({ id }) => waiting.has(id) && !live.has(id))
        .toReversed()
      for (const kept of queued.slice(0, Math.max(0, downloadsAtOnce - live.size))) await begin(kept)
    })

  async function begin(kept: KeptDownload): Promise<void> {
    if (closed) return
    await rows.change(kept.id, { state: 'running', failure: null, endedAt: null })
    const one: Live = {
      kept,
      stop: new AbortController(),
      why: null,
      volume: null,
      progress: { bytes: kept.bytes, size: kept.size, rate: null, triesAgainAt: null, begunAnew: [] },
      samples: [],
      grown: heldBack(clock, sampleEveryMs, () => changed(kept.id)),
      ended: Promise.resolve(),
    }
    live.set(kept.id, one)
    one.ended = run(one)
    changed(kept.id)
  }

  async function run(one: Live): Promise<void> {
    const { id } = one.kept
    let end: Partial<KeptDownload>
    try {
      end = { state: 'done', failure: null, endedAt: null, result: await fetched(one) }
    } catch (error) {
      end = await endedBy(one, error)
    }
    const isOver = end.state !== 'queued' && end.state !== 'paused'
    await rows
      .change(id, { ...end, ...(isOver ? { endedAt: clock.now() } : {}), ...cleared(end.state) })
      .catch((error: unknown) =>
        log.write('warn', 'The end of a download could not be written', { reason: String(error) }),
      )
    one.grown.close()
    live.delete(id)
    if (isOver || end.state === 'paused') waiting.delete(id)
    changed(id)
    void pump().catch(() => undefined)
  }

  async function endedBy({ kept, why }: Live, error: unknown): Promise<Partial<KeptDownload>> {
    if (error instanceof Failed && error.failure.kind === 'cancelled' && why !== null) {
      if (why === 'pause') return { state: 'paused' }
      if (why === 'close') return { state: 'queued' }
      await removePart(kept.id)
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

  /** Only what the workbook has a record of is ours to take away. */
  async function removePart(id: string): Promise<void> {
    const kept = await rows.get(id)
    if (kept === null || kept.bytes === 0) return
    try {
      await (await folders.open(kept.folder)).remove(`${kept.file}.part`)
    } catch (error) {
      if (!(error instanceof FolderError)) throw error
    }
  }

  const wantedOf = (volume: string, without: Live): number =>
    [...live.values()]
      .filter((other) => other !== without && other.volume === volume)
      .reduce((sum, { progress: { size, bytes } }) => sum + Math.max(0, (size ?? bytes) - bytes), 0)

  async function fetched(one: Live): Promise<DownloadResult> {
    const { kept } = one
    const from = await source(kept.organizationId)
    const { organization, ownOrigin } = from
    const who = whoAsked.get(kept.id) ?? ''
    return fetchFile(
      {
        kept,
        identity: identityOf(kept, from.ledgerOrigin),
        accepted: kept.acceptChanged === null ? null : { reason: kept.acceptChanged, who, organization },
        renewLink: async () => {
          const { link, published } = await lookedUp(from, { ...queryOf(kept), refresh: true })
          return { url: link.url, expiresAt: link.expiresAt, published }
        },
        save: (more) => rows.change(kept.id, more),
        tell: (progress) => noteProgress(one, progress),
        wantedByOthers: (volume) => wantedOf(volume, one),
        signal: one.stop.signal,
      },
      {
        ...{ clock, folders, ledger, ownOrigin, random: platform.random, names: platform.names },
        transport: platform.fileTransport,
        counted: (url, attempt) => connections.attempted(url, 'download', () => organization.name, attempt),
      },
    )
  }

  function noteProgress(one: Live, told: FetchProgress): void {
    const { volume, ...progress } = told
    const at = clock.monotonic()
    const last = one.samples.at(-1)
    // What was there before, or is thrown away, is no speed.
    const recent = last === undefined || told.bytes < last.bytes ? [] : one.samples
    const isDue = recent.length === 0 || at - (last?.at ?? at) >= sampleEveryMs
    if (isDue)
      one.samples = [...recent.filter((sample) => at - sample.at <= rateOverMs), { at, bytes: told.bytes }]
    const [first] = one.samples
    const ms = first === undefined ? 0 : at - first.at
    const rate = ms <= 0 || first === undefined ? null : ((told.bytes - first.bytes) * 1_000) / ms
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

  async function start(
    organizationId: string,
    query: DownloadQuery,
    who: string,
    waits: Waiting,
  ): Promise<Download> {
    ownerOnly()
    const acceptChanged = reasonGiven(query.acceptChanged)
    const from = await source(organizationId)
    const { acceptRevoked, folder: wanted, acceptChanged: _, ...asked } = query
    const { link, published, isRevoked } = await lookedUp(from, { ...asked, refresh: false })
    const { name } = await from.product(query)
    if (isRevoked && !acceptRevoked)
      throw new Failed({
        kind: 'not-found',
        call: null,
        what: `Version ${link.version} of ${name} was revoked: it is downloaded only where that is accepted.`,
      })
    await fileAddress(link.url, {
      ...{ clock, ownOrigin: from.ownOrigin, transport: platform.fileTransport },
      // What a name leads to is asked when it is connected.
      names: { ...platform.names, lookup: async () => [] },
    }).catch((error: unknown) => {
      if (error instanceof Failed) throw error
    })
    const { downloadFolder } = await workbook.preferences()
    const folder = await openFolder(wanted ?? downloadFolder ?? folders.usual)
    const { version, buildType, bundle } = link
    const kept: KeptDownload = {
      ...{ id: newId(), organizationId, vendorId: query.vendorId, productId: query.productId, name },
      ...{ version, buildType, bundle, folder, acceptChanged, published },
      file: fileNameOf({ product: name, version, buildType, url: link.url }),
      ...{ url: link.url, expiresAt: link.expiresAt, linkRenewed: false },
      ...{ state: 'queued', etag: null, bytes: 0, sha256: null, size: null, placing: false },
      ...{ failure: null, result: null, startedAt: clock.now(), endedAt: null },
    }
    const id = await inTurn(async () => {
      const same = (await rows.all()).find(
        (one) => isOpen(one) && one.folder === folder && one.file === kept.file,
      )
      if (same !== undefined && identityKey(same) !== identityKey(kept))
        throw folderUnusable({ reason: 'taken', path: `${folder}: ${kept.file}` })
      const one = same ?? kept
      whoAsked.set(one.id, who)
      waitFor(one.id, waits)
      if (same === undefined) await rows.add(kept)
      else if (!live.has(same.id))
        await rows.change(same.id, {
          ...{ state: 'queued', failure: null, endedAt: null, acceptChanged, published },
          ...{ url: link.url, expiresAt: link.expiresAt, linkRenewed: false },
        })
      return one.id
    })
    changed(id)
    await pump()
    return shown(await known(id))
  }

  async function openFolder(path: string): Promise<string> {
    try {
      return (await folders.open(path)).path
    } catch (error) {
      throw error instanceof FolderError ? folderUnusable(error) : error
    }
  }

  async function resume(id: string, waits: Waiting): Promise<Download> {
    ownerOnly()
    const kept = await known(id)
    if (kept.state === 'cancelled')
      throw new Failed({
        kind: 'invalid',
        field: 'download',
        message: 'It was cancelled, and nothing of it is left: start it anew.',
      })
    if (kept.state === 'done') return shown(kept)
    waitFor(id, waits)
    // A pause that is just being asked for is over first.
    if (live.get(id)?.why === 'pause') await live.get(id)?.ended
    if (!live.has(id)) {
      waitFor(id, waits)
      await rows.change(id, { state: 'queued', failure: null, endedAt: null, linkRenewed: false })
    }
    changed(id)
    await pump()
    return shown(await known(id))
  }

  async function pause(id: string): Promise<Download> {
    const kept = await known(id)
    if (live.has(id)) await stop(id, 'pause')
    else if (kept.state === 'queued' || kept.state === 'running') {
      waiting.delete(id)
      await rows.change(id, { state: 'paused' })
      changed(id)
    }
    return shown(await known(id))
  }

  return {
    start,
    get: async (id) => shown(await known(id)),
    async list(organizationId) {
      const all = (await rows.all()).filter((one) => one.organizationId === organizationId)
      const downloads = all.map(shown)
      const running = downloads.filter(({ rate }) => rate !== null)
      const rate = running.length === 0 ? null : running.reduce((sum, one) => sum + (one.rate ?? 0), 0)
      const left = downloads.filter(({ state }) => state === 'running' || state === 'queued')
      const bytes = left.some(({ size }) => size === null)
        ? null
        : left.reduce((sum, one) => sum + (one.size ?? 0) - one.bytes, 0)
      const { downloadFolder } = await workbook.preferences()
      return {
        ...{ total: downloads.length, downloads, rate, secondsLeft: secondsFor(bytes, rate) },
        folder: downloadFolder ?? folders.usual,
      }
    },
    pause,
    resume,
    async cancel(id) {
      const kept = await known(id)
      if (live.has(id)) await stop(id, 'cancel')
      else if (isOpen(kept)) {
        await removePart(id)
        waiting.delete(id)
        await rows.change(id, { state: 'cancelled', endedAt: clock.now(), ...cleared('cancelled') })
        changed(id)
      }
      return shown(await known(id))
    },
    async show(id) {
      const { folder, file, state } = await known(id)
      if (state !== 'done') throw new Failed({ kind: 'not-found', call: null, what: 'the downloaded file' })
      const path = (await folders.open(folder).catch(() => null))?.pathOf(file)
      if (path === undefined) throw folderUnusable({ reason: 'missing', path: folder })
      await platform.desktop.showFile(path)
    },
    ledger: async (organizationId, product, start, count) =>
      ledger.list((await source(organizationId)).ledgerOrigin, product, start, count),
    async verify(organizationId, files) {
      const published = organizationId === null ? [] : await (await source(organizationId)).published()
      return verifyFiles(files, { folders, ledger, published })
    },
    keep: (id) => waitFor(id, lasting),
    async leave(who) {
      if (closed) return
      for (const [id, all] of [...waiting])
        if (all.delete(who) && all.size === 0) await pause(id).catch(() => undefined)
    },
    async goOn(who) {
      for (const { id, state } of await rows.all())
        if (state === 'queued' || state === 'running') waitFor(id, who)
      await pump()
    },
    async forget(organizationId) {
      for (const [id, { kept }] of [...live])
        if (kept.organizationId === organizationId) await stop(id, 'cancel')
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closed = true
      await turn
      await Promise.all([...live.keys()].map((id) => stop(id, 'close')))
      listeners.clear()
    },
  }
}

/** Something may still become of it. */
const isOpen = ({ state }: { readonly state: DownloadState }): boolean =>
  state !== 'done' && state !== 'cancelled'

/** What is over has no bytes to go on with, unless it failed. */
const cleared = (state: DownloadState | undefined): Partial<KeptDownload> =>
  state === 'done' || state === 'cancelled' ? { bytes: 0, sha256: null, etag: null, placing: false } : {}

const identityOf = (kept: KeptDownload, origin: string): FileIdentity => {
  const { vendorId, productId, name, version, buildType, bundle } = kept
  return { origin, vendorId, productId, name, version, buildType, bundle: bundle?.group ?? null }
}

const identityKey = ({
  organizationId,
  vendorId,
  productId,
  version,
  buildType,
  bundle,
}: KeptDownload): string => JSON.stringify([organizationId, vendorId, productId, version, buildType, bundle])

const queryOf = ({ vendorId, productId, version, buildType, bundle }: KeptDownload): FirmwareLinkQuery => ({
  ...{ vendorId, productId, version, buildType },
  ...(bundle === null ? {} : { bundle: bundle.group }),
})

/** A link that may be asked, and what is published of its file. Rejects with Failed. */
async function lookedUp(
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
      ? new Failed({ kind: 'not-found', call: null, what: `an address of the file of version ${version}` })
      : addressRefused(refused, /^http:/i.test(refused) ? 'not-https' : 'not-an-address')
  const named = (await from.releases(query)).filter(
    (release) => compareVersions(release.version, version) === 0,
  )
  // What the link's own record says and what the list of releases says of the same version: both were published.
  return {
    link: { ...link, url },
    published: {
      sizes: [...new Set([bytes, ...named.map(({ fileSize }) => fileSize)])].filter((size) => size !== null),
      md5s: [...new Set([md5, ...named.map((release) => release.md5)])].filter((one) => one !== null),
    },
    isRevoked: named.length > 0 && named.every(({ revoked }) => revoked),
  }
}

export { downloadSource } from './download-source.ts'

export const downloadHandlers = (
  downloads: Downloads,
  {
    currentId,
    who,
    waiting,
    chooseFolder,
  }: {
    readonly currentId: () => Promise<string>
    readonly who: string
    readonly waiting: Waiting
    readonly chooseFolder: () => Promise<string | null>
  },
): Handlers<'downloads'> => ({
  start: async (query) => downloads.start(await currentId(), query, who, waiting),
  list: async () => downloads.list(await currentId()),
  pause: ({ id }) => downloads.pause(id),
  resume: ({ id }) => downloads.resume(id, waiting),
  cancel: ({ id }) => downloads.cancel(id),
  show: ({ id }) => downloads.show(id),
  chooseFolder,
  ledger: async ({ product, start, count }) => downloads.ledger(await currentId(), product, start, count),
  verify: async ({ files }) => downloads.verify(await currentId().catch(() => null), files),
})
