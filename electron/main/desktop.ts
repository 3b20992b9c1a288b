import { join } from 'node:path'
import { app, clipboard, dialog, shell } from 'electron'
import { Failed } from '../contract/failure.ts'
import type { Desktop } from '../core/host.ts'

export const desktop: Desktop = {
  // https only, whoever asks: shell.openExternal would start any program that claims a scheme.
  openOutside: async (url) => {
    const address = URL.canParse(url) ? new URL(url) : null
    if (address?.protocol !== 'https:' || address.username !== '' || address.password !== '')
      throw new Failed({ kind: 'invalid', field: 'url', message: 'Only https addresses are opened outside.' })
    await shell.openExternal(address.href)
  },
  copy: async (text) => clipboard.writeText(text),
  saveAs: async (suggestedName) => {
    const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: join(app.getPath('documents'), suggestedName) })
    return canceled || filePath === '' ? null : filePath
  },
  showFile: async (path) => shell.showItemInFolder(path),
}
