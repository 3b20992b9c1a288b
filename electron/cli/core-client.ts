import { randomBytes } from 'node:crypto'
import { OwnerLost } from '../adapters/owner/contract-client.ts'
import { folderFailure } from '../adapters/owner/data-folder.ts'
import type { Job } from '../contract/api/jobs.ts'
import type { JournalLine } from '../contract/api/journal.ts'
import { Failed, isKind, type Failure, type Outcome } from '../contract/failure.ts'
import { handlersOver, type AllHandlers, type MethodName } from '../contract/rpc-client.ts'

/** The core as a command uses it, in this process or in that of the data folder's owner. */
export interface CoreClient {
  /** Each method rejects with Failed. */
  readonly handlers: AllHandlers
  /** Returns the function that ends it. */
  readonly onEvent: (listener: (event: string, payload: unknown) => void) => () => void
  readonly owner: () => OwnerFacts
  /** From now on the work of this command is stored in the workbook: under another owner it continues. */
  readonly workStored: (work: StoredWork) => void
}

/** What the process that owns the data folder means for a command. */
export interface OwnerFacts {
  /** How often it changed: stored work is paused by a change. */
  readonly changes: number
  /** It is another process, which does not use the HEADROOM_KEY of this one. */
  readonly keyBeside: boolean
  /** It remains when the command has ended, so its work may continue there. */
  readonly stays: boolean
}

export interface StoredWork {
  /** The rooms, devices or files, for people. */
  readonly of: string
  /** The arguments that resume it. */
  readonly resume: string
}

/** One connection to a core. */
export interface Link {
  readonly isOther: boolean
  readonly stays: boolean
  /** Rejects with OwnerLost when the owner changes before it answers. */
  readonly call: (method: string, argument: unknown) => Promise<Outcome<unknown>>
  readonly close: () => Promise<void>
}

/** The command began nothing under the lost owner and printed nothing: it runs once more. */
export class RunAgain extends Error {
  readonly loss: OwnerLost
  constructor(loss: OwnerLost) {
    super('run again')
    this.loss = loss
  }
}

/** The command cannot go on without its owner. */
export class EndedEarly extends Error {
  readonly code: 3 | 4
  readonly said: readonly (Failure | string)[]
  constructor(code: 3 | 4, said: readonly (Failure | string)[]) {
    super('ended early')
    this.code = code
    this.said = said
  }
}

export interface CommandClientDeps {
  /** Rejects with Failed. */
  readonly open: (onEvent: (event: string, payload: unknown) => void) => Promise<Link>
  readonly hasKey: boolean
  /** Whether the command may run once more after this loss. */
  readonly mayRunAgain: (loss: OwnerLost) => boolean
}

