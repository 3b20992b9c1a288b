import { describe, expect, test } from 'vitest'
import { api } from '../../electron/contract/api.ts'
import { Failed, done, failed } from '../../electron/contract/failure.ts'
import { clientOver, type AllHandlers, type Transport } from '../../electron/contract/rpc-client.ts'
import { eventNames, methodNames, serverOver } from '../../electron/contract/rpc-server.ts'

/** Handlers for these methods only; no other method is called here. */
const handlersWith = (
  given: Record<string, Record<string, (argument: unknown) => Promise<unknown>>>,
): AllHandlers => given as unknown as AllHandlers
const noBug = (): string => {
  throw new Error('no bug was expected')
}
const silent: Transport = { call: async () => done(null), subscribe: () => () => undefined }

test('names each method and event once, by feature and name, as the contract', () => {
  const names = Object.entries(api).flatMap(([feature, members]) =>
    Object.keys(members).map((name) => `${feature}.${name}`),
  )
  expect([...methodNames, ...eventNames].sort()).toEqual(names.sort())
  expect([...eventNames].sort()).toEqual([
    'app.changed',
    'app.opened',
    'app.rebuilding',
    'changes.changed',
    'devices.changed',
    'downloads.changed',
    'exports.changed',
    'firmware.changed',
    'goldenProfiles.changed',
    'jobs.changed',
    'journal.changed',
    'organizations.changed',
    'pictures.changed',
    'rooms.changed',
    'tags.changed',
    'tasks.changed',
    'writes.changed',
  ])
})

describe('the client', () => {
  test('calls the method by name with the argument, and returns what the transport returns', async () => {
    const called: unknown[] = []
    const client = clientOver(() => ({
      ...silent,
      call: async (method, argument) => {
        called.push([method, argument])
        return method === 'devices.get'
          ? failed({ kind: 'not-found', call: null, what: 'device' })
          : done('answer')
      },
    }))
    expect(await client.devices.get({ id: 'a' })).toEqual({
      ok: false,
      failure: { kind: 'not-found', call: null, what: 'device' },
    })
    expect(await client.sync.cancel()).toEqual({ ok: true, value: 'answer' })
    expect(called).toEqual([
      ['devices.get', { id: 'a' }],
      ['sync.cancel', undefined],
    ])
  })

  test('subscribes to the event until the subscription ends', () => {
    const listeners = new Map<string, (payload: unknown) => void>()
    const client = clientOver(() => ({
      ...silent,
      subscribe: (event, listener) => {
        listeners.set(event, listener)
        return () => listeners.delete(event)
      },
    }))
    const heard: unknown[] = []
    const end = client.devices.changed((payload) => heard.push(payload))
    listeners.get('devices.changed')?.({ count: 3 })
    end()
    expect([heard, listeners.size]).toEqual([[{ count: 3 }], 0])
  })

  test('is neither a promise nor a JSON value, on either of its two levels', async () => {
    const client = clientOver(() => silent) as unknown as Record<string | symbol, Record<string, unknown>>
    const asked = (of: Record<string | symbol, unknown>): unknown[] => [
      of['then'],
      of['toJSON'],
      of[Symbol.toPrimitive],
      of[Symbol.iterator],
    ]
    expect([...asked(client), ...asked(client['devices']!)]).toEqual(Array(8).fill(undefined))
    const awaited: unknown = await Promise.resolve(client)
    expect([awaited, JSON.stringify({ client })]).toEqual([client, '{"client":{}}'])
  })

  test('sends plain JSON, without getters or shared state', async () => {
    let sent: unknown
    const client = clientOver(() => ({ ...silent, call: async (_, argument) => done((sent = argument)) }))
    const ids = ['a']
    await client.devices.selected({ selection: { kind: 'picked', ids: new Proxy(ids, {}) } })
    ids.push('b')
    expect(sent).toEqual({ selection: { kind: 'picked', ids: ['a'] } })
  })

  test('never rejects: a broken bridge is a bug with the name of the method', async () => {
    const client = clientOver(() => ({ ...silent, call: () => Promise.reject(new Error('closed')) }))
    expect(await client.app.about()).toEqual({
      ok: false,
      failure: { kind: 'bug', reference: 'bridge app.about' },
    })
  })
})

test('reports an argument that cannot be serialized as a failure, and does not send it', async () => {
  let calls = 0
  const client = clientOver(() => ({ ...silent, call: async () => done(++calls) }))
  const endless: Record<string, unknown> = { id: 'a' }
  endless['id'] = endless
  expect([await client.devices.get(endless as { id: string }), calls]).toEqual([
    { ok: false, failure: { kind: 'bug', reference: 'bridge devices.get' } },
    0,
  ])
})

describe('the server', () => {
  test('passes a valid argument to the handler and returns its result', async () => {
    const server = serverOver(
      handlersWith({ devices: { get: async (argument) => ({ asked: argument }) } }),
      noBug,
    )
    expect(await server('devices.get', { id: 'a' })).toEqual({ ok: true, value: { asked: { id: 'a' } } })
  })

  test('rejects an invalid argument without calling the handler', async () => {
    let asked = 0
    const server = serverOver(handlersWith({ devices: { get: async () => ++asked } }), noBug)
    expect(await server('devices.get', { id: 7 })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', field: 'id' },
    })
    expect(asked).toBe(0)
  })

  test.each([
    'devices.changed',
    'downloads.changed',
    'devices.drop',
    'devices',
    '',
    'toString',
    '__proto__',
    'constructor.name',
    '__proto__.toString',
    'devices.get.more',
    `devices.get${' '.repeat(1_000_000)}`,
    null,
    undefined,
    7,
    ['devices.get'],
    { toString: () => 'devices.get' },
  ])('rejects %j, which names no method', async (name) => {
    const server = serverOver(
      handlersWith({ devices: { changed: async () => 1, drop: async () => 1, get: async () => 1 } }),
      noBug,
    )
    expect(await server(name, { id: 'a' })).toEqual({
      ok: false,
      failure: { kind: 'invalid', field: 'method', message: 'There is no such method.' },
    })
  })

  test('returns a Failed as its failure', async () => {
    const server = serverOver(
      handlersWith({ sync: { run: () => Promise.reject(new Failed({ kind: 'cancelled' })) } }),
      noBug,
    )
    expect(await server('sync.run', undefined)).toEqual({ ok: false, failure: { kind: 'cancelled' } })
  })

  test('returns anything else as a bug with the reference of its log entry, and no details', async () => {
    const noted: unknown[] = []
    const server = serverOver(
      handlersWith({
        sync: {
          run: () => {
            throw new TypeError('our own mistake')
          },
        },
      }),
      (error, name) => `B-${noted.push([String(error), name])}`,
    )
    expect(await server('sync.run', undefined)).toEqual({
      ok: false,
      failure: { kind: 'bug', reference: 'B-1' },
    })
    expect(noted).toEqual([['TypeError: our own mistake', 'sync.run']])
  })
})
