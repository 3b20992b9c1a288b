import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { clientsAtMost, type OwnerWaits } from './limits.ts'
import type { OwnPlace } from './place.ts'
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

/** A client that has proved that it knows the secret. */
export interface Connection extends Wire {
  /** Called once with the next message; earlier messages are queued. */
  readonly onMessage: (heard: (message: Message) => void) => void
  /** The client has disconnected or was disconnected. */
  readonly gone: AbortSignal
}

export interface OwnerServer {
  /** Authenticated clients. */
  readonly clients: () => number
  /**
   * Accepts no more clients. The present ones are disconnected after their pending messages are delivered.
   */
  readonly close: () => Promise<void>
}

export interface OwnerServerOptions {
  readonly place: OwnPlace
  readonly waits: OwnerWaits
  /** For people: `Headroom, process 4711`. */
  readonly name: string
  readonly onClient: (connection: Connection) => void
  /** A client obtained the lock that this process holds. */
  readonly onTakenTwice: () => void
}

/**
 * Serves clients of this data folder. Only the holder of the lock may call it, because it removes the files
 * of an earlier owner. Rejects if it cannot listen.
 */
export async function serveClients(options: OwnerServerOptions): Promise<OwnerServer> {
  const { place, waits, name, onClient, onTakenTwice } = options
  const sockets = new Set<Socket>()
  const known = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= clientsAtMost) return void socket.destroy()
    sockets.add(socket)
    const gone = new AbortController()
    const late = setTimeout(() => socket.destroy(), waits.connectInMs)
    let alive: NodeJS.Timeout | undefined
    socket.on('close', () => {
      clearTimeout(late)
      clearInterval(alive)
      sockets.delete(socket)
      known.delete(socket)
      gone.abort()
    })
    let heard = (message: Message): void => hello(message)
    const wire = openWire(socket, (message) => heard(message))
    const hello = (message: Message): void => {
      const { nonce, contract } = message
      if (!isNonce(nonce)) return wire.destroy()
      const mine = newNonce()
      // An unauthenticated client learns nothing from the proof: it covers the server's own nonce and the
      // word "owner".
      wire.say({ nonce: mine, contract: contractVersion, name, proof: proofOf(place, 'owner', mine, nonce) })
      if (contract !== contractVersion) return wire.end()
      heard = (proof) => prove(proof, nonce, mine)
    }
    const prove = (message: Message, theirs: string, mine: string): void => {
      if (!proves(proofOf(place, 'client', theirs, mine), message['proof'])) return wire.destroy()
      known.add(socket)
      alive = setInterval(() => wire.say({ kind: 'alive' }), waits.aliveEveryInMs)
      const early: Message[] = []
      let listen = (more: Message): void => void early.push(more)
      heard = (more) => {
        // Until then it holds one of few places.
        clearTimeout(late)
        if (more['kind'] === 'taken-twice') onTakenTwice()
        else listen(more)
      }
      wire.say({ kind: 'welcome' })
      onClient({
        ...wire,
        gone: gone.signal,
        onMessage: (listener) => {
          listen = listener
          for (const kept of early.splice(0)) listener(kept)
        },
      })
    }
  })
  rmSync(place.about, { force: true })
  if (process.platform !== 'win32') rmSync(place.socket, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: place.socket, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  if (process.platform !== 'win32') chmodSync(place.socket, 0o600)
  writeFileSync(
    place.about,
    JSON.stringify({ name, processId: process.pid, contract: contractVersion, socket: place.socket }),
    {
      mode: 0o600,
    },
  )
  server.unref()
  return {
    clients: () => known.size,
    close: () =>
      new Promise((resolve) => {
        rmSync(place.about, { force: true })
        server.close(() => resolve())
        for (const socket of sockets) {
          socket.end()
          // Does not wait for a client that does not read its messages.
          setTimeout(() => socket.destroy(), 500).unref()
        }
      }),
  }
}
