import { failed, type Outcome } from '../../contract/failure.ts'
import { argumentAtMost, resultAtMost } from './limits.ts'
import type { Owner } from './owner-client.ts'
import { pieces, type Message } from './wire.ts'

/** How the owner was lost: its connection ended, it went silent, or this process handed the folder over. */
export type Loss = 'gone' | 'silent' | 'handed-over'

/** The owner was lost before it answered. */
export class OwnerLost extends Error {
  readonly how: Loss
  /** For people. */
  readonly holder: string
  constructor(how: Loss, holder: string) {
    super(how)
    this.how = how
    this.holder = holder
  }
}

/** The contract of the owner. */
export interface ContractClient {
  /** Whether its process remains when the command of this client has ended. */
  readonly stays: boolean
  /** Rejects with OwnerLost. */
  readonly call: (method: string, argument: unknown) => Promise<Outcome<unknown>>
  readonly close: () => void
}

/**
 * `name`: for the journal. Rejects with OwnerLost. `onEvent` gets every event.
 */
export async function openContractClient(
  owner: Owner,
  given: { readonly organization: string | null; readonly name: string },
  onEvent: (event: string, payload: unknown) => void,
): Promise<ContractClient> {
  const waiting = new Map<
    number,
    { resolve: (text: Outcome<unknown>) => void; reject: (error: Error) => void }
  >()
  const arrived = new Map<number, string>()
  const connected = Promise.withResolvers<Message>()
  let lost: OwnerLost | null = null
  let calls = 0

  const result = ({ id, outcome, text, more }: Message): void => {
    const call = waiting.get(Number(id))
    if (call === undefined) return
    if (outcome !== undefined) {
      waiting.delete(Number(id))
      return call.resolve(outcome as Outcome<unknown>)
    }
    if (typeof text !== 'string') return
    const whole = (arrived.get(Number(id)) ?? '') + text
    if (whole.length > resultAtMost) return owner.destroy()
    if (more === true) return void arrived.set(Number(id), whole)
    arrived.delete(Number(id))
    waiting.delete(Number(id))
    call.resolve(JSON.parse(whole) as Outcome<unknown>)
  }
  owner.onMessage((message) => {
    if (message['kind'] === 'connected') connected.resolve(message)
    if (message['kind'] === 'result') result(message)
    if (message['kind'] === 'event' && typeof message['event'] === 'string')
      onEvent(message['event'], message['payload'])
  })
  owner.onLost((how) => {
    lost = new OwnerLost(how, owner.name)
    connected.reject(lost)
    for (const { reject } of waiting.values()) reject(lost)
    waiting.clear()
  })
  owner.say({ kind: 'connect', ...given })
  const { stays } = await connected.promise
  return {
    stays: stays === true,
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        if (lost !== null) return reject(lost)
        const text = argument === undefined ? '' : JSON.stringify(argument)
        if (text.length > argumentAtMost)
          return resolve(
            failed({ kind: 'invalid', field: 'argument', message: 'This is longer than 16 MiB.' }),
          )
        calls += 1
        waiting.set(calls, { resolve, reject })
        for (const { piece, more } of pieces(text))
          owner.say({ kind: 'call', id: calls, method, text: piece, more })
      }),
    close: () => owner.end(),
  }
}
