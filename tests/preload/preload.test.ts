import { expect, test, vi } from 'vitest'
import type { Transport } from '../../electron/contract/rpc-client.ts'

type OnEvent = (sent: unknown, event: string, payload: unknown) => void
const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  channels: new Map<string, unknown>(),
  invoked: [] as unknown[][],
}))
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
  ipcRenderer: {
    on: (channel: string, listener: unknown) => electron.channels.set(channel, listener),
    invoke: async (...values: unknown[]) => {
      electron.invoked.push(values)
      return 'answer'
    },
  },
}))

await import('../../electron/preload/preload.ts')
const transport = electron.exposed.get('headroom') as Transport
const arrive = (event: string, payload: unknown): void =>
  (electron.channels.get('event') as OnEvent)(null, event, payload)

test('a call goes over its one channel and returns the answer', async () => {
  expect([await transport.call('devices.slice', { start: 0 }), electron.invoked]).toEqual([
    'answer',
    [['call', 'devices.slice', { start: 0 }]],
  ])
})

test('a listener that ends its subscription leaves the others of the event', () => {
  const heard: unknown[] = []
  const endFirst = transport.subscribe('changed', (payload) => heard.push(['first', payload]))
  const endSecond = transport.subscribe('changed', (payload) => heard.push(['second', payload]))
  transport.subscribe('other', (payload) => heard.push(['other', payload]))
  arrive('changed', 1)
  endFirst()
  arrive('changed', 2)
  endSecond()
  arrive('changed', 3)
  arrive('other', 4)
  expect(heard).toEqual([
    ['first', 1],
    ['second', 1],
    ['second', 2],
    ['other', 4],
  ])
})
