import { Buffer } from 'node:buffer'
import { Failed, type CallPlace, type Failure } from '../../contract/failure.ts'
import type { Observed } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import {
  DatabaseError,
  type Clock,
  type Database,
  type Log,
  type Procedure,
  type SqlRow,
} from '../platform.ts'
import {
  documentPatienceInMs,
  type ServiceAnswer,
  type ServiceClient,
} from '../service-client/service-client.ts'
import { runStatements } from '../storage/statements.ts'
import {
  conditions,
  freshForMs,
  headersToKeep,
  notPublishedForMs,
  renews,
  type Headers,
} from './freshness.ts'
import { joinFlight, type Flight } from './flight.ts'

/**
 * Bounds: bytes of text in the store (the oldest are deleted first), and of parsed documents in memory. Raise
 * them if documents are fetched again too early.
 */
const keptAtMost = 256 * 1024 * 1024
const heldAtMost = 40 * 1024 * 1024

export interface DocumentRequest<T> {
  readonly client: ServiceClient
  /** The metadata base address, without a trailing slash. */
  readonly baseUrl: string
  readonly operation: string
  readonly path: string
  /** For people: the requested document, such as `Feature model of 2830/9395`. */
  readonly what: string
  readonly lane: Lane
  /**
   * True: send a request even if the copy is fresh. Without a connection the copy is returned with its age.
   */
  readonly refresh: boolean
  /** True: only the copy may be used; without one Failed `offline`. */
  readonly keptOnly?: boolean
  readonly signal: AbortSignal | null
  /**
   * null, or the reason why this is not the document, regardless of the status; it is not stored, and an
   * older copy is kept. `documentUrl` is where it was read, for relative links. Called once for a document,
   * however often it is requested: each address has one parser.
   */
  readonly read: (json: Json, documentUrl: string) => T | NotTheDocument | null
}

/** Not published: when that was observed, and whether a request was saved. */
export class NotPublished extends Failed implements Observed {
  readonly observedAt: number
  readonly fromCache: boolean
  constructor(request: DocumentRequest<unknown>, { observedAt }: Copy, fromCache: boolean) {
    super({ kind: 'not-found', call: placeOf(request), what: request.what })
    this.observedAt = observedAt
    this.fromCache = fromCache
  }
}

