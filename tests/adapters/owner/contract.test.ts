import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openContractClient } from '../../../electron/adapters/owner/contract-client.ts'
import {
  serveContract,
  type ContractServerOptions,
} from '../../../electron/adapters/owner/contract-server.ts'
import {
  argumentAtMost,
  callsAtMost,
  messageAtMost,
  ownerWaits,
  pieceAtMost,
} from '../../../electron/adapters/owner/limits.ts'
import { connectToOwner } from '../../../electron/adapters/owner/owner-client.ts'
import {
  serveClients,
  type Connection,
  type OwnerServer,
} from '../../../electron/adapters/owner/owner-server.ts'
import { ownerPlace, ownSocket, type OwnPlace } from '../../../electron/adapters/owner/place.ts'
import type { Message } from '../../../electron/adapters/owner/wire.ts'
import { done, Failed, failed } from '../../../electron/contract/failure.ts'
import type { Server } from '../../../electron/contract/rpc-server.ts'
import type { Connection as CoreConnection, Core } from '../../../electron/core/app.ts'

/** A core whose methods a test chooses. */
class FakeCore {
  readonly connected: unknown[] = []
  closed = 0
  emit: (event: string, payload: unknown) => void = () => undefined
  readonly #server: Server
  constructor(server: Server = async (_, argument) => done(argument)) {
    this.#server = server
  }
  readonly connect: Core['connect'] = (given) => {
    this.connected.push(given)
    const own: Pick<CoreConnection, 'server' | 'onEvent' | 'close'> = {
      server: this.#server,
      onEvent: (listener) => {
        this.emit = listener
        return () => (this.emit = () => undefined)
      },
      close: async () => void (this.closed += 1),
    }
    return own as CoreConnection
  }
}

const optionsFor = (
  core: Pick<Core, 'connect'>,
  more: Partial<ContractServerOptions> = {},
): ContractServerOptions => ({
  core: Promise.resolve(core),
  stays: true,
  wanted: null,
  onRebuilding: () => () => undefined,
  isClosing: () => false,
  ...more,
})

let place: OwnPlace
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-contract-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const found = ownerPlace(folder)
  place = { ...found, socket: ownSocket(found) }
})
async function serve(options: ContractServerOptions): Promise<OwnerServer> {
  const server = await serveClients({
    place,
    waits: ownerWaits,
    name: 'the owner',
    onTakenTwice: () => undefined,
    onClient: (connection) => serveContract(connection, options),
  })
  onTestFinished(() => server.close())
  return server
}
const client = async (onEvent: (event: string, payload: unknown) => void = () => undefined) => {
  const owner = await connectToOwner(place, ownerWaits)
  onTestFinished(() => owner.destroy())
  return openContractClient(owner, { organization: 'Nordlys', name: 'a test' }, onEvent)
}

