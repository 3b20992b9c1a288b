import { describe, expect, test } from 'vitest'
import type { AllHandlers } from '../../electron/contract/rpc-client.ts'
import { methodNames, serverOver } from '../../electron/contract/rpc-server.ts'
import { sendEventsOverIpc, serveOverIpc } from '../../electron/main/ipc.ts'
import { good } from '../contract/good-arguments.ts'

type Ipc = Parameters<typeof serveOverIpc>[0]
type Handler = Parameters<Ipc['handle']>[1]
type Event = Parameters<Handler>[0]

const page = { url: 'app://headroom/#/devices', parent: null }
const from = (sender: number, frame: { url: string; parent: unknown } | null): Event =>
  ({ sender: { id: sender }, senderFrame: frame }) as unknown as Event

/** The channels of the main process, over a core that records every call of a handler. */
function opened() {
  const channels = new Map<string, Handler>()
  const handled: string[] = []
  const feature = (name: string): object =>
    new Proxy({}, { get: (_, key) => async () => void handled.push(`${name}.${String(key)}`) })
  const handlers = new Proxy({}, { get: (_, name) => feature(String(name)) }) as AllHandlers
  const window = { isDestroyed: () => false, webContents: { id: 7, send: () => undefined } }
  serveOverIpc(
    { handle: (channel: string, handler: Handler) => void channels.set(channel, handler) },
    serverOver(handlers, () => 'reference'),
    () => window,
    'app://headroom',
  )
  return { channels, handled, call: channels.get('call')! }
}

test('one channel carries every method, and there is no other', async () => {
  const { channels, handled, call } = opened()
  for (const name of methodNames) await call(from(7, page), name, good[name])
  expect([[...channels.keys()], handled]).toEqual([['call'], methodNames])
})

describe('every method is rejected for any page but ours, and the core is not called', () => {
  test.each([
    ['another window', from(8, page)],
    ['a frame inside our page', from(7, { url: 'app://headroom/', parent: {} })],
    ['another page in our window', from(7, { url: 'https://example.com/', parent: null })],
    ['a frame that no longer exists', from(7, null)],
  ])('%s', async (_, event) => {
    const { call, handled } = opened()
    const refused = await Promise.all(
      methodNames.map((name) => call(event, name, good[name]) as Promise<unknown>),
    )
    const refusal = {
      ok: false,
      failure: { kind: 'invalid', field: 'sender', message: 'Only the Headroom window can make this call.' },
    }
    expect([new Set(refused.map((one) => JSON.stringify(one))), handled]).toEqual([
      new Set([JSON.stringify(refusal)]),
      [],
    ])
  })
})

test('events go to our window, and nowhere once it is destroyed', () => {
  const sent: unknown[] = []
  let destroyed = false
  let tell: (event: string, payload: unknown) => void = () => undefined
  sendEventsOverIpc(
    (listener) => {
      tell = listener
      return () => undefined
    },
    () => ({
      isDestroyed: () => destroyed,
      webContents: { id: 7, send: (...values: unknown[]) => sent.push(values) },
    }),
  )
  tell('app.changed', 1)
  destroyed = true
  tell('app.changed', 2)
  expect(sent).toEqual([['event', 'app.changed', 1]])
})
