import { Buffer } from 'node:buffer'
import { Failed, isCancelled, isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Clock, Database, Log, SqlRow } from '../platform.ts'
import { documentPatienceInMs, type ServiceResponse } from '../service-client/service-client.ts'
import {
  addressOf,
  answerOf,
  documentOf,
  cachedDocument,
  notPublishedAt,
  placeOf,
  rowOf,
  responseText,
  conditions,
  freshForMs,
  headersToKeep,
  notPublishedForMs,
  renews,
  type Copy,
  type DocumentRequest,
  type CachedDocument,
  type Headers,
} from './document-copy.ts'
import { DocumentRows } from './document-rows.ts'

/** Bytes of text of parsed documents in memory. Raise it if documents are parsed again too early. */
const cachedAtMost = 40 * 1024 * 1024

export interface DocumentCache {
  /**
   * The document: from the copy while it is fresh, else from the service (conditionally), else from the copy
   * with its age. Rejects with Failed: `not-found` if it is not published (cached for an hour),
   * `unreadable-answer` if it is something else, `timed-out` with the requested document when a person has
   * waited for 10 s, otherwise with the original failure if there is no usable copy.
   */
  load<T>(request: DocumentRequest<T>): Promise<CachedDocument<T>>
  /**
   * The newest stored text of an address: of an Explorer call, or of the document. null: none, or it cannot
   * be read.
   */
  answerCopy(address: string): Promise<ResponseCopy | null>
  /**
   * Stores a response as received, next to the document, without parsing it. On a full disk only the copy is
   * lost.
   */
  keepAnswer(address: string, copy: ResponseCopy): Promise<void>
  /**
   * Does not delete documents that are read while the work runs, regardless of the size limit, and sends at
   * most one request for each: until it ends, a copy that was checked since it began is fresh. Returns their
   * number, including unpublished ones.
   */
  keepingAll(work: () => Promise<void>): Promise<number>
  /** The stored size, over all organizations. */
  size(): Promise<{ readonly documents: number; readonly bytes: number }>
  clear(): Promise<void>
}

/** A response as received, for callers of an operation by its name. */
export interface ResponseCopy {
  readonly text: string
  /** Lower-case names. */
  readonly headers: Headers
  /** Epoch milliseconds; a 304 renews it. */
  readonly observedAt: number
}

export function openDocumentCache(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): DocumentCache {
  return new StoredDocuments(new DocumentRows(parts.database, parts.log), parts.clock)
}

class StoredDocuments implements DocumentCache {
  readonly #rows: DocumentRows
  readonly #clock: Clock
  readonly #cached = new Map<string, Copy>()
  #cachedBytes = 0
  readonly #keeping = new Set<{ readonly read: Set<string>; readonly since: number }>()
  readonly #flights = new Map<string, Flight<Copy>>()