describe('a client over the socket', () => {
  it('is connected with its organization and name, and closed when it leaves', async () => {
    const core = new FakeCore()
    await serve(optionsFor(core))
    const own = await client()
    await own.call('devices.get', { id: 'a' })
    own.close()
    await expect.poll(() => core.closed).toBe(1)
    expect([own.stays, core.connected]).toEqual([true, [{ organization: 'Nordlys', name: 'a test' }]])
  })
  it.each([pieceAtMost - 8, pieceAtMost, 3 * pieceAtMost + 1])(
    'sends and receives a text of %i characters unchanged, also where a piece ends within a character',
    async (length) => {
      await serve(optionsFor(new FakeCore()))
      const text = `x${'😀'.repeat(length / 2)}`
      expect(await (await client()).call('app.copy', { text })).toEqual(done({ text }))
    },
  )
  it('has no result longer than 64 MiB', async () => {
    await serve(optionsFor(new FakeCore(async () => done('x'.repeat(64 << 20)))))
    expect(await (await client()).call('jobs.list', null)).toEqual(
      failed({ kind: 'invalid', field: 'result', message: 'The result is longer than 64 MiB.' }),
    )
  })
  it('has no argument longer than 16 MiB, and stays connected', async () => {
    await serve(optionsFor(new FakeCore()))
    const own = await client()
    expect([await own.call('app.copy', 'x'.repeat(argumentAtMost)), await own.call('app.copy', 1)]).toEqual([
      failed({ kind: 'invalid', field: 'argument', message: 'This is longer than 16 MiB.' }),
      done(1),
    ])
  })
  it('gets the reason why the core cannot be opened, for every call', async () => {
    const reason = new Failed({ kind: 'writes-locked' })
    const core = Promise.reject(reason)
    core.catch(() => undefined)
    await serve(optionsFor(new FakeCore(), { core }))
    const own = await client()
    expect([await own.call('jobs.list', null), await own.call('devices.get', 1)]).toEqual([
      failed(reason.failure),
      failed(reason.failure),
    ])
  })
  it('hears events of the core, and before it is open how far rebuilding is', async () => {
    const [core, heard] = [new FakeCore(), [] as unknown[]]
    const opening = Promise.withResolvers<FakeCore>()
    let rebuilding: Parameters<ContractServerOptions['onRebuilding']>[0] = () => undefined
    await serve(
      optionsFor(core, {
        core: opening.promise,
        onRebuilding: (listener) => {
          rebuilding = listener
          return () => (rebuilding = () => undefined)
        },
      }),
    )
    const own = await client((...event) => void heard.push(event))
    rebuilding({ done: 1, total: 2 })
    opening.resolve(core)
    await own.call('devices.get', 1)
    rebuilding({ done: 2, total: 2 })
    core.emit('jobs.changed', { ids: ['j1'] })
    await own.call('devices.get', 1)
    expect(heard).toEqual([
      ['app.rebuilding', { done: 1, total: 2 }],
      ['jobs.changed', { ids: ['j1'] }],
    ])
  })
  it('gets the messages that wait for it when the owner closes, before it is disconnected', async () => {
    const [core, heard] = [new FakeCore(), [] as string[]]
    const server = await serve(optionsFor(core))
    const own = await client((event) => void heard.push(event))
    await own.call('devices.get', 1)
    // Longer than what the system takes at once.
    core.emit('jobs.changed', { ids: ['j'.repeat(messageAtMost - 100)] })
    await server.close()
    const later = own.call('devices.get', 2).catch((error: Error) => error.message)
    expect([await later, heard]).toEqual(['gone', ['jobs.changed']])
  })
  it('gets from a core that closes only what changed something: anything else it asks the next owner', async () => {
    let isClosing = false
    const ended = { 'jobs.list': failed({ kind: 'cancelled' }), 'sync.run': done('what was read until then') }
    const core = new FakeCore(async (method) => ended[method as keyof typeof ended] ?? done('stored'))
    await serve(optionsFor(core, { isClosing: () => isClosing }))
    const own = await client()
    isClosing = true
    const [failing, cutShort] = [own.call('jobs.list', null), own.call('sync.run', null)].map((one) =>
      one.catch((error: Error) => error.message),
    )
    const stored = await own.call('app.setPreferences', {})
    own.close()
    expect([await failing, await cutShort, stored]).toEqual(['gone', 'gone', done('stored')])
  })
})

describe('a client that does not keep to the protocol', () => {
  const call = { kind: 'call', id: 1, method: 'jobs.list', text: 'null', more: false }
  it.each<[string, readonly object[]]>([
    ['calls before it connects', [call]],
    ['connects twice', [{ kind: 'connect' }, { kind: 'connect' }]],
    ['sends an unknown message', [{ kind: 'connect' }, { kind: 'run', words: ['sync'] }]],
    ['numbers no call', [{ kind: 'connect' }, { ...call, id: 'one' }]],
    ['sends no argument', [{ kind: 'connect' }, { ...call, text: 7 }]],
    ['mixes two arguments', [{ kind: 'connect' }, { ...call, more: true }, { ...call, id: 2 }]],
    [
      'sends an argument without an end',
      [
        { kind: 'connect' },
        ...Array.from({ length: 1 + argumentAtMost / pieceAtMost }, () => ({
          ...call,
          text: 'x'.repeat(pieceAtMost),
          more: true,
        })),
      ],
    ],
    [
      'calls without waiting for results',
      [{ kind: 'connect' }, ...Array.from({ length: callsAtMost + 1 }, (_, id) => ({ ...call, id }))],
    ],
  ])('is disconnected when it %s; others are not', async (_, said) => {
    await serve(
      optionsFor(
        new FakeCore((name) =>
          name === 'devices.get' ? Promise.resolve(done(1)) : new Promise(() => undefined),
        ),
      ),
    )
    const [bad, good] = [await connectToOwner(place, ownerWaits), await client()]
    const lost = new Promise((resolve) => bad.onLost(resolve))
    for (const one of said) bad.say(one)
    expect([await lost, await good.call('devices.get', null)]).toEqual(['gone', done(1)])
  })
  it('gets a sentence for an argument that is no JSON', async () => {
    await serve(optionsFor(new FakeCore()))
    const owner = await connectToOwner(place, ownerWaits)
    onTestFinished(() => owner.destroy())
    const answered = new Promise<Message>((resolve) =>
      owner.onMessage((message) => message['kind'] === 'result' && resolve(message)),
    )
    owner.say({ kind: 'connect', organization: null, name: 'x' })
    owner.say({ ...call, text: '{' })
    expect((await answered)['outcome']).toEqual(
      failed({ kind: 'invalid', field: 'argument', message: 'This cannot be read.' }),
    )
  })
})

