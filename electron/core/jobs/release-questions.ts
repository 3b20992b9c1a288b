import { failedWith, type FailureOf } from '../../contract/failure.ts'
import type { UpdateRule } from '../firmware/firmware.ts'
import type { Clock } from '../platform.ts'

/** An older answer does not count before a write. Lower it if releases are revoked during a job. */
const answerCountsForMs = 15 * 60_000
/** Interval of questions after a list could not be read. */
const askedAgainInMs = 60_000
/** So long a list is asked for; then the job pauses, so that nothing is sent hours later. */
const askedAtMostForMs = 30 * 60_000

export type RuleNow =
  | { readonly kind: 'rule'; readonly rule: UpdateRule }
  /** `again`: wall time of the next question; null: it was asked for long enough. */
  | {
      readonly kind: 'unread'
      readonly again: number | null
      readonly failure: FailureOf<'releases-unread'>
    }

interface Question {
  readonly wall: number
  readonly monotonic: number
  readonly answer: Promise<UpdateRule | FailureOf<'releases-unread'>>
  /** Monotonic time of the first of the consecutive failures; null: answered, or not yet. */
  failingSince: number | null
}

/**
 * Asks the service for the releases of a product before its devices are updated: one question for all items
 * that need one at the same time.
 */
export class ReleaseQuestions {
  readonly #clock: Clock
  readonly #ask: (productId: number, signal: AbortSignal) => Promise<UpdateRule>
  readonly #questions = new Map<number, Question>()

  /** `ask`: rejects with Failed, `releases-unread` if the service gave no answer. */
  constructor(clock: Clock, ask: (productId: number, signal: AbortSignal) => Promise<UpdateRule>) {
    this.#clock = clock
    this.#ask = ask
  }

  /** `since`: monotonic; an answer from before it does not count. Rejects with Failed. */
  async rule(productId: number, since: number, signal: AbortSignal): Promise<RuleNow> {
    const question = this.#question(productId, since, signal)
    const answer = await question.answer
    if (!('kind' in answer)) return { kind: 'rule', rule: answer }
    const failingFor = question.monotonic - Math.max(question.failingSince ?? 0, since)
    const again = question.wall + askedAgainInMs
    return { kind: 'unread', again: failingFor >= askedAtMostForMs ? null : again, failure: answer }
  }

  #question(productId: number, since: number, signal: AbortSignal): Question {
    const last = this.#questions.get(productId)
    const [wall, monotonic] = [this.#clock.now(), this.#clock.monotonic()]
    if (last !== undefined && last.monotonic >= since) {
      // The monotonic clock may stand still while the computer sleeps.
      const age = Math.max(monotonic - last.monotonic, wall - last.wall)
      if (age < (last.failingSince === null ? answerCountsForMs : askedAgainInMs)) return last
    }
    const question: Question = {
      wall,
      monotonic,
      answer: this.#ask(productId, signal).catch((error: unknown) => {
        if (failedWith(error, 'releases-unread')) {
          question.failingSince = last?.failingSince ?? monotonic
          return error.failure
        }
        // Cancelled, or the file is unusable: the next item asks.
        if (this.#questions.get(productId) === question) this.#questions.delete(productId)
        throw error
      }),
      failingSince: null,
    }
    this.#questions.set(productId, question)
    return question
  }
}