/** Why an answer is not the requested document, as a sentence without an end mark. */
export class NotTheDocument {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** The parsed document, when it was observed, and whether a request was saved. */
export interface Reading<T> extends Observed {
  readonly value: T
}

export interface DocumentCache {
  /**
   * The document: from the copy while it is fresh, else from the service (conditionally), else from the copy
   * with its age. Rejects with Failed: `not-found` if it is not published (cached for an hour),
   * `unreadable-answer` if it is something else, `timed-out` with the requested document when a person has
   * waited for 10 s, otherwise the original failure if there is no usable copy.
   */
  read<T>(request: DocumentRequest<T>): Promise<Reading<T>>
  /**
   * The newest stored text of an address: of a call, or of the document. null: none, or it cannot be read.
   */
  answerCopy(address: string): Promise<AnswerCopy | null>
  /**
   * Stores an answer as received, next to the document, without parsing it. On a full disk only the copy is
   * lost.
   */
  keepAnswer(address: string, copy: AnswerCopy): Promise<void>
  /**
   * Keeps every document that is read while the work runs, regardless of the size limit. Returns their
   * number, including unpublished ones.
   */
  keepingAll(work: () => Promise<void>): Promise<number>
  /** The stored size, over all organizations. */
  size(): Promise<{ readonly documents: number; readonly bytes: number }>
  clear(): Promise<void>
}

/** An answer as received, for callers of an operation by its name. */
export interface AnswerCopy {
  readonly text: string
  /** Lower-case names. */
  readonly headers: Headers
  /** Epoch milliseconds; a 304 renews it. */
  readonly observedAt: number
}

/** A document as last observed and parsed; `value` is undefined if the service said "not published". */
interface Copy {
  readonly value: unknown
  readonly headers: Headers
  readonly observedAt: number
  readonly size: number
  /** Where it was read after a redirect; null: at its own address. */
  readonly redirectedTo: string | null
}

export function openDocumentCache(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): DocumentCache {
  return new StoredDocuments(parts.database, parts.clock, parts.log)
}

/** A document in the form of its table row. */
interface DocumentRow {
  readonly address: string
  readonly status: number
  readonly body: string
  readonly headers: string
  readonly requestedAt: number
  readonly observedAt: number
  readonly size: number
  readonly redirectedTo: string | null
}

/**
 * Writes a document and deletes the oldest ones if the total is too large. `keptBytes`: size of all documents
 * before. Returns the added bytes; `total`: the new total if some were deleted; else null.
 */
export const insertDocument: Procedure<
  DocumentRow & { readonly keptBytes: number },
  { readonly grownBy: number; readonly total: number | null }
> = {
  name: 'metadata.insert-document',
  run(transaction, document) {
    const { address, status, body, headers, requestedAt, observedAt, size, redirectedTo } = document
    const before = Number(
      transaction.first('SELECT size FROM metadata_document WHERE address = ?', [address])?.['size'] ?? 0,
    )
    transaction.run(
      `INSERT INTO metadata_document (address, status, body, headers, requested_at, observed_at, size, redirected_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (address) DO UPDATE SET status = excluded.status, body = excluded.body, headers = excluded.headers,
           requested_at = excluded.requested_at, observed_at = excluded.observed_at, size = excluded.size,
           redirected_to = excluded.redirected_to`,
      [address, status, body, headers, requestedAt, observedAt, size, redirectedTo],
    )
    const grownBy = size - before
    if (document.keptBytes + grownBy <= keptAtMost) return { grownBy, total: null }
    transaction.run(
      `DELETE FROM metadata_document WHERE address IN (SELECT address FROM
           (SELECT address, prepared, SUM(size) OVER (ORDER BY prepared DESC, observed_at DESC, address) AS total
              FROM metadata_document) WHERE total > ? AND prepared = 0)`,
      [keptAtMost],
    )
    const kept = transaction.first('SELECT COALESCE(SUM(size), 0) AS bytes FROM metadata_document')
    return { grownBy, total: Number(kept?.['bytes'] ?? 0) }
  },
}

class StoredDocuments implements DocumentCache {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #held = new Map<string, Copy>()
  #heldBytes = 0
  /**
   * Bytes in the store, counted once and then maintained: reading `size` of every row would read every body.
   */
  #keptBytes: number | null = null
  readonly #keeping = new Set<Set<string>>()
  readonly #flights = new Map<string, Flight<Copy>>()

