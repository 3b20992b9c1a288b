import type { ElectronApplication } from '@playwright/test'

/** Whoever is asked where to save answers with this path, in Electron and its stand-in alike. */
export const saveTo = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)