/** Survives a change of the owner: queries are asked again, and what may have been written is looked up. */
export class CommandClient implements CoreClient {
  readonly #deps: CommandClientDeps
  readonly #listeners = new Set<(event: string, payload: unknown) => void>()
  readonly handlers = handlersOver((method, argument) => this.#ask(method as MethodName, argument))
  #link: Promise<Link> | null = null
  #facts: OwnerFacts = { changes: -1, keyBeside: false, stays: false }
  /** What this command may have done, for people: it never begins again. null: nothing. */
  #begun: string | null = null

  constructor(deps: CommandClientDeps) {
    this.#deps = deps
  }

  readonly onEvent: CoreClient['onEvent'] = (listener) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly owner = (): OwnerFacts => this.#facts
  readonly workStored = (work: StoredWork): void => {
    this.#begun = pausedText(work)
  }

  get hasBegun(): boolean {
    return this.#begun !== null
  }

  /** Rejects with Failed or, when the command has begun something, with EndedEarly. */
  linked(): Promise<Link> {
    return (this.#link ??= this.#open())
  }

  async close(): Promise<void> {
    await (await this.#link?.catch(() => null))?.close()
  }

  async #open(): Promise<Link> {
    try {
      const link = await this.#deps.open((event, payload) => {
        for (const listener of this.#listeners) listener(event, payload)
      })
      const { isOther, stays } = link
      this.#facts = { changes: this.#facts.changes + 1, keyBeside: isOther && this.#deps.hasKey, stays }
      return link
    } catch (error) {
      if (this.#begun === null || !(error instanceof Failed)) throw error
      throw new EndedEarly(4, [error.failure, this.#begun])
    }
  }

  async #ask(method: MethodName, given: unknown): Promise<Outcome<unknown>> {
    const argument = withReference(given)
    for (;;) {
      const linked = this.linked()
      try {
        return await (await linked).call(method, argument)
      } catch (error) {
        if (!(error instanceof OwnerLost)) throw error
        if (this.#link === linked) this.#link = null
        const outcome = await this.#afterLoss(error, method, argument)
        if (outcome !== null) return outcome
      }
    }
  }

  /** null: it is to be asked again. */
  async #afterLoss(loss: OwnerLost, method: MethodName, argument: unknown): Promise<Outcome<unknown> | null> {
    const { effectOf } = await import('../contract/rpc-server.ts')
    const effect = effectOf(method)
    const failure = folderFailure(loss.how === 'silent' ? 'silent' : 'lost', loss.holder)
    if (loss.how === 'silent') {
      const begun = effect === 'write' ? unknownText(argument) : this.#begun
      throw begun === null ? new EndedEarly(3, [failure]) : new EndedEarly(4, [failure, begun])
    }
    if (effect === 'local' && loss.how === 'gone')
      throw new EndedEarly(4, [failure, 'The change may have been stored. Look before you try again.'])
    if (this.#begun !== null) return null
    if (effect === 'write') {
      const begun = await this.#lookUp(argument)
      if (begun !== null) return begun
    }
    if (!this.#deps.mayRunAgain(loss)) throw new EndedEarly(3, [failure])
    throw new RunAgain(loss)
  }

  /**
   * What the lost owner began for this call; null: nothing. Until that is known the command never begins again,
   * whoever is lost meanwhile. Rejects with EndedEarly for a write, and if it cannot be found out.
   */
  async #lookUp(argument: unknown): Promise<Outcome<unknown> | null> {
    const { plan, reference } = argument as { readonly plan?: string; readonly reference?: string }
    this.#begun = unknownText(argument)
    const found =
      plan !== undefined
        ? await this.#ask('jobs.get', { id: plan })
        : reference !== undefined
          ? await this.#ask('writes.begun', { reference })
          : null
    if (found?.ok === false && !isKind(found.failure, 'not-found'))
      throw new EndedEarly(4, [found.failure, this.#begun])
    if (found?.ok !== true || found.value === null) {
      this.#begun = null
      return null
    }
    if (plan !== undefined) {
      const { state } = found.value as Job
      // The next owner pauses what it finds.
      const resumes = !this.#facts.keyBeside && (state === 'paused' || state === 'unarmed')
      return resumes ? this.#ask('jobs.resume', { id: plan, unlock: true }) : found
    }
    throw new EndedEarly(4, [outcomeText(found.value as JournalLine)])
  }
}

/** A call that may write gets a reference, with which its outcome is found under another owner. */
const withReference = (argument: unknown): unknown =>
  typeof argument === 'object' && argument !== null && 'reference' in argument && argument.reference === null
    ? { ...argument, reference: `client-${randomBytes(16).toString('hex')}` }
    : argument

const pausedText = ({ of, resume }: StoredWork): string =>
  `What was sent without an answer may have happened (unconfirmed): ${of}. Check headroom journal. The rest is paused. Resume it with headroom ${resume} --unlock`

/** `argument` of the call whose answer is missing. */
function unknownText(argument: unknown): string {
  const { id, plan, parameters } = argument as {
    readonly id?: string
    readonly plan?: string
    readonly parameters?: Readonly<Record<string, string>>
  }
  const named = plan === undefined ? (id ?? Object.values(parameters ?? {}).join(' ')) : `job ${plan}`
  return `The last action${named === '' ? '' : ` (${named})`} may have happened (unconfirmed). Check headroom journal before you try again.`
}

const outcomeText = ({ target, operation, outcome }: JournalLine): string =>
  outcome === null || outcome === 'unconfirmed'
    ? `${target.name ?? target.id}: ${operation} may have happened (unconfirmed). Check it before you try again: it is never repeated automatically.`
    : `${target.name ?? target.id}: ${operation} was ${outcome}. Its answer was lost.`
