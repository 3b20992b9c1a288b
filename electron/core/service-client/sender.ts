import { Failed, failedWith, type CallPlace, type Failure } from '../../contract/failure.ts'
import { longestPauseInMs, type Place } from '../call-budget/call-budget.ts'
import type { Clock, Transport, WireResponse, WireFault, WireRequest } from '../platform.ts'
import { errorMessage, parseJson, parseWriteResponse, Unreadable } from './response-text.ts'
import {
  afterFault,
  afterStatus,
  backoffInMs,
  mayTryAgain,
  reached,
  retryMoment,
  type Verdict,
} from './attempts.ts'
import type { KeyScrubber, ServiceResponse, ServiceClient, ServiceRequest } from './service-request.ts'
import { Listeners } from '../listeners.ts'

/** Permission for one attempt, given when it may start. */
export interface Permit {
  /** Called when the attempt has ended, with any result. */
  readonly place: Place
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The differences between the two services: when a call may start, with which headers, and what happens after
 * a refusal.
 */
export interface ServicePolicy<A extends Permit> {
  /** Waits until the attempt may start; `url` is its address. Rejects with Failed. */
  admit(request: ServiceRequest, url: string): Promise<A>
  /**
   * For a 401: returns if another key may be tried; rejects with Failed if none is left. null: this service
   * has no keys.
   */
  refused: ((permit: A, message: string | null) => Promise<void>) | null
  accepted(permit: A): void
  /** Nothing may be sent before `untilAt`; `slower`: the service refused although the limits were kept. */
  hold(untilAt: number, slower: boolean, writes: boolean): void
  /** Statuses that mean "not published" here. */
  readonly notPublished: readonly number[]
  readonly timeoutInMs: { readonly read: number; readonly write: number }
  /**
   * Public documents, requested without a key: a redirect on the same host is followed, 204 is a valid
   * response, and there is no third attempt while a person waits.
   */
  readonly publicDocuments: boolean
}

export interface SenderOptions<A extends Permit> {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: () => number
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The connection pool of its requests. */
  readonly pool: string
  readonly policy: ServicePolicy<A>
  /** No response leaves this module with a key in it, except through `observe`. */
  readonly scrubber: KeyScrubber
}

/** Longest body that is read, bytes (services.md#A25). */
const bodyAtMost = 32 * 1024 * 1024
/**
 * A key that was swapped once may be swapped back once; further swaps mean that the service's responses are
 * inconsistent.
 */
const refusalsAtMost = 2
/** Maximum redirects; more indicate a loop. Raise it if a real document needs more. */
const redirectsAtMost = 5

/**
 * The loop of every request of both services: wait for permission, attempt, parse the response, retry or not.
 */
export class Sender<A extends Permit> implements ServiceClient {
  readonly #options: SenderOptions<A>
  readonly #baseUrl: string
  readonly #host: string
  readonly #listeners = new Listeners<[reached: boolean, at: number]>()

  #retrying = 0

  constructor(options: SenderOptions<A>) {
    this.#options = options
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.#host = new URL(options.baseUrl).host
  }

  readonly onReach = this.#listeners.add

  retrying(): number {
    return this.#retrying
  }

