import { contextBridge, ipcRenderer } from 'electron'
import type { Transport } from '../contract/rpc-client.ts'

const listeners = new Map<string, Set<(payload: unknown) => void>>()
ipcRenderer.on('event', (_, event: string, payload: unknown) => {
  for (const listener of listeners.get(event) ?? []) listener(payload)
})

/** The contract over ipcRenderer only: one channel for calls, which main checks, and one for events. */
const transport: Transport = {
  call: (method, argument) => ipcRenderer.invoke('call', method, argument),
  subscribe: (event, listener) => {
    const own = listeners.get(event) ?? new Set()
    listeners.set(event, own.add(listener))
    return () => own.delete(listener)
  },
}
contextBridge.exposeInMainWorld('headroom', transport)