  constructor(database: Database, clock: Clock, log: Log) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  async read<T>(request: DocumentRequest<T>): Promise<Reading<T>> {
    const address = addressOf(request)
    for (const read of this.#keeping) read.add(address)
    const before = this.#held.get(address) ?? (await this.#load(address, request))
    // Another caller may have renewed it while the store was read.
    const copy = this.#held.get(address) ?? before
    if (request.signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    if (copy !== undefined && (request.keptOnly === true || (!request.refresh && this.#fresh(copy))))
      return answerOf(request, copy, true)
    if (request.keptOnly === true)
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

  async answerCopy(address: string): Promise<AnswerCopy | null> {
    return this.#despiteStore(null, async () => {
      const [row] = await this.#database.read(
        'SELECT body, headers, observed_at FROM metadata_document WHERE address IN (?, ?) AND status = 200 ORDER BY observed_at DESC LIMIT 1',
        [address, callAddress(address)],
      )
      return row === undefined
        ? null
        : {
            text: String(row['body']),
            headers: headersIn(row['headers']),
            observedAt: Number(row['observed_at']),
          }
    })
  }

  async keepAnswer(address: string, { text, headers, observedAt }: AnswerCopy): Promise<void> {
    const copy = {
      value: text,
      headers: headersToKeep(headers),
      observedAt,
      size: Buffer.byteLength(text),
      redirectedTo: null,
    }
    await this.#despiteStore(undefined, () => this.#insert(callAddress(address), copy, text, observedAt))
  }

  async keepingAll(work: () => Promise<void>): Promise<number> {
    const read = new Set<string>()
    this.#keeping.add(read)
    try {
      await work()
      return read.size
    } finally {
      this.#keeping.delete(read)
      const sql =
        'UPDATE metadata_document SET prepared = 1 WHERE address IN (SELECT value FROM json_each(?))'
      const parameters = [JSON.stringify([...read])]
      await this.#despiteStore(undefined, async () => {
        await this.#database.perform(runStatements, [{ sql, parameters }])
      })
    }
  }

  async size(): Promise<{ documents: number; bytes: number }> {
    const [row] = await this.#database.read(
      'SELECT COUNT(*) AS documents, COALESCE(SUM(size), 0) AS bytes FROM metadata_document',
    )
    return { documents: Number(row?.['documents'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
  }

  async clear(): Promise<void> {
    await this.#database.perform(runStatements, [{ sql: 'DELETE FROM metadata_document', parameters: [] }])
    this.#held.clear()
    this.#heldBytes = 0
    this.#keptBytes = 0
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
      if (!isOver || !(error instanceof Failed) || error.failure.kind !== 'cancelled') throw error
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
    const asked = copy?.value === undefined ? {} : conditions(copy.headers, copy.observedAt)
    try {
      const answer = await this.#send(request, asked, signal)
      if (answer.status === 204 || (answer.status !== 304 && answer.json === null))
        return await this.#keep(address, notPublishedAt(answer.receivedAt), '', requestedAt)
      if (answer.status !== 304)
        return await this.#keep(address, documentOf(request, answer), textOf(answer), requestedAt)
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
      return await this.#keep(address, documentOf(request, whole), textOf(whole), requestedAt)
    } catch (error) {
      if (!(error instanceof Failed) || !saysNotPublished(error.failure)) throw error
      return this.#keep(address, notPublishedAt(this.#clock.now()), '', requestedAt)
    }
  }

  #send(
    request: DocumentRequest<unknown>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ServiceAnswer> {
    const { client, operation, path, lane } = request
    return client.send({ operation, method: 'GET', path, body: null, lane, writes: false, signal, headers })
  }

  async #load(address: string, request: DocumentRequest<unknown>): Promise<Copy | undefined> {
    return this.#despiteStore(undefined, async () => {
      const [row] = await this.#database.read(
        'SELECT status, body, headers, observed_at, size, redirected_to FROM metadata_document WHERE address = ?',
        [address],
      )
      if (row === undefined) return undefined
      const observedAt = Number(row['observed_at'])
      const copy = row['status'] === 200 ? keptDocument(row, observedAt, request) : notPublishedAt(observedAt)
      if (copy !== undefined) this.#hold(address, copy)
      return copy
    })
  }

  async #keep(address: string, copy: Copy, body: string, requestedAt: number): Promise<Copy> {
    this.#hold(address, copy)
    await this.#despiteStore(undefined, () => this.#insert(address, copy, body, requestedAt))
    return copy
  }

  async #insert(address: string, copy: Copy, body: string, requestedAt: number): Promise<void> {
    this.#keptBytes ??= (await this.size()).bytes
    const { grownBy, total } = await this.#database.perform(insertDocument, {
      address,
      status: copy.value === undefined ? 404 : 200,
      body,
      headers: JSON.stringify(copy.headers),
      requestedAt,
      observedAt: copy.observedAt,
      size: copy.size,
      redirectedTo: copy.redirectedTo,
      keptBytes: this.#keptBytes,
    })
    this.#keptBytes = total ?? this.#keptBytes + grownBy
  }

  async #renew(address: string, copy: Copy, requestedAt: number): Promise<Copy> {
    this.#hold(address, copy)
    await this.#despiteStore(undefined, async () => {
      const sql =
        'UPDATE metadata_document SET headers = ?, requested_at = ?, observed_at = ? WHERE address = ?'
      const parameters = [JSON.stringify(copy.headers), requestedAt, copy.observedAt, address]
      await this.#database.perform(runStatements, [{ sql, parameters }])
    })
    return copy
  }

  #hold(address: string, copy: Copy): void {
    this.#release(address)
    if (copy.size > heldAtMost) return
    this.#held.set(address, copy)
    this.#heldBytes += copy.size
    for (const oldest of this.#held.keys()) {
      if (this.#heldBytes <= heldAtMost) return
      this.#release(oldest)
    }
  }

  #release(address: string): void {
    this.#heldBytes -= this.#held.get(address)?.size ?? 0
    this.#held.delete(address)
  }

  /**
   * If the store is full or damaged, the copy is lost but the answer is returned: storage reports the problem
   * itself.
   */
  async #despiteStore<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      this.#log.write('warn', 'A metadata document could not be saved in or read from the store', {
        reason: error.reason,
        file: error.file,
      })
      return otherwise
    }
  }
}

