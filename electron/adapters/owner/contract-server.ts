import { Failed, failed, type Outcome } from '../../contract/failure.ts'
import type { Progress } from '../../contract/progress.ts'
import type { MethodName } from '../../contract/rpc-client.ts'
import { effectOf } from '../../contract/rpc-server.ts'
import type { Connection as CoreConnection, Core } from '../../core/app.ts'
import { together } from '../../core/event-bus.ts'
import { argumentAtMost, callsAtMost, messageAtMost, resultAtMost, undrainedAtMost } from './limits.ts'
import type { Connection } from './owner-server.ts'
import { pieces, type Message } from './wire.ts'

export interface ContractServerOptions {
  /** Rejects if the core cannot be opened: every call then ends with that failure. */
  readonly core: Promise<Pick<Core, 'connect'>>
  /** Whether this process remains when the command of a client has ended. */
  readonly stays: boolean
  /** Called when a window requests the data folder; null: this process keeps it. */
  readonly wanted: (() => void) | null
  /** How far rebuilding of tables is before the core is open. Returns the function that ends it. */
  readonly onRebuilding: (listener: (progress: Progress) => void) => () => void
  /** The core closes: only what `standsAfterClosing` is still answered, because the next owner may be asked. */
  readonly isClosing: () => boolean
}

/**
 * What a call changed while the core closes has happened. What it failed to do, or what it read (a sync that was
 * cut short ends with what it has), may be better under the next owner.
 */
export const standsAfterClosing = (method: unknown, { ok }: Outcome<unknown>): boolean =>
  ok && effectOf(method as MethodName) !== 'none'

/** Serves the contract to one client: calls, results, events. */
export function serveContract(
  connection: Connection,
  { core, stays, wanted, onRebuilding, isClosing }: ContractServerOptions,
): void {
  let client: Promise<CoreConnection> | null = null
  /** Of the call whose argument has not arrived completely. */
  let arrived: { readonly id: number; readonly text: string } | null = null
  const results = new Sender(connection, isClosing)
  const events = new MergedEvents(connection)

  const connect = async (organization: string | null, name: string): Promise<CoreConnection> => {
    const endRebuilding = onRebuilding((progress) => events.say('app.rebuilding', progress))
    const opened = await core.finally(endRebuilding)
    const own = opened.connect({ organization, name })
    const endEvents = own.onEvent((event, payload) => events.say(event, payload))
    const leave = (): void => {
      endEvents()
      void own.close()
    }
    if (connection.gone.aborted) leave()
    else connection.gone.addEventListener('abort', leave, { once: true })
    return own
  }

  const call = async (
    to: Promise<CoreConnection>,
    method: unknown,
    given: string,
  ): Promise<Outcome<unknown>> => {
    try {
      const { server } = await to
      return await server(method, given === '' ? undefined : JSON.parse(given))
    } catch (error) {
      if (error instanceof SyntaxError) return failed(unreadable)
      return failed(error instanceof Failed ? error.failure : { kind: 'bug', reference: String(error) })
    }
  }

  connection.onMessage((message) => {
    const { kind, id, method, text, more } = message
    if (kind === 'hand-over' && client === null) {
      if (wanted === null) connection.say({ kind: 'kept' })
      else wanted()
      return
    }
    if (kind === 'connect' && client === null) {
      client = connect(textOf(message, 'organization'), textOf(message, 'name') ?? '')
      // Every call gets the reason.
      client.catch(() => undefined)
      connection.say({ kind: 'connected', stays })
      return
    }
    if (kind !== 'call' || client === null || typeof id !== 'number' || typeof text !== 'string')
      return connection.destroy()
    if (arrived !== null && arrived.id !== id) return connection.destroy()
    const given = (arrived?.text ?? '') + text
    if (given.length > argumentAtMost || results.pending >= callsAtMost) return connection.destroy()
    arrived = more === true ? { id, text: given } : null
    if (arrived !== null) return
    void results.send(id, method, call(client, method, given))
  })
}

const textOf = (message: Message, member: string): string | null => {
  const value = message[member]
  return typeof value === 'string' ? value.slice(0, 200) : null
}

/** Sends results in pieces, each when the last was taken. */
class Sender {
  readonly #connection: Connection
  readonly #isClosing: () => boolean
  #waiting = 0
  /** Calls without a complete result. */
  pending = 0

  constructor(connection: Connection, isClosing: () => boolean) {
    this.#connection = connection
    this.#isClosing = isClosing
  }

  async send(id: number, method: unknown, result: Promise<Outcome<unknown>>): Promise<void> {
    this.pending += 1
    const outcome = await result
    if (this.#isClosing() && !standsAfterClosing(method, outcome)) return
    const message = JSON.stringify({ kind: 'result', id, outcome })
    // Most results fit into one message; a longer one is a text in pieces, which is encoded twice.
    if (message.length <= messageAtMost) {
      this.#waiting += message.length
      if (!this.#connection.sayText(message)) await this.#drained()
      this.#waiting -= message.length
      this.pending -= 1
      return
    }
    const whole = JSON.stringify(outcome)
    const text = whole.length > resultAtMost ? JSON.stringify(failed(tooLong)) : whole
    this.#waiting += text.length
    for (const { piece, more } of pieces(text)) {
      if (this.#connection.gone.aborted) return
      const isTaken = this.#connection.say({ kind: 'result', id, text: piece, more })
      if (!isTaken) await this.#drained()
      this.#waiting -= piece.length
    }
    this.pending -= 1
  }

  /** A client that takes nothing for a minute while much waits is dropped. */
  async #drained(): Promise<void> {
    const timer = setInterval(() => {
      if (this.#waiting > undrainedAtMost.characters) this.#connection.destroy()
    }, undrainedAtMost.inMs)
    await this.#connection.drained()
    clearInterval(timer)
  }
}

const unreadable = Failed.invalid('argument', 'This cannot be read.').failure
const tooLong = Failed.invalid('result', 'The result is longer than 64 MiB.').failure

/** While a client does not read, only the last event of each name waits. */
class MergedEvents {
  readonly #connection: Connection
  readonly #waiting = new Map<string, unknown>()
  #isFull = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  say(event: string, payload: unknown): void {
    if (this.#isFull) return void this.#waiting.set(event, together(this.#waiting.get(event), payload))
    if (this.#connection.say({ kind: 'event', event, payload })) return
    this.#isFull = true
    void this.#connection.drained().then(() => {
      this.#isFull = false
      const waited = [...this.#waiting]
      this.#waiting.clear()
      for (const [name, last] of waited) this.say(name, last)
    })
  }
}
