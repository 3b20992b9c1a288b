import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { messageAtMost, pieceAtMost } from './limits.ts'
import type { OwnerPlace } from './place.ts'

/**
 * Version of the protocol between owner and clients. Raise it with every change: both sides must have the
 * same version.
 */
export const contractVersion = 18

/** The other side may have sent anything. */
export type Message = Readonly<Record<string, unknown>>

/** Lines of JSON over a socket. Anything else, or a line that is too long, ends the connection. */
export interface Wire {
  /** Returns whether more should be sent before `drained`. Messages after the end are lost. */
  say(message: object): boolean
  /** The same for a message that is JSON already. */
  sayText(json: string): boolean
  readonly drained: () => Promise<void>
  /** Pending messages are sent first. */
  end(): void
  destroy(): void
}

export function openWire(socket: Socket, heard: (message: Message) => void): Wire {
  /** Of the line that has not ended: joined once, because a long one arrives in many parts. */
  let parts: string[] = []
  let length = 0
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0 && !socket.destroyed; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end)
      parts = []
      length = 0
      start = end + 1
      const message = line.length > messageAtMost ? null : parseMessage(line)
      if (message === null) return void socket.destroy()
      heard(message)
    }
    parts.push(chunk.slice(start))
    length += chunk.length - start
    if (length > messageAtMost) socket.destroy()
  })
  socket.on('error', () => socket.destroy())
  const sayText = (json: string): boolean => !socket.writable || socket.write(`${json}\n`)
  return {
    say: (message) => sayText(JSON.stringify(message)),
    sayText,
    drained: () =>
      new Promise((resolve) => {
        if (!socket.writableNeedDrain || socket.destroyed) return resolve()
        const over = (): void => {
          socket.off('drain', over).off('close', over)
          resolve()
        }
        socket.on('drain', over).on('close', over)
      }),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  }
}

/**
 * A text in parts that fit into a message. A part may end within a surrogate pair: JSON writes the halves as
 * escapes.
 */
export function* pieces(text: string): Generator<{ readonly piece: string; readonly more: boolean }> {
  for (let start = 0; start === 0 || start < text.length; start += pieceAtMost)
    yield { piece: text.slice(start, start + pieceAtMost), more: start + pieceAtMost < text.length }
}

/** null: not an object. */
function parseMessage(line: string): Message | null {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Message)
      : null
  } catch {
    return null
  }
}

export const newNonce = (): string => randomBytes(16).toString('hex')
export const isNonce = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{32}$/.test(text)

/** Names sender and receiver, so that the other side's own proof, sent back, is not valid. */
export const proofOf = (
  { secret, home }: OwnerPlace,
  role: 'owner' | 'client',
  own: string,
  others: string,
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([role, own, others, contractVersion, home]))
    .digest('hex')

export function proves(expected: string, given: unknown): boolean {
  const [one, other] = [
    Buffer.from(expected, 'hex'),
    Buffer.from(typeof given === 'string' ? given : '', 'hex'),
  ]
  return one.length === other.length && timingSafeEqual(one, other)
}
