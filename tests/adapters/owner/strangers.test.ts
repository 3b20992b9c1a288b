import { createConnection, createServer, type Socket } from 'node:net'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeDataFolder } from '../../../electron/adapters/owner/data-folder.ts'
import { clientsAtMost, messageAtMost, ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { connectToOwner, NoOwner, type Owner } from '../../../electron/adapters/owner/owner-client.ts'
import {
  serveClients,
  type Connection,
  type OwnerServer,
} from '../../../electron/adapters/owner/owner-server.ts'
import { ownerPlace, ownSocket, type OwnPlace } from '../../../electron/adapters/owner/place.ts'
import { contractVersion } from '../../../electron/adapters/owner/wire.ts'

/**
 * For tests in which the owner does not respond. The other tests use the program's own waits, because an
 * owner on a busy machine must not count as silent.
 */
const soonGivenUp = { ...ownerWaits, connectInMs: 1_000 }
const nonce = 'a'.repeat(32)
let place: OwnPlace
let clients: Connection[]

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-owner-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const found = ownerPlace(folder)
  place = { ...found, socket: ownSocket(found) }
  clients = []
})

async function serve(waits = ownerWaits): Promise<OwnerServer> {
  const server = await serveClients({
    place,
    waits,
    name: 'the owner',
    onTakenTwice: () => undefined,
    onClient: (connection) => {
      clients.push(connection)
      connection.onMessage((message) => void connection.say({ heard: message }))
    },
  })
  onTestFinished(() => server.close())
  return server
}
const client = async (at = place): Promise<Owner> => {
  const owner = await connectToOwner(at, ownerWaits)
  onTestFinished(() => owner.destroy())
  return owner
}
const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'connected',
    (error: unknown) => (error instanceof NoOwner ? error.reason : String(error)),
  )
const answerOf = (owner: Owner, message: object): Promise<unknown> =>
  new Promise((resolve) => {
    owner.onMessage(resolve)
    owner.onLost(resolve)
    owner.say(message)
  })
/** Everything that the owner sends in reply, until it ends the connection. */
async function saidTo(...sent: readonly string[]): Promise<string> {
  const socket = createConnection({ path: place.socket })
  let said = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  socket.on('error', () => undefined)
  for (const piece of sent) socket.write(piece)
  await new Promise<void>((closed) => void socket.on('close', () => closed()))
  return said
}

describe('a stranger without the secret', () => {
  const hello = `${JSON.stringify({ nonce, contract: contractVersion })}\n`
  it.each<[string, readonly string[], typeof ownerWaits?]>([
    ['words', ['hello\n']],
    ['an empty object', ['{}\n']],
    ['null', ['null\n']],
    ['a list', ['[]\n']],
    ['half a document', ['{"nonce":\n']],
    ['a short nonce', ['{"nonce":"aa"}\n']],
    ['an empty proof', [hello, `${JSON.stringify({ proof: '0'.repeat(64) })}\n`, '{"kind":"run"}\n']],
    ['no proof', [hello, '{"kind":"run","words":["org","list"]}\n']],
    ['a proof that is no text', [hello, '{"proof":{}}\n']],
    ['a line without an end', ['x'.repeat(messageAtMost + 1)]],
    ['an endless line after the greeting', [hello, 'x'.repeat(3 * messageAtMost)]],
    ['nothing', [], soonGivenUp],
    ['a greeting and nothing else', [hello], soonGivenUp],
  ])('that sends %s receives only a nonce and a proof of the owner', async (_, sent, waits) => {
    await serve(waits)
    const said = await saidTo(...sent)
    expect([said.includes('welcome'), said.includes(place.secret.toString('hex')), clients.length]).toEqual([
      false,
      false,
      0,
    ])
    expect(await answerOf(await client(), { kind: 'one' })).toEqual({ heard: { kind: 'one' } })
  })

  it('is refused with another secret', async () => {
    await serve()
    const other = { ...place, secret: Buffer.alloc(32, 1) }
    expect([await reasonOf(connectToOwner(other, ownerWaits)), clients.length]).toEqual(['refused', 0])
  })
  it('is refused with the secret of another folder', async () => {
    await serve()
    expect(await reasonOf(connectToOwner({ ...place, home: '/elsewhere' }, ownerWaits))).toBe('refused')
  })
})