  constructor(rows: DocumentRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async load<T>(request: DocumentRequest<T>): Promise<CachedDocument<T>> {
    const address = addressOf(request)
    for (const { read } of this.#keeping) read.add(address)
    const previous = this.#cached.get(address) ?? (await this.#load(address, request))
    // Another caller may have renewed it while the store was read.
    const copy = this.#cached.get(address) ?? previous
    if (request.signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    if (copy !== undefined && (request.cachedOnly === true || (!request.refresh && this.#fresh(copy))))
      return answerOf(request, copy, true)
    if (request.cachedOnly === true)
      throw new Failed({
        kind: 'offline',
        call: placeOf(request),
        message: 'It is not cached, and the service was not asked.',
      })
    // A caller for a person on screen does not wait behind a background request with its longer timeout.
    const flightName = `${request.lane === 'interactive' ? 'now' : 'later'} ${address}`
    try {
      const fetched = await this.#patiently(request, (patience) =>
        joinFlight(this.#flights, flightName, patience, (signal) =>
          this.#fetch(request, address, copy, signal),
        ),
      )
      return answerOf(request, fetched, false)
    } catch (error) {
      if (copy === undefined || !(error instanceof Failed) || !copyHelps(error.failure, request.refresh))
        throw error
      return answerOf(request, copy, true)
    }
  }

  async answerCopy(address: string): Promise<ResponseCopy | null> {
    const row = await this.#rows.newestOf([address, callAddress(address)])
    return row === undefined
      ? null
      : {
          text: String(row['body']),
          headers: headersIn(row['headers']),
          observedAt: Number(row['observed_at']),
        }
  }

  async keepAnswer(address: string, { text, headers, observedAt }: ResponseCopy): Promise<void> {
    const copy = {
      value: text,
      headers: headersToKeep(headers),
      observedAt,
      size: Buffer.byteLength(text),
      redirectedTo: null,
    }
    await this.#rows.insert(rowOf(callAddress(address), copy, text, observedAt))
  }

  async keepingAll(work: () => Promise<void>): Promise<number> {
    const read = new Set<string>()
    const sweep = { read, since: this.#clock.now() }
    this.#keeping.add(sweep)
    try {
      await work()
      return read.size
    } finally {
      this.#keeping.delete(sweep)
      await this.#rows.prepare([...read])
    }
  }

  size(): Promise<{ documents: number; bytes: number }> {
    return this.#rows.size()
  }

  async clear(): Promise<void> {
    await this.#rows.clear()
    this.#cached.clear()
    this.#cachedBytes = 0
  }

  /**
   * A person waits for at most this time from the request on; other callers for the same document continue to
   * wait.
   */
  async #patiently<T>(
    request: DocumentRequest<unknown>,
    work: (signal: AbortSignal | null) => Promise<T>,
  ): Promise<T> {
    const { lane, signal, what } = request
    if (lane !== 'interactive') return await work(signal)
    const patience = new AbortController()
    const cancel = this.#clock.after(documentPatienceInMs, () => patience.abort())
    try {
      return await work(AbortSignal.any(signal === null ? [patience.signal] : [signal, patience.signal]))
    } catch (error) {
      const isOver = patience.signal.aborted && signal?.aborted !== true
      if (!isOver || !isCancelled(error)) throw error
      throw new Failed({
        kind: 'timed-out',
        call: placeOf(request),
        afterInMs: documentPatienceInMs,
        what,
      })
    } finally {
      cancel()
    }
  }

  #fresh(copy: Copy): boolean {
    const age = this.#clock.now() - copy.observedAt
    if (age >= 0 && [...this.#keeping].some(({ since }) => copy.observedAt >= since)) return true
    const limit = copy.value === undefined ? notPublishedForMs : freshForMs(copy.headers, copy.observedAt)
    // A negative age means that the clock was set back: the freshness is not known.
    return age >= 0 && age < limit
  }

  async #fetch(
    request: DocumentRequest<unknown>,
    address: string,
    copy: Copy | undefined,
    signal: AbortSignal,
  ): Promise<Copy> {
    const requestedAt = this.#clock.now()
    const conditional = copy?.value === undefined ? {} : conditions(copy.headers, copy.observedAt)
    try {
      const answer = await this.#send(request, conditional, signal)
      if (answer.status === 204 || (answer.status !== 304 && answer.json === null))
        return await this.#keep(address, notPublishedAt(answer.receivedAt), '', requestedAt)
      if (answer.status !== 304)
        return await this.#keep(address, documentOf(request, answer), responseText(answer), requestedAt)
      const isSame =
        copy !== undefined &&
        renews(copy.headers, answer.headers) &&
        copy.redirectedTo === (answer.redirectedTo ?? null)
      if (copy?.value !== undefined && isSame) {
        const headers = {
          ...copy.headers,
          ...headersToKeep(answer.headers),
          'content-type': copy.headers['content-type'] ?? 'application/json',
        }
        return await this.#renew(address, { ...copy, headers, observedAt: answer.receivedAt }, requestedAt)
      }
      const whole = await this.#send(request, { 'cache-control': 'no-cache' }, signal)
      return await this.#keep(address, documentOf(request, whole), responseText(whole), requestedAt)
    } catch (error) {
      if (!(error instanceof Failed) || !isKind(error.failure, 'not-found')) throw error
      return this.#keep(address, notPublishedAt(this.#clock.now()), '', requestedAt)
    }
  }

  #send(
    request: DocumentRequest<unknown>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ServiceResponse> {
    const { client, operation, path, lane } = request
    return client.send({ operation, method: 'GET', path, body: null, lane, writes: false, signal, headers })
  }

  async #load(address: string, request: DocumentRequest<unknown>): Promise<Copy | undefined> {
    const row = await this.#rows.find(address)
    if (row === undefined) return undefined
    const observedAt = Number(row['observed_at'])
    const copy = row['status'] === 200 ? cachedDocument(row, observedAt, request) : notPublishedAt(observedAt)
    if (copy !== undefined) this.#hold(address, copy)
    return copy
  }

  async #keep(address: string, copy: Copy, body: string, requestedAt: number): Promise<Copy> {
    this.#hold(address, copy)
    await this.#rows.insert(rowOf(address, copy, body, requestedAt))
    return copy
  }

  async #renew(address: string, copy: Copy, requestedAt: number): Promise<Copy> {
    this.#hold(address, copy)
    await this.#rows.renew({
      address,
      headers: JSON.stringify(copy.headers),
      requestedAt,
      observedAt: copy.observedAt,
    })
    return copy
  }

