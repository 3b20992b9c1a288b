import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import type { OwnerWaits } from './limits.ts'
import type { OwnerPlace } from './place.ts'
import {
  contractVersion,
  isNonce,
  newNonce,
  openWire,
  proofOf,
  proves,
  type Message,
  type Wire,
} from './wire.ts'

/**
 * Why there is no owner to talk to. `none`: no process listens there, or not yet; `silent`: the owner is
 * stopped or hangs; `refused`: the process that listens is not the owner of this folder, or accepts no more
 * clients; `other-version`: it uses another protocol version.
 */
export class NoOwner extends Error {
  readonly reason: 'none' | 'silent' | 'refused' | 'other-version'
  /** Set for `other-version`. */
  readonly theirs: number | null
  constructor(reason: NoOwner['reason'], theirs: number | null = null) {
    super(reason)
    this.reason = reason
    this.theirs = theirs
  }
}

/** The owner of a data folder, after it has authenticated itself. */
export interface Owner extends Wire {
  readonly name: string
  /** Every message except keep-alives. */
  readonly onMessage: (heard: (message: Message) => void) => void
  /** Called once: `gone` when the connection has ended, `silent` when no keep-alive arrives. */
  readonly onLost: (lost: (how: 'gone' | 'silent') => void) => void
}

/** Rejects with NoOwner. */
export function connectToOwner(place: OwnerPlace, waits: OwnerWaits): Promise<Owner> {
  return new Promise((resolve, reject) => {
    const path = published(place, 'socket')
    if (path === null) return reject(new NoOwner('none'))
    const socket = createConnection({ path })
    const mine = newNonce()
    let lost: ((how: 'gone' | 'silent') => void) | null = null
    let over: 'gone' | 'silent' | null = null
    const end = (how: 'gone' | 'silent', reason: NoOwner): void => {
      if (over !== null) return
      over = how
      clearTimeout(silence)
      socket.destroy()
      reject(reason)
      lost?.(how)
    }
    let silence = setTimeout(() => end('silent', new NoOwner('silent')), waits.connectInMs)
    const listen = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => end('silent', new NoOwner('silent')), waits.silentInMs)
    }
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end('gone', new NoOwner(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'none' : 'refused')),
    )
    socket.on('close', () => end('gone', new NoOwner('refused')))
    let name = ''
    let heard = (message: Message): void => {
      const { nonce, contract, proof, name: theirName } = message
      if (typeof contract === 'number' && contract !== contractVersion)
        return end('gone', new NoOwner('other-version', contract))
      if (!isNonce(nonce) || !proves(proofOf(place, 'owner', nonce, mine), proof))
        return end('gone', new NoOwner('refused'))
      name = typeof theirName === 'string' ? theirName : ''
      heard = welcome
      wire.say({ proof: proofOf(place, 'client', mine, nonce) })
    }
    const early: Message[] = []
    const welcome = (): void => {
      listen()
      heard = (message) => void early.push(message)
      resolve({
        ...wire,
        name,
        onMessage: (listener) => {
          heard = listener
          for (const message of early.splice(0)) listener(message)
        },
        onLost: (listener) => {
          if (over === null) lost = listener
          else listener(over)
        },
      })
    }
    const wire = openWire(socket, (message) => {
      if (name !== '') listen()
      if (message['kind'] !== 'alive') heard(message)
    })
    socket.on('connect', () => wire.say({ nonce: mine, contract: contractVersion }))
  })
}

/** The name that the owner published for people; null: there is none, or it cannot be read. */
export const ownerNamed = (place: OwnerPlace): string | null => published(place, 'name')

function published({ about }: OwnerPlace, what: 'name' | 'socket'): string | null {
  try {
    const { [what]: found } = JSON.parse(readFileSync(about, 'utf8')) as Readonly<Record<string, unknown>>
    return typeof found === 'string' ? found : null
  } catch {
    return null
  }
}
