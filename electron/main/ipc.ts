import type { IpcMain } from 'electron'
import { failed } from '../contract/failure.ts'
import type { Server } from '../contract/rpc-server.ts'
import { isOurPage, type OurWindow } from './our-page.ts'

/** Serves the contract over IPC, only to our page. */
export function serveOverIpc(
  ipc: Pick<IpcMain, 'handle'>,
  server: Server,
  window: () => OurWindow | null,
  origin: string,
): void {
  ipc.handle('call', (event, method: unknown, argument: unknown) =>
    isOurPage(event, window(), origin)
      ? server(method, argument)
      : failed({ kind: 'invalid', field: 'sender', message: 'Only the Headroom window can make this call.' }),
  )
}

/**
 * Events go only to our window, and are lost while there is none: the renderer queries again when it opens.
 */
export function sendEventsOverIpc(
  subscribe: (listener: (event: string, payload: unknown) => void) => () => void,
  window: () => OurWindow | null,
): void {
  subscribe((event, payload) => {
    const target = window()
    if (target !== null && !target.isDestroyed()) target.webContents.send('event', event, payload)
  })
}
