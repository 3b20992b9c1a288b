import type { BegunAnew, DownloadResult } from '../../contract/api/downloads.ts'
import type { FileChecks } from '../../contract/download.ts'
import { Failed, isKind } from '../../contract/failure.ts'
import { pause } from '../pause.ts'
import {
  FileBroken,
  FolderError,
  type FileResponse,
  type Folder,
  type Folders,
  type PartFile,
} from '../platform.ts'
import { backoffInMs } from '../service-client/service-client.ts'
import type { StoredDownload } from './download-rows.ts'
import {
  Again,
  callOf,
  failureOf,
  lengthOf,
  linkIsOver,
  NotNow,
  pageFound,
  rangeOf,
  refusalOf,
  Renewed,
  sizeWithoutRange,
  requestFile,
  type FileRequestDeps,
  type ReachedFile,
} from './file-request.ts'
import {
  Hashes,
  hashesOf,
  sha256Of,
  checksOf,
  isTheSame,
  refuseContradiction,
  type Mismatch,
} from './file-bytes.ts'
import type { Acceptance, FileBytes, FileIdentity, Ledger } from './ledger.ts'

/**
 * Attempts in a row (chosen). The count starts again after this many bytes, because a file of
 * gigabytes may be interrupted often. Raise the bytes if a bad connection never gives up.
 */
const attemptsAtMost = 5
const bytesForANewCount = 33_554_432
/** Longest interval between records of the partial file (chosen): what is fetched again at most. */
const recordEveryBytes = 33_554_432
const recordEveryMs = 5_000
/** Bytes between two looks at the free space: six downloads at once stay below the smallest reserve. */
const roomEveryBytes = 2_097_152

export interface FetchDeps extends FileRequestDeps {
  readonly folders: Folders
  readonly ledger: Ledger
  readonly random: () => number
}

export interface FetchGiven {
  readonly stored: StoredDownload
  readonly identity: FileIdentity
  /** null: bytes that differ from the known ones are rejected. */
  readonly accepted: Acceptance | null
  readonly renewLink: () => Promise<Pick<StoredDownload, 'url' | 'expiresAt' | 'published'>>
  readonly save: (changed: Partial<StoredDownload>) => Promise<void>
  readonly tell: (progress: FetchProgress) => void
  /** Bytes that other downloads still need on a drive. */
  readonly wantedByOthers: (volume: string) => number
  readonly signal: AbortSignal
}

export interface FetchProgress {
  readonly bytes: number
  readonly size: number | null
  readonly volume: string
  readonly triesAgainAt: number | null
  readonly begunAnew: readonly BegunAnew[]
}

/**
 * Fetches a file to its folder and checks it. Rejects with Failed; `cancelled` when the signal ended it, with
 * the partial file recorded.
 */
export async function fetchFile(given: FetchGiven, deps: FetchDeps): Promise<DownloadResult> {
  const fetching = new Fetching(given, deps)
  try {
    return await fetching.run()
  } catch (error) {
    throw error instanceof FolderError ? folderUnusable(error) : error
  }
}

export const folderUnusable = (
  { reason, path }: Pick<FolderError, 'reason' | 'path'>,
  needed: number | null = null,
  free: number | null = null,
): Failed => new Failed({ kind: 'folder-unusable', reason, path, needed, free })

class Fetching {
  readonly #given: FetchGiven
  readonly #deps: FetchDeps
  #stored: StoredDownload
  #folder!: Folder
  #file!: PartFile
  #hashes = new Hashes()
  #etag: string | null = null
  #size: number | null
  #resumedFrom = 0
  #recordedBytes = 0
  #recordedAt = 0
  #roomedBytes = 0
  #triesAgainAt: number | null = null
  readonly #begunAnew: BegunAnew[] = []

  constructor(given: FetchGiven, deps: FetchDeps) {
    this.#given = given
    this.#deps = deps
    this.#stored = given.stored
    const { bytes, size, published } = given.stored
    this.#size = (bytes > 0 ? size : null) ?? published.sizes[0] ?? size
  }