  async send(request: ServiceRequest): Promise<ServiceResponse> {
    const { policy, random, clock, scrubber } = this.#options
    const call: CallPlace = { operation: request.operation, host: this.#host }
    let refusals = 0
    let redirects = 0
    let url = this.#baseUrl + request.path
    for (let attempt = 1; ; attempt++) {
      if (request.signal?.aborted) throw new Failed({ kind: 'cancelled' })
      const permit = await policy.admit(request, url).catch((error: unknown) => {
        throw ofCall(error, call)
      })
      const wire = this.#wire(request, url, permit)
      const startedAt = clock.monotonic()
      const outcome = await this.#attempt(wire, permit.place, request.beforeDispatch)
      if (outcome.kind === 'answer') request.observe?.(outcome, clock.monotonic() - startedAt)
      if (outcome.kind === 'answer' && outcome.status === 401 && policy.refused) {
        const message = errorMessage(outcome, scrubber)
        await policy.refused(permit, message)
        if (++refusals >= refusalsAtMost) throw new Failed({ kind: 'refused', call, status: 401, message })
        continue
      }
      const redirected =
        outcome.kind === 'fault' && outcome.reason === 'redirect'
          ? this.#mayFollow(outcome.location, request)
          : null
      if (redirected !== null && redirects < redirectsAtMost) {
        redirects++
        url = redirected
        continue
      }
      let verdict: Verdict
      let connectionFailed = false
      if (outcome.kind === 'fault') {
        verdict = afterFault({ ...outcome, message: scrubber.text(outcome.message) }, request, wire, call)
        connectionFailed = true
      } else if (outcome.status >= 200 && outcome.status < 300) {
        policy.accepted(permit)
        return {
          ...this.#parse(outcome, request, call, attempt),
          ...(redirects > 0 ? { redirectedTo: url } : {}),
        }
      } else if (outcome.status === 304 && isConditional(request)) {
        return {
          status: 304,
          headers: outcome.headers,
          json: null,
          text: '',
          receivedAt: clock.now(),
          attempts: attempt,
          ...(redirects > 0 ? { redirectedTo: url } : {}),
        }
      } else {
        verdict = this.#afterRefusal(outcome, request, call)
      }
      if (verdict.kind === 'fail') throw new Failed(verdict.failure)
      if (!mayTryAgain(request, attempt - redirects, connectionFailed, policy.publicDocuments))
        throw new Failed(verdict.otherwise)
      this.#retrying++
      try {
        await this.#wait(backoffInMs(attempt, random), request.signal)
      } finally {
        this.#retrying--
      }
    }
  }

  /**
   * Handles any status without data. 429, and 5xx with a time, stop all calls before another one can start.
   */
  #afterRefusal(answer: WireResponse, request: ServiceRequest, call: CallPlace): Verdict {
    const { policy, clock, scrubber } = this.#options
    const now = clock.now()
    const retryAfter = answer.headers['retry-after'] ?? null
    const tooMany = answer.status === 429
    if (tooMany || (answer.status >= 500 && retryAfter !== null)) {
      const untilAt = retryMoment(retryAfter, answer.headers['date'] ?? null, now)
      policy.hold(untilAt, tooMany, request.writes)
      const isHold = untilAt - now > longestPauseInMs
      const failure: Failure = { kind: 'rate-limited', call, untilAt, ...(isHold ? { held: true } : {}) }
      // For a write, 429 means "not done": the technician decides whether to retry.
      if (tooMany)
        return request.writes || isHold ? { kind: 'fail', failure } : { kind: 'again', otherwise: failure }
      if (!request.writes && isHold) return { kind: 'fail', failure }
    }
    return afterStatus(answer, request, call, errorMessage(answer, scrubber), policy.notPublished)
  }

  /** The target of a redirect, if allowed: the same host, and not from https to http. null: not allowed. */
  #mayFollow(location: string | undefined, request: ServiceRequest): string | null {
    if (
      !this.#options.policy.publicDocuments ||
      request.writes ||
      location === undefined ||
      !URL.canParse(location)
    )
      return null
    const { host, protocol, username, href } = new URL(location)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && this.#baseUrl.startsWith('http:'))
    return host === this.#host && isSafe && username === '' ? href : null
  }

  #wire(request: ServiceRequest, url: string, permit: A): WireRequest {
    const { read, write } = this.#options.policy.timeoutInMs
    return {
      method: request.method,
      url,
      headers: {
        ...request.headers,
        ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
        ...permit.headers,
      },
      body: request.body === null ? null : JSON.stringify(request.body),
      timeoutInMs: request.writes ? write : read,
      maxBytes: bodyAtMost,
      freshConnection: request.writes,
      signal: request.signal,
      pool: this.#options.pool,
    }
  }

  async #attempt(
    wire: WireRequest,
    place: Place,
    beforeDispatch: ServiceRequest['beforeDispatch'],
  ): Promise<WireResponse | WireFault> {
    try {
      if (beforeDispatch) {
        await beforeDispatch()
        place.dispatched()
      }
      const outcome = await this.#options.transport.attempt(wire)
      const wasReached = reached(outcome)
      if (wasReached !== null) this.#listeners.notify(wasReached, this.#options.clock.now())
      return outcome
    } finally {
      place.ended()
    }
  }

  #parse(answer: WireResponse, request: ServiceRequest, call: CallPlace, attempts: number): ServiceResponse {
    const { clock, scrubber, policy } = this.#options
    const { status, headers, body } = answer
    const common = { status, headers, receivedAt: clock.now(), attempts }
    if (status === 204 && policy.publicDocuments) return { ...common, json: null, text: body }
    try {
      const parsed = request.writes ? parseWriteResponse(answer) : parseJson(answer, policy.publicDocuments)
      const json = scrubber.json(parsed, body)
      return { ...common, json, text: json === parsed ? body : JSON.stringify(json) }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const message = scrubber.text(error.message)
      if (request.writes)
        throw new Failed({
          kind: 'unconfirmed',
          call,
          message: `the service answered ${status} with ${message}`,
          status,
        })
      throw new Failed({ kind: 'unreadable-answer', call, where: error.where, message })
    }
  }

  #wait(inMs: number, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancel()
        reject(new Failed({ kind: 'cancelled' }))
      }
      const cancel = this.#options.clock.after(inMs, () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}

/** The budget knows the operation of the call, but not its host. */
const ofCall = (error: unknown, call: CallPlace): unknown =>
  failedWith(error, 'rate-limited') ? new Failed({ ...error.failure, call }) : error

function isConditional(request: ServiceRequest): boolean {
  return Object.keys(request.headers ?? {}).some((name) => /^if-(?:none-match|modified-since)$/i.test(name))
}