describe('a client that does not read', () => {
  /** A connection that is full until `drain`. */
  function aFullConnection() {
    const said: Message[] = []
    let destroyed = false
    let hear: (message: Message) => void = () => undefined
    let drain = (): void => undefined
    let isFull = true
    const connection: Connection = {
      say: (message) => {
        said.push(message as Message)
        return !isFull
      },
      sayText: (json) => {
        said.push(JSON.parse(json) as Message)
        return !isFull
      },
      drained: () => new Promise((resolve) => (drain = resolve)),
      end: () => undefined,
      destroy: () => (destroyed = true),
      onMessage: (heard) => (hear = heard),
      gone: new AbortController().signal,
    }
    return {
      connection,
      said,
      hear: (message: Message) => hear(message),
      drain: () => {
        isFull = false
        drain()
      },
      isDestroyed: () => destroyed,
    }
  }
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  it('gets one event of each name when it reads again, with everything that happened', async () => {
    const [core, full] = [new FakeCore(), aFullConnection()]
    serveContract(full.connection, optionsFor(core))
    full.hear({ kind: 'connect', organization: null, name: 'x' })
    await soon()
    core.emit('devices.changed', { count: 1 })
    for (const id of ['j1', 'j2', 'j1']) core.emit('jobs.changed', { ids: [id] })
    core.emit('devices.changed', { count: 5 })
    core.emit('devices.changed', { count: 2 })
    full.drain()
    await soon()
    expect(full.said.slice(1)).toEqual([
      { kind: 'event', event: 'devices.changed', payload: { count: 1 } },
      { kind: 'event', event: 'jobs.changed', payload: { ids: ['j1', 'j2'] } },
      { kind: 'event', event: 'devices.changed', payload: { count: 7 } },
    ])
  })
  it('gets a long result in pieces, each when the last was taken', async () => {
    const full = aFullConnection()
    serveContract(full.connection, optionsFor(new FakeCore(async () => done('x'.repeat(1 << 20)))))
    full.hear({ kind: 'connect', organization: null, name: 'x' })
    full.hear({ kind: 'call', id: 1, method: 'jobs.list', text: '', more: false })
    await soon()
    const before = full.said.length
    full.drain()
    await soon()
    expect([before, full.said.length]).toEqual([2, 1 + (1 << 20) / pieceAtMost + 1])
  })
  it.each([
    ['is dropped after a minute with more than 4 MiB waiting', (4 << 20) + pieceAtMost, true],
    ['stays with less', (4 << 20) - pieceAtMost, false],
  ])('%s', async (_, length, isDropped) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const full = aFullConnection()
    serveContract(full.connection, optionsFor(new FakeCore(async () => done('x'.repeat(length)))))
    full.hear({ kind: 'connect', organization: null, name: 'x' })
    full.hear({ kind: 'call', id: 1, method: 'jobs.list', text: '', more: false })
    await soon()
    const before = full.isDestroyed()
    vi.advanceTimersByTime(60_000)
    expect([before, full.isDestroyed()]).toEqual([false, isDropped])
  })
})