describe('a client that knows the secret', () => {
  it.each<[string, object]>([
    ['a text', Object('hello') as object],
    ['a number', Object(1) as object],
    ['a list', []],
    ['a message that is too long', { kind: 'x'.repeat(messageAtMost) }],
  ])('is disconnected when it sends %s; others are not', async (_, sent) => {
    await serve()
    const [one, other] = [await client(), await client()]
    const lost = new Promise((resolve) => one.onLost(resolve))
    one.say(sent)
    expect(await lost).toBe('gone')
    expect(await answerOf(other, { kind: 'two' })).toEqual({ heard: { kind: 'two' } })
  })
  it('loses its place if it says nothing, and keeps it when it has said something', async () => {
    await serve({ ...soonGivenUp, aliveEveryInMs: 200 })
    const [silent, working] = [await client(), await client()]
    const lost = new Promise((resolve) => silent.onLost(resolve))
    await answerOf(working, { kind: 'one' })
    expect(await lost).toBe('gone')
    expect(await answerOf(working, { kind: 'two' })).toEqual({ heard: { kind: 'two' } })
  })
  it('that has left waits for nothing', async () => {
    await serve()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const owner = await connectToOwner(place, ownerWaits)
    owner.end()
    await new Promise((resolve) => owner.onLost(resolve))
    expect(vi.getTimerCount()).toBe(0)
  })
  it('receives everything that was said before the owner closed', async () => {
    const server = await serve()
    const owner = await client()
    let heard = 0
    owner.onMessage(() => void heard++)
    const lost = new Promise((resolve) => owner.onLost(resolve))
    for (let said = 0; said < 1_000; said++) clients[0]?.say({ kind: 'x'.repeat(1_000) })
    const closed = server.close()
    expect([await lost, heard]).toEqual(['gone', 1_000])
    await closed
  })
  it('is rejected beyond the limit until another one leaves', async () => {
    await serve()
    const all = await Promise.all(Array.from({ length: clientsAtMost }, () => client()))
    expect(await reasonOf(connectToOwner(place, ownerWaits))).toBe('refused')
    const gone = clients.map((one) => once(one.gone, 'abort'))
    all[0]?.destroy()
    await Promise.race(gone)
    expect(await reasonOf(client())).toBe('connected')
  })
})

describe('a false owner on the socket', () => {
  const falseOwner = async (answer: (socket: Socket, said: string) => void): Promise<void> => {
    const server = createServer((socket) => {
      socket.setEncoding('utf8').on('data', (said: string) => answer(socket, said))
      socket.on('error', () => undefined)
    })
    server.listen(place.socket)
    await once(server, 'listening')
    writeFileSync(place.about, JSON.stringify({ socket: place.socket }))
    onTestFinished(() => void server.close())
  }
  it.each([
    ['returns what it receives', (socket: Socket, said: string) => void socket.write(said), 'refused'],
    ['says nothing', () => undefined, 'silent'],
    ['says no JSON', (socket: Socket) => void socket.write('hello\n'), 'refused'],
    [
      'has an invented proof',
      (socket: Socket) =>
        void socket.write(`${JSON.stringify({ nonce, contract: contractVersion, proof: '0'.repeat(64) })}\n`),
      'refused',
    ],
    [
      'uses another protocol version',
      (socket: Socket) => void socket.write(`${JSON.stringify({ nonce, contract: 99, proof: '' })}\n`),
      'other-version',
    ],
    [
      'sends more than the limit',
      (socket: Socket) => void socket.write('x'.repeat(3 * messageAtMost)),
      'refused',
    ],
  ])('that %s is not trusted', async (_, answer, reason) => {
    await falseOwner(answer)
    const waits = reason === 'silent' ? soonGivenUp : ownerWaits
    expect(await reasonOf(connectToOwner(place, waits))).toBe(reason)
  })
  it('of another version keeps the folder, although its lock is free', async () => {
    await falseOwner((socket) => void socket.write(`${JSON.stringify({ nonce, contract: 99, proof: '' })}\n`))
    expect((await takeDataFolder(place.home, ownerWaits)).kind).toBe('taken')
  })
  it('that does not exist is not trusted', async () => {
    expect(await reasonOf(connectToOwner(place, ownerWaits))).toBe('none')
  })
})
