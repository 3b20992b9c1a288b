import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../electron/adapters/clock.ts'
import { openFileTransport } from '../../../electron/adapters/file-transport.ts'
import { openFolders } from '../../../electron/adapters/folders.ts'
import { newId } from '../../../electron/adapters/new-id.ts'
import type { Download, DownloadQuery } from '../../../electron/contract/api/downloads.ts'
import type { FirmwareLink, FirmwareRelease } from '../../../electron/contract/api/firmware.ts'
import {
  openDownloads,
  type Downloads,
  type DownloadSource,
} from '../../../electron/core/downloads/downloads.ts'
import { openJournal, type Journal } from '../../../electron/core/journal/journal.ts'
import type { FileResponse, FileTransport, Platform, WireFault } from '../../../electron/core/platform.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { hashOf, someBytes, type FileHost } from './a-file-host.ts'
import { storeOrganization } from '../../stored-organization.ts'

/** The content of a file, how it is published, and the result of its download. */
export const bytes = someBytes(700_000)
export const name = 'Jabra Link 380a 1.12.0.zip'
export const result = {
  sha256: hashOf('sha256', bytes),
  md5: hashOf('md5', bytes),
  bytes: bytes.length,
  already: false,
  resumedFrom: 0,
  checks: { size: 'ok', md5: 'ok', ledger: 'new' },
}
export const published = { bytes: bytes.length, md5: result.md5 }

/** A response with all headers that ends after this many bytes. */
export const cutAfter =
  (count: number): FileHost['instead'][number] =>
  (request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
    response.write(bytes.subarray(0, count), () => request.socket.end())
  }

export const fault: WireFault = { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'broken' }

/** Connections whose responses a test gives; null: a fault. */
export const aTransport = (
  answer: (signal: AbortSignal) => Pick<FileResponse, 'headers' | 'body'> | null,
): FileTransport => ({
  isProxied: async () => false,
  get: async ({ signal }) => {
    const given = answer(signal)
    return given === null ? fault : { kind: 'answer', status: 200, close: () => undefined, ...given }
  },
})

/** So many pieces of a mebibyte; `then` is called after them. */
export async function* mebibytes(count: number, then: () => Promise<unknown>): AsyncIterable<Uint8Array> {
  const piece = someBytes(1_048_576)
  for (let at = 0; at < count; at++) yield piece
  await then()
}

/** Resolves when the download is stopped. */
export const stopped = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve))

const release: FirmwareRelease = {
  version: '1.12.0',
  latest: true,
  revoked: false,
  stage: 'Public',
  stageStated: true,
  releasedAt: null,
  fileName: null,
  fileSize: null,
  md5: null,
  notesUrl: null,
  buildTypes: ['Release'],
  bundle: null,
  raw: {},
}
const product = { vendorId: 2830, productId: 9416 }

export interface SomeDownloads {
  readonly downloads: Downloads
  readonly folder: string
  readonly workbook: Workbook
  readonly journal: Journal
  /** Sets the response of the metadata interface, from now on. */
  link: Partial<FirmwareLink>
  release: Partial<FirmwareRelease>
  productName: string
  /** `refresh` of every link request. */
  readonly linksAsked: boolean[]
  /** Starts a download and waits for its end. */
  fetch(query?: Partial<DownloadQuery>): Promise<Download>
  start(query?: Partial<DownloadQuery>): Promise<Download>
  ended(id: string): Promise<Download>
  /** Waits until the download has this state. */
  until(id: string, isSo: (download: Download) => boolean): Promise<Download>
  /** The contents of the folder. */
  names(): readonly string[]
  /**
   * Starts another process on the same workbook, as if this one had been killed and had written nothing more.
   */
  another(): SomeDownloads
}

/** Downloads over a real folder and real connections; the workbook is in memory. */
export async function someDownloads(
  origin: string,
  platform: Partial<Platform> = {},
): Promise<SomeDownloads> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const databases = memoryDatabases()
  const log: Platform['log'] = { write: () => undefined }
  const workbook = await openWorkbook({ clock: systemClock, databases, log })
  await workbook.write((transaction) => storeOrganization(transaction, 'org'))
  return opened({ origin, platform, folder, workbook, log })
}

function opened(parts: {
  readonly origin: string
  readonly platform: Partial<Platform>
  readonly folder: string
  readonly workbook: Workbook
  readonly log: Platform['log']
}): SomeDownloads {
  const { origin, platform, folder, workbook, log } = parts
  const journal = openJournal({ workbook, clock: systemClock, who: 'technician' })
  const source: DownloadSource = {
    organization: { id: 'org', name: 'Nordlys' },
    ownOrigin: origin,
    ledgerOrigin: origin,
    product: async () => ({ name: it.productName }),
    link: async ({ refresh }) => {
      it.linksAsked.push(refresh)
      return {
        version: '1.12.0',
        buildType: 'Release',
        bundle: null,
        url: `${origin}/files/firmware.zip?sig=secret`,
        host: new URL(origin).host,
        refused: null,
        expiresAt: null,
        bytes: null,
        md5: null,
        raw: {},
        observedAt: 0,
        fromCache: false,
        ...it.link,
      }
    },
    releases: async () => [{ ...release, ...it.release }],
    published: async () => [],
  }
  const downloads = openDownloads({
    platform: {
      clock: systemClock,
      // The back-off is a random share of its maximum; the share is zero here, so nothing waits.
      random: () => 0,
      newId,
      names: { lookup: async () => [], loopbackForTests: false },
      fileTransport: openFileTransport(),
      folders: openFolders(() => folder),
      dataFolder: { problem: () => null },
      desktop: {} as Platform['desktop'],
      log,
      ...platform,
    },
    workbook,
    journal,
    connections: { attempted: (_url, _purpose, _organization, attempt) => attempt() },
    source: async () => source,
  })
  onTestFinished(() => downloads.close())
  const me = {}
  const it: SomeDownloads = {
    downloads,
    folder,
    workbook,
    journal,
    link: {},
    release: {},
    productName: 'Jabra Link 380a',
    linksAsked: [],
    start: (query = {}) =>
      downloads.start(
        'org',
        {
          ...product,
          version: '1.12.0',
          buildType: null,
          folder: null,
          acceptChanged: null,
          acceptRevoked: false,
          ...query,
        },
        'technician',
        me,
      ),
    fetch: async (query) => it.ended((await it.start(query)).id),
    ended: (id) => it.until(id, ({ endedAt }) => endedAt !== null),
    until: (id, isSo) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          downloads.get(id).then((download) => {
            if (!isSo(download)) return
            end()
            resolve(download)
          }, reject)
        }
        const end = downloads.onChange(look)
        look()
      }),
    names: () => readdirSync(folder).sort(),
    another: () => Object.assign(opened(parts), { link: it.link, release: it.release }),
  }
  return it
}