/** Next to the document of the same address, which must be valid for its parser. */
const callAddress = (address: string): string => `call ${address}`

function headersIn(value: SqlRow[string] | undefined): Headers {
  try {
    return JSON.parse(String(value)) as Headers
  } catch {
    return {}
  }
}

/** 403, 404, 410, 204, and a mere `null`: there is no such document. */
const notPublishedAt = (observedAt: number): Copy => ({
  value: undefined,
  headers: {},
  observedAt,
  size: 0,
  redirectedTo: null,
})

/** The stored text is JSON, even if the answer is a plain address. */
const textOf = ({ json, text }: ServiceAnswer): string =>
  typeof json === 'string' ? JSON.stringify(json) : text.replace(/^\uFEFF/, '')

function documentOf(request: DocumentRequest<unknown>, answer: ServiceAnswer): Copy {
  const redirectedTo = answer.redirectedTo ?? null
  const value = request.read(answer.json, redirectedTo ?? addressOf(request))
  const isIt = value !== null && !(value instanceof NotTheDocument)
  if (isIt)
    return {
      value,
      headers: headersToKeep(answer.headers),
      observedAt: answer.receivedAt,
      size: Buffer.byteLength(answer.text),
      redirectedTo,
    }
  const message =
    value instanceof NotTheDocument ? value.reason : `This is not a valid answer to ${request.operation}`
  throw new Failed({ kind: 'unreadable-answer', call: placeOf(request), where: 'the document', message })
}

/** undefined: an incomplete document, or one that this version cannot parse: treated as not stored. */
function keptDocument(row: SqlRow, observedAt: number, request: DocumentRequest<unknown>): Copy | undefined {
  try {
    const redirectedTo = typeof row['redirected_to'] === 'string' ? row['redirected_to'] : null
    const value = request.read(JSON.parse(String(row['body'])) as Json, redirectedTo ?? addressOf(request))
    return value === null || value instanceof NotTheDocument
      ? undefined
      : {
          value,
          headers: JSON.parse(String(row['headers'])) as Headers,
          observedAt,
          size: Number(row['size']),
          redirectedTo,
        }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function answerOf<T>(request: DocumentRequest<T>, copy: Copy, fromCache: boolean): Reading<T> {
  if (copy.value === undefined) throw new NotPublished(request, copy, fromCache)
  // Each address has one parser, so the cached value comes from this request's parser.
  return { value: copy.value as T, observedAt: copy.observedAt, fromCache }
}

const addressOf = ({ baseUrl, path }: DocumentRequest<unknown>): string => baseUrl + path

const placeOf = ({ operation, baseUrl }: DocumentRequest<unknown>): CallPlace => ({
  operation,
  host: hostOf(baseUrl),
})

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)

/** 403 and 404 mean "not published" (contract/failure.ts); 410 says so in words. */
const saysNotPublished = (failure: Failure): boolean =>
  failure.kind === 'not-found' || (failure.kind === 'refused' && [403, 404, 410].includes(failure.status))

/**
 * Whether an older copy is better than the failure. A caller that demands a fresh one gets the failure if the
 * service returns an invalid answer.
 */
function copyHelps(failure: Failure, refresh: boolean): boolean {
  switch (failure.kind) {
    case 'offline':
    case 'timed-out':
    case 'service-unavailable':
    case 'rate-limited':
    case 'too-busy':
      return true
    case 'unreadable-answer':
    case 'refused':
      return !refresh
    default:
      return false
  }
}