  #hold(address: string, copy: Copy): void {
    this.#release(address)
    if (copy.size > cachedAtMost) return
    this.#cached.set(address, copy)
    this.#cachedBytes += copy.size
    for (const oldest of this.#cached.keys()) {
      if (this.#cachedBytes <= cachedAtMost) return
      this.#release(oldest)
    }
  }

  #release(address: string): void {
    this.#cachedBytes -= this.#cached.get(address)?.size ?? 0
    this.#cached.delete(address)
  }
}

/**
 * A response is stored next to the document of the same address, because a document must be valid for its
 * parser.
 */
const callAddress = (address: string): string => `call ${address}`

function headersIn(value: SqlRow[string] | undefined): Headers {
  try {
    return JSON.parse(String(value)) as Headers
  } catch {
    return {}
  }
}

/**
 * Whether an older copy is better than the failure. A caller that demands a fresh one gets the failure if the
 * service returns an invalid response.
 */
function copyHelps(failure: Failure, refresh: boolean): boolean {
  const helps = policyOf(failure).copyHelps
  return helps === 'always' || (helps === 'unless-asked' && !refresh)
}

/** One piece of work that several callers wait for. It is cancelled only when the last caller has left. */
interface Flight<T> {
  readonly result: Promise<T>
  readonly ending: AbortController
  waiting: number
}

/**
 * Joins the work with that name, or starts it. A caller whose signal fires leaves at once with Failed
 * `cancelled`; the others continue to wait.
 */
async function joinFlight<T>(
  flights: Map<string, Flight<T>>,
  name: string,
  signal: AbortSignal | null,
  start: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let flight = flights.get(name)
  if (flight === undefined) {
    const ending = new AbortController()
    const begun: Flight<T> = {
      result: start(ending.signal).finally(() => leave(flights, name, begun)),
      ending,
      waiting: 0,
    }
    flights.set(name, begun)
    flight = begun
  }
  const joined = flight
  joined.waiting++
  const left = Promise.withResolvers<never>()
  const onAbort = (): void => left.reject(new Failed({ kind: 'cancelled' }))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([joined.result, left.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
    joined.waiting--
    if (joined.waiting === 0) {
      leave(flights, name, joined)
      joined.ending.abort()
    }
  }
}

/** Frees the name, unless later work uses it already. */
function leave<T>(flights: Map<string, Flight<T>>, name: string, flight: Flight<T>): void {
  if (flights.get(name) === flight) flights.delete(name)
}
