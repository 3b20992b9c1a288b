import { describe, expect, test } from 'vitest'
import { guard } from '../../electron/contract/arguments.ts'
import { calls } from '../../electron/contract/calls.ts'
import { Failed, done, failed } from '../../electron/contract/failure.ts'
import {
  answerOf,
  answerer,
  callChannels,
  linkOver,
  pushChannels,
  type Answers,
  type Transport,
} from '../../electron/contract/wire.ts'

/** Answers of which only these exist; the table's other calls are not asked here. */
const answersWith = (
  given: Record<string, Record<string, (argument: unknown) => Promise<unknown>>>,
): Answers => given as unknown as Answers
const noBug = (): string => {
  throw new Error('no bug was expected')
}

test('channels are the table: each call and each announcement once, named by room and name', () => {
  const names = Object.entries(calls).flatMap(([room, entries]) =>
    Object.keys(entries).map((name) => `${room}.${name}`),
  )
  expect([...callChannels, ...pushChannels].sort()).toEqual([...names].sort())
  expect(pushChannels).toEqual([
    'app.changed',
    'organizations.changed',
    'devices.changed',
    'goldenProfiles.changed',
    'rooms.changed',
    'changes.changed',
    'tags.changed',
    'exports.changed',
    'writes.changed',
    'jobs.changed',
    'journal.changed',
  ])
})

describe('the link of the view', () => {
  test('asks on the channel of the call with the argument, and answers what the transport answers', async () => {
    const asked: unknown[] = []
    const transport: Transport = {
      ask: async (channel, argument) => {
        asked.push([channel, argument])
        return channel === 'devices.get'
          ? failed({ kind: 'not-found', call: null, what: 'device' })
          : done('answer')
      },
      listen: () => () => undefined,
    }
    const link = linkOver(transport)
    expect(await link.devices.get({ id: 'a' })).toEqual({
      ok: false,
      failure: { kind: 'not-found', call: null, what: 'device' },
    })
    expect(await link.sync.cancel(undefined)).toEqual({ ok: true, value: 'answer' })
    expect(asked).toEqual([
      ['devices.get', { id: 'a' }],
      ['sync.cancel', undefined],
    ])
  })

  test('listens on the channel of the announcement until it ends', () => {
    const listeners = new Map<string, (payload: unknown) => void>()
    const link = linkOver({
      ask: async () => done(null),
      listen: (channel, listener) => {
        listeners.set(channel, listener)
        return () => listeners.delete(channel)
      },
    })
    const heard: unknown[] = []
    const end = link.devices.changed((payload) => heard.push(payload))
    listeners.get('devices.changed')?.({ count: 3 })
    end()
    expect([heard, listeners.size]).toEqual([[{ count: 3 }], 0])
  })
})

describe('the answerer of a host', () => {
  test('gives a good argument to the core and its answer back', async () => {
    const answer = answerer(
      answersWith({ devices: { get: async (argument) => ({ asked: argument }) } }),
      guard,
      noBug,
    )
    expect(await answer('devices.get', { id: 'a' })).toEqual({ ok: true, value: { asked: { id: 'a' } } })
  })

  test('refuses a bad argument without asking the core', async () => {
    let asked = 0
    const answer = answerer(answersWith({ devices: { get: async () => ++asked } }), guard, noBug)
    expect(await answer('devices.get', { id: 7 })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', field: 'id' },
    })
    expect(asked).toBe(0)
  })

  test.each([
    'devices.changed',
    'devices.drop',
    'devices',
    '',
    'constructor.name',
    '__proto__.toString',
    'devices.get.more',
  ])('refuses %j, which is no call', async (channel) => {
    const answer = answerer(
      answersWith({ devices: { changed: async () => 1, drop: async () => 1 } }),
      guard,
      noBug,
    )
    expect(await answer(channel, undefined)).toEqual({
      ok: false,
      failure: { kind: 'invalid', field: 'channel', message: 'There is no such call.' },
    })
  })

  test('hands a Failed on as its failure', async () => {
    const answer = answerer(
      answersWith({ sync: { run: () => Promise.reject(new Failed({ kind: 'cancelled' })) } }),
      guard,
      noBug,
    )
    expect(await answer('sync.run', undefined)).toEqual({ ok: false, failure: { kind: 'cancelled' } })
  })

  test('turns anything else into a bug with the reference under which it was noted, and says nothing of it', async () => {
    const noted: unknown[] = []
    const answer = answerer(
      answersWith({
        sync: {
          run: () => {
            throw new TypeError('our own mistake')
          },
        },
      }),
      guard,
      (error, channel) => `B-${noted.push([String(error), channel])}`,
    )
    expect(await answer('sync.run', undefined)).toEqual({
      ok: false,
      failure: { kind: 'bug', reference: 'B-1' },
    })
    expect(noted).toEqual([['TypeError: our own mistake', 'sync.run']])
  })
})

test('a call that the core does not answer is no function', () => {
  expect(answerOf(answersWith({}), 'devices.get')).toBeUndefined()
})
