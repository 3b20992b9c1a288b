import { join } from 'node:path'
import { app, clipboard, dialog, shell, type BrowserWindow } from 'electron'
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
    const { canceled, filePath } = await dialog.showSaveDialog({
      defaultPath: join(app.getPath('documents'), suggestedName),
    })
    return canceled || filePath === '' ? null : filePath
  },
  chooseFolder: async () => {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      defaultPath: app.getPath('downloads'),
      properties: ['openDirectory', 'createDirectory'],
    })
    return canceled ? null : (filePaths[0] ?? null)
  },
  showFile: async (path) => shell.showItemInFolder(path),
})
