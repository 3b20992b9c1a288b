import type { ElectronApplication } from '@playwright/test'

/** Every save dialog returns this path, in Electron and its stand-in alike. */
export const saveTo = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, path)

/** Every folder dialog returns this one. */
export const chooseFolder = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] })
  }, path)

/** Every dialog with buttons returns the button of this name. */
export const answerWith = (app: ElectronApplication, button: string): Promise<void> =>
  app.evaluate(({ dialog }, wanted) => {
    dialog.showMessageBox = async (...given: unknown[]) => {
      const { message, detail, buttons } = given.at(-1) as {
        message: string
        detail?: string
        buttons: string[]
      }
      Object.assign(globalThis, { askedOfTechnician: [message, detail ?? ''] })
      return { response: buttons.indexOf(wanted), checkboxChecked: false }
    }
  }, button)
/** The ten seconds after a No are over, in which no dialog asks again. */
export const passTenSeconds = (app: ElectronApplication): Promise<void> =>
  app.evaluate(() => {
    const real = performance.now.bind(performance)
    performance.now = () => real() + 11_000
  })
/** Message and detail of the last dialog; null: none since the program began. */
export const lastQuestion = (app: ElectronApplication): Promise<readonly string[] | null> =>
  app.evaluate(() => (globalThis as { askedOfTechnician?: readonly string[] }).askedOfTechnician ?? null)

/** Makes the system show no notification from now on; the last requested one is recorded. */
export const recordNotifications = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Notification }) => {
    Notification.prototype.show = function () {
      Object.assign(globalThis, { notified: this })
    }
  })
/** Its title; null: there was none. */
export const lastNotification = (app: ElectronApplication): Promise<string | null> =>
  app.evaluate(() => (globalThis as { notified?: { title: string } }).notified?.title ?? null)
