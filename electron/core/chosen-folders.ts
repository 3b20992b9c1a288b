import { Failed } from '../contract/failure.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'

/**
 * The handlers of the window, for which only those folders count that its own dialog returned in this run: a
 * script in the page writes and reads nowhere else. null is the default folder.
 */
export function onlyChosenFolders(handlers: AllHandlers): AllHandlers {
  const { app, downloads, kits } = handlers
  const chosen = new Set<string>()
  const mustBeChosen = (...paths: readonly (string | null | undefined)[]): void => {
    if (paths.some((path) => typeof path === 'string' && !chosen.has(path)))
      throw Failed.invalid('folder', 'Choose the folder in the dialog first.')
  }
  return {
    ...handlers,
    app: {
      ...app,
      setPreferences: async (changed) => {
        mustBeChosen(changed.downloadFolder)
        return app.setPreferences(changed)
      },
    },
    downloads: {
      ...downloads,
      chooseFolder: async () => {
        const folder = await downloads.chooseFolder()
        if (folder !== null) chosen.add(folder)
        return folder
      },
      start: async (query) => {
        mustBeChosen(query.folder)
        return downloads.start(query)
      },
      verify: async (query) => {
        mustBeChosen(...query.files)
        return downloads.verify(query)
      },
    },
    kits: {
      ...kits,
      make: async (query) => {
        mustBeChosen(query.folder)
        return kits.make(query)
      },
    },
  }
}