  async run(): Promise<DownloadResult> {
    const { folders, ledger } = this.#deps
    const { file } = this.#stored
    refuseContradiction(this.#stored.published, this.#mismatch)
    this.#folder = await folders.open(this.#stored.folder)
    const found = await this.#whatIsThere()
    const there = found?.now() ?? null
    if (there !== null && found?.otherThan(file) === null) {
      const known = await ledger.find(this.#given.identity)
      const isInPlace = this.#stored.placing && there.sha256 === this.#stored.sha256
      if (isInPlace || isTheSame(there, known, this.#stored.published, this.#mismatch)) {
        await this.#folder.remove(`${file}.part`)
        return this.#finish(there, { ...checksOf(there, this.#stored.published), ledger: null }, !isInPlace)
      }
    }
    await this.#openPart()
    try {
      const isWhole = this.#stored.placing && this.#hashes.bytes === this.#stored.bytes
      if (!isWhole)
        await this.#fetch().catch(async (error: unknown) => {
          if (this.#validator === null) await this.#removePart()
          throw error
        })
      return await this.#check(there)
    } catch (error) {
      // An empty partial file cannot be resumed.
      if (this.#hashes.bytes === 0) await this.#removePart()
      throw error
    } finally {
      await this.#file.close().catch(() => undefined)
    }
  }

  /** The file with this name; null: none, or one that only reserves the name. */
  async #whatIsThere(): Promise<Hashes | null> {
    const { file, placing } = this.#stored
    const found = await this.#folder.look(file)
    if (found.kind === 'other')
      throw new FolderError(
        'taken',
        this.#folder.pathOf(file),
        'Something that is not a regular file has this name.',
      )
    if (found.kind === 'none' || (placing && found.kind === 'file' && found.bytes === 0)) return null
    return hashesOf(this.#deps.folders.read(this.#folder.pathOf(file)), this.#given.signal)
  }

  /** Resumes the partial file if it matches its record; else starts a new file. */
  async #openPart(): Promise<void> {
    const { bytes, sha256, etag, file } = this.#stored
    const name = `${file}.part`
    const left = sha256 !== null && bytes > 0 ? await this.#folder.reopen(name) : null
    if (left !== null) {
      let isSame = false
      try {
        if (left.bytes >= bytes)
          for await (const piece of left.read(bytes)) {
            this.#stopIfRequested()
            this.#hashes.add(piece)
          }
        isSame = this.#hashes.bytes === bytes && this.#hashes.now().sha256 === sha256
        if (isSame) {
          await left.cut(bytes)
          this.#file = left
          this.#etag = etag
          this.#recordedBytes = bytes
        }
      } finally {
        if (!isSame) await left.close()
      }
    }
    const isGoneOnWith = left !== null && this.#hashes.bytes > 0 && this.#file === left
    if (!isGoneOnWith) {
      if (sha256 !== null && bytes > 0) this.#begunAnew.push('part-differs')
      this.#hashes = new Hashes()
      await this.#haveRoom()
      this.#file = await this.#folder.create(name)
    }
    try {
      if (isGoneOnWith) await this.#haveRoom()
      else await this.#given.save({ bytes: 0, sha256: null, etag: null, placing: false })
    } catch (error) {
      await this.#file.close().catch(() => undefined)
      throw error
    }
    this.#recordedAt = this.#deps.clock.monotonic()
    this.#tell()
  }

  /** Called before anything is fetched, when the host has stated the size, and while bytes arrive. */
  async #haveRoom(): Promise<void> {
    this.#roomedBytes = this.#hashes.bytes
    const path = this.#folder.path
    const { largestFile } = this.#folder
    if (largestFile !== null && this.#size !== null && this.#size > largestFile)
      throw folderUnusable({ reason: 'too-large', path }, this.#size, largestFile)
    const free = await this.#folder.free()
    const wanted =
      this.#size === null ? Math.min(this.#hashes.bytes, roomEveryBytes) : this.#size - this.#hashes.bytes
    const needed = wanted + this.#given.wantedByOthers(this.#folder.volume)
    if (free !== null && needed > free) throw folderUnusable({ reason: 'no-room', path }, needed, free)
  }

  async #fetch(): Promise<void> {
    const { random, clock } = this.#deps
    let bytesAtCount = this.#hashes.bytes
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt()
      } catch (error) {
        await this.#record()
        this.#stopIfRequested()
        if (!(error instanceof FileBroken || error instanceof Again || error instanceof NotNow)) throw error
        // Not counted: a link is renewed only once until bytes arrive.
        if (error instanceof Renewed) attempt--
        if (this.#hashes.bytes - bytesAtCount >= bytesForANewCount) {
          attempt = 1
          bytesAtCount = this.#hashes.bytes
        }
        const failure = failureOf(error, new URL(this.#stored.url).host)
        if (attempt >= attemptsAtMost || (error instanceof FileBroken && error.fault.reason === 'tls'))
          throw new Failed(failure)
        if (error instanceof Again) continue
        const waitMs = Math.max(backoffInMs(attempt, random), error instanceof NotNow ? error.inMs : 0)
        this.#triesAgainAt = clock.now() + waitMs
        this.#tell()
        await pause(clock, waitMs, this.#given.signal)
        this.#stopIfRequested()
        this.#triesAgainAt = null
      }
    }
  }

  /** Only a strong ETag says that the bytes are the same (RFC 9110, 13.1.5). */
  get #validator(): string | null {
    return this.#etag?.startsWith('"') === true ? this.#etag : null
  }

  async #attempt(): Promise<void> {
    const { signal } = this.#given
    this.#stopIfRequested()
    if (this.#stored.expiresAt !== null && this.#stored.expiresAt <= this.#deps.clock.now())
      await this.#renewLink(null)
    const validator = this.#validator
    if (validator === null && this.#hashes.bytes > 0) await this.#beginAnew('no-etag')
    const from = this.#hashes.bytes
    this.#resumedFrom = from
    const conditions: Record<string, string> =
      from > 0 && validator !== null ? { range: `bytes=${from}-`, 'if-range': validator } : {}
    const response = await this.#request(conditions, signal)
    try {
      await this.#take(response, from, validator)
    } finally {
      response.answer.close()
    }
  }

  async #request(conditions: Record<string, string>, signal: AbortSignal): Promise<ReachedFile> {
    try {
      return await requestFile(this.#stored.url, conditions, signal, this.#deps)
    } catch (error) {
      // The demonstration has another address at each start; a link of an earlier one is dead.
      const isOldLink =
        error instanceof Failed &&
        isKind(error.failure, 'address-refused') &&
        !this.#stored.linkRenewed &&
        this.#stored.bytes > 0
      if (!isOldLink) throw error
      await this.#renewLink(null)
      throw new Renewed()
    }
  }

  async #renewLink(status: number | null): Promise<void> {
    const { host } = new URL(this.#stored.url)
    if (this.#stored.linkRenewed) {
      if (status === null || status === 404 || status === 410)
        throw new Failed({
          kind: 'not-found',
          call: callOf(host),
          what: `the file for ${this.#stored.name} ${this.#stored.version}`,
        })
      throw new Failed({ kind: 'refused', call: callOf(host), status, message: null })
    }
    const renewed = { ...(await this.#given.renewLink()), linkRenewed: true }
    this.#stored = { ...this.#stored, ...renewed }
    await this.#given.save(renewed)
    refuseContradiction(this.#stored.published, this.#mismatch)
  }

  async #take({ answer, host }: ReachedFile, from: number, validator: string | null): Promise<void> {
    const { status, headers } = answer
    if (linkIsOver.has(status)) {
      await this.#renewLink(status)
      throw new Renewed()
    }
    if (status === 416 && from > 0) {
      // Nothing follows what is here.
      if (sizeWithoutRange(headers['content-range']) === from && (this.#size ?? from) === from) return
      await this.#beginAnew('no-such-range')
      throw new Again()
    }
    if (status !== 200 && status !== 206) throw refusalOf(answer, host, this.#deps.clock.now())
    const page = pageFound(headers)
    // The partial file remains.
    if (page !== null)
      throw this.#mismatch('content', 'a file', page, null, checksOf(null, this.#stored.published))
    const etag = headers['etag'] ?? null
    if (status === 206) {
      const range = rangeOf(headers['content-range'])
      const isRequestedRange = from > 0 && range?.from === from
      // A host must repeat the ETag (RFC 9110, 15.3.7), and the file cannot have changed its size.
      const isChanged =
        isRequestedRange &&
        (etag !== validator || (range.size !== null && this.#size !== null && range.size !== this.#size))
      if (!isRequestedRange || isChanged) {
        await this.#beginAnew(isChanged ? 'changed' : 'other-range')
        throw new Again()
      }
      this.#size = range.size ?? this.#size
      await this.#stream(answer, range.to, this.#size ?? range.to)
      // The range may end before the file does.
      if (this.#size === null) throw new Again()
    } else {
      if (from > 0) await this.#beginAnew(etag === validator ? 'range-ignored' : 'changed')
      this.#resumedFrom = 0
      this.#etag = etag
      const length = lengthOf(headers['content-length'])
      if (length !== null) {
        this.#size = length
        await this.#haveRoom()
      }
      await this.#stream(answer, length, length)
    }
  }

  /** `to`: where the response ends; `whole`: where the file ends. null: the host does not state it. */
  async #stream(answer: FileResponse, to: number | null, whole: number | null): Promise<void> {
    const { sizes } = this.#stored.published
    const atMost = sizes.length === 0 ? null : Math.max(...sizes)
    for await (const piece of answer.body) {
      this.#stopIfRequested()
      const end = this.#hashes.bytes + piece.length
      if (end - this.#roomedBytes >= roomEveryBytes) await this.#haveRoom()
      if (atMost !== null && end > atMost) {
        await this.#removePart()
        throw this.#mismatch('size', String(atMost), `more than ${atMost}`, null, {
          ...checksOf(null, this.#stored.published),
          size: 'failed',
        })
      }
      if (to !== null && end > to) {
        if (this.#resumedFrom > 0) {
          await this.#beginAnew('other-range')
          throw new Again()
        }
        await this.#removePart()
        throw this.#mismatch(
          'content',
          `${to} bytes`,
          `more than ${to} bytes`,
          null,
          checksOf(null, this.#stored.published),
        )
      }
      await this.#file.write(piece)
      this.#hashes.add(piece)
      if (this.#stored.linkRenewed) this.#stored = { ...this.#stored, linkRenewed: false }
      const sinceMs = this.#deps.clock.monotonic() - this.#recordedAt
      if (this.#hashes.bytes - this.#recordedBytes >= recordEveryBytes || sinceMs >= recordEveryMs) {
        // An open file on a removed drive, or a deleted open file, still accepts bytes.
        await this.#file.stillThere()
        await this.#record()
      }
      this.#tell()
    }
    if (whole !== null && this.#hashes.bytes < whole)
      throw new FileBroken({
        kind: 'fault',
        sent: 'maybe',
        reason: 'truncated',
        message: 'the answer was incomplete',
      })
  }

  async #beginAnew(why: BegunAnew): Promise<void> {
    this.#begunAnew.push(why)
    await this.#file.cut(0)
    this.#hashes = new Hashes()
    this.#etag = null
    this.#recordedBytes = 0
    this.#size = this.#stored.published.sizes[0] ?? null
    await this.#given.save({ bytes: 0, sha256: null, etag: null })
    this.#tell()
  }

  async #record(): Promise<void> {
    const { sha256, bytes } = this.#hashes.now()
    this.#recordedBytes = bytes
    this.#recordedAt = this.#deps.clock.monotonic()
    const { linkRenewed } = this.#stored
    if (bytes > 0) await this.#given.save({ bytes, sha256, etag: this.#etag, size: this.#size, linkRenewed })
  }

  async #removePart(): Promise<void> {
    await this.#file.remove().catch(() => undefined)
    // A partial file that no longer exists has no record.
    this.#hashes = new Hashes()
    await this.#given.save({ bytes: 0, sha256: null, etag: null, placing: false })
  }

  /**
   * Called when the file is complete: whether it gets its name depends on published values, earlier bytes,
   * and an existing file with the name.
   */
  async #check(there: FileBytes | null): Promise<DownloadResult> {
    const { file } = this.#stored
    const { ledger } = this.#deps
    const arrived = this.#hashes.now()
    const { sizes, md5s } = this.#stored.published
    const published = checksOf(arrived, this.#stored.published)
    const refuse = async (failed: Failed): Promise<never> => {
      await this.#removePart()
      throw failed
    }
    await this.#file.flush()
    const kept = await sha256Of(this.#file.read(Number.POSITIVE_INFINITY), this.#given.signal)
    if (kept !== arrived.sha256) return refuse(folderUnusable({ reason: 'differs', path: this.#folder.path }))
    const other = this.#hashes.otherThan(file)
    if (other !== null) return refuse(this.#mismatch('content', 'a file', other, null, published))
    if (published.size === 'failed')
      return refuse(this.#mismatch('size', String(sizes[0]), String(arrived.bytes), null, published))
    if (published.md5 === 'failed')
      return refuse(this.#mismatch('md5', md5s[0] ?? null, arrived.md5, null, published))
    const known = await ledger.find(this.#given.identity)
    if (there !== null && there.sha256 !== arrived.sha256)
      return refuse(this.#mismatch('existing', arrived.sha256, there.sha256, null, published))
    if (known?.isVerified === true && known.sha256 !== arrived.sha256 && this.#given.accepted === null)
      return refuse(
        this.#mismatch('ledger', known.sha256, arrived.sha256, known.at, { ...published, ledger: 'changed' }),
      )
    if (there !== null) await this.#removePart()
    else {
      await this.#given.save({ placing: true, bytes: arrived.bytes, sha256: arrived.sha256 })
      await this.#file.place(file, this.#given.stored.placing)
    }
    return this.#finish(arrived, published, there !== null)
  }

  async #finish(bytes: FileBytes, checks: FileChecks, already: boolean): Promise<DownloadResult> {
    const { ledger } = this.#deps
    const { identity, accepted } = this.#given
    const { host } = new URL(this.#stored.url)
    const isVerified = checks.size === 'ok' || checks.md5 === 'ok'
    const noted = await ledger.note(identity, { ...bytes, host }, accepted, isVerified)
    await ledger.written(this.#folder.pathOf(this.#stored.file), this.#stored.file)
    return { ...bytes, already, resumedFrom: this.#resumedFrom, checks: { ...checks, ledger: noted } }
  }

  readonly #mismatch: Mismatch = (what, expected, actual, sinceAt, checks) => {
    const at = this.#deps.clock.now()
    const { file } = this.#stored
    return new Failed({ kind: 'file-mismatch', what, file, expected, actual, sinceAt, at, checks })
  }

  #stopIfRequested(): void {
    if (this.#given.signal.aborted) throw new Failed({ kind: 'cancelled' })
  }

  #tell(): void {
    this.#given.tell({
      bytes: this.#hashes.bytes,
      size: this.#size,
      volume: this.#folder.volume,
      triesAgainAt: this.#triesAgainAt,
      begunAnew: [...this.#begunAnew],
    })
  }
}
