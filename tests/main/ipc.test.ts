import { describe, expect, test } from 'vitest'
import type { Answers } from '../../electron/contract/wire.ts'
import { callChannels } from '../../electron/contract/wire.ts'
import { announceOverIpc, answerOverIpc } from '../../electron/main/ipc.ts'

type Ipc = Parameters<typeof answerOverIpc>[0]
type Handler = Parameters<Ipc['handle']>[1]
type Event = Parameters<Handler>[0]

const page = { url: 'app://headroom/#/devices', parent: null }
const from = (sender: number, frame: { url: string; parent: unknown } | null): Event =>
  ({ sender: { id: sender }, senderFrame: frame }) as unknown as Event

/** The handlers of all channels over a core whose every answer is noted. */
function opened() {
  const handlers = new Map<string, Handler>()
  const answered: string[] = []
  const group = (name: string): object =>
    new Proxy({}, { get: (_, call) => async () => void answered.push(`${name}.${String(call)}`) })
  const answers = new Proxy({}, { get: (_, name) => group(String(name)) }) as Answers
  const window = { isDestroyed: () => false, webContents: { id: 7, send: () => undefined } }
  answerOverIpc(
    { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) },
    answers,
    () => window,
    () => 'reference',
  )
  return { handlers, answered }
}

test('there is a handler for each call of the contract and no other', () => {
  expect([...opened().handlers.keys()].sort()).toEqual([...callChannels].sort())
})

describe('whoever is not our page is refused on every channel, and the core hears nothing', () => {
  test.each([
    ['another window', from(8, page)],
    ['a frame inside our page', from(7, { url: 'app://headroom/', parent: {} })],
    ['another page in our window', from(7, { url: 'https://example.com/', parent: null })],
    ['a frame that is gone', from(7, null)],
  ])('%s', async (_, event) => {
    const { handlers, answered } = opened()
    const refused = await Promise.all(
      [...handlers.values()].map((handler) => handler(event, {}) as Promise<unknown>),
    )
    const refusal = {
      ok: false,
      failure: { kind: 'invalid', field: 'sender', message: 'Only the window of Headroom may ask.' },
    }
    expect([refused.length, new Set(refused.map((one) => JSON.stringify(one))), answered]).toEqual([
      callChannels.length,
      new Set([JSON.stringify(refusal)]),
      [],
    ])
  })
})

test('our page is answered', async () => {
  const { handlers, answered } = opened()
  expect([await handlers.get('app.about')?.(from(7, page), undefined), answered]).toEqual([
    { ok: true, value: undefined },
    ['app.about'],
  ])
})

test('announcements go to our window, and nowhere once it is destroyed', () => {
  const sent: unknown[] = []
  let destroyed = false
  let tell: (channel: 'app.changed', payload: unknown) => void = () => undefined
  announceOverIpc(
    (listener) => {
      tell = listener
      return () => undefined
    },
    () => ({
      isDestroyed: () => destroyed,
      webContents: { id: 7, send: (...told: unknown[]) => sent.push(told) },
    }),
  )
  tell('app.changed', 1)
  destroyed = true
  tell('app.changed', 2)
  expect(sent).toEqual([['app.changed', 1]])
})
