/// <reference types="vite/client" />
import type { Outcome } from '../../../electron/contract/failure.ts'
import type { Transport } from '../../../electron/contract/rpc-client.ts'

/** The renderer over a core that the gallery's server runs for this page (serve.ts); its address selects the state (states.ts). */
const hot = import.meta.hot!
const waiting = new Map<number, (outcome: Outcome<unknown>) => void>()
const listeners = new Map<string, Set<(payload: unknown) => void>>()
let calls = 0
/** The number of calls without a response, for taking pictures. */
const tell = (): void => void (document.documentElement.dataset['calls'] = String(waiting.size))

hot.on('gallery:answer', ({ id, outcome }: { id: number; outcome: Outcome<unknown> }) => {
  waiting.get(id)?.(outcome)
  waiting.delete(id)
  tell()
})
hot.on('gallery:event', ({ event, payload }: { event: string; payload: unknown }) =>
  listeners.get(event)?.forEach((listener) => listener(payload)),
)
const transport: Transport = {
  call: (method, argument) =>
    new Promise((resolve) => {
      waiting.set(++calls, resolve)
      tell()
      hot.send('gallery:call', { id: calls, method, argument })
    }),
  subscribe: (event, listener) => {
    const own = listeners.get(event) ?? new Set()
    listeners.set(event, own.add(listener))
    return () => own.delete(listener)
  },
}
const { problem } = await new Promise<{ problem?: string }>((opened) => {
  hot.on('gallery:opened', (answer?: { problem?: string }) => opened(answer ?? {}))
  hot.send('gallery:open', { search: location.search })
})
if (problem === undefined) {
  Object.assign(globalThis, { headroom: transport })
  await import('../../../renderer/main.ts')
} else document.body.textContent = problem
