import { contextBridge, ipcRenderer } from 'electron'
import { callChannels, pushChannels, type Channel } from '../contract/wire.ts'

/** The contract over ipcRenderer and nothing else: channels that are not in the table do not exist here. */
contextBridge.exposeInMainWorld('headroom', {
  ask: (channel: Channel, argument: unknown): Promise<unknown> =>
    callChannels.includes(channel)
      ? ipcRenderer.invoke(channel, argument)
      : Promise.reject(new Error('no such call')),
  listen: (channel: Channel, listener: (payload: unknown) => void): (() => void) => {
    if (!pushChannels.includes(channel)) throw new Error('no such announcement')
    const forward = (_event: unknown, payload: unknown): void => listener(payload)
    ipcRenderer.on(channel, forward)
    return () => ipcRenderer.removeListener(channel, forward)
  },
})
