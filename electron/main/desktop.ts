import { join } from 'node:path'
import { app, clipboard, dialog, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { Desktop } from '../core/platform.ts'
import { openerOutside } from './open-outside.ts'

/** A longer address is cut to fit into the question. Raise it if dialogs have room for more. */
const addressAtMost = 300

export const desktopOf = (
  window: () => BrowserWindow | null,
  demonstrationOrigin: () => string | null,
): Desktop => ({
  openOutside: openerOutside({
    demonstrationOrigin,
    ask: async ({ host, href }) => {
      const over = window()
      if (over === null) return false
      const { response } = await dialog.showMessageBox(over, {
        type: 'question',
        title: 'Headroom',
        message: `Open an address at ${host} in the browser?`,
        detail: `${href.length > addressAtMost ? `${href.slice(0, addressAtMost)}…` : href}\n\nHeadroom asks once for each host and lists it under Connections.`,
        buttons: ['Stay here', 'Open'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      })
      return response === 1
    },
    open: (url) => shell.openExternal(url),
  }),
  copy: async (text) => clipboard.writeText(text),
  saveAs: async (suggestedName) => {
    const options = { defaultPath: join(app.getPath('documents'), suggestedName) }
    const over = window()
    const { canceled, filePath } = await (over === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(over, options))
    return canceled || filePath === '' ? null : filePath
  },
  chooseFolder: async () => {
    const over = window()
    const options: OpenDialogOptions = {
      defaultPath: app.getPath('downloads'),
      properties: ['openDirectory', 'createDirectory'],
    }
    const { canceled, filePaths } = await (over === null
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(over, options))
    return canceled ? null : (filePaths[0] ?? null)
  },
  showFile: async (path) => shell.showItemInFolder(path),
})
