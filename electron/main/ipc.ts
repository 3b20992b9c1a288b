import type { IpcMain } from 'electron'
import { failed } from '../contract/failure.ts'
import type { Server } from '../contract/rpc-server.ts'
import { isOurPage, type OurWindow } from './our-page.ts'

/** Serves the contract over IPC, to our page alone. */
export function serveOverIpc(
  ipc: Pick<IpcMain, 'handle'>,
  server: Server,
  window: () => OurWindow | null,
  origin: string,
): void {
  ipc.handle('call', (event, method: unknown, argument: unknown) =>
    isOurPage(event, window(), origin)
      ? server(method, argument)
      : failed({ kind: 'invalid', field: 'sender', message: 'Only the window of Headroom may ask.' }),
  )
}

/** Events go to our window alone, and are lost while there is none: the renderer asks anew when it opens. */
export function sendEventsOverIpc(
  subscribe: (listener: (event: string, payload: unknown) => void) => () => void,
  window: () => OurWindow | null,
): void {
  subscribe((event, payload) => {
    const shown = window()
    if (shown !== null && !shown.isDestroyed()) shown.webContents.send('event', event, payload)
  })
}
