import { defineStore } from 'pinia'
import type { Download, DownloadList, DownloadQuery } from '../../electron/contract/api/downloads.ts'
import { done, type Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Current and past downloads of firmware files. */
export const useDownloads = defineStore('downloads', () => {
  const list = latestResult<DownloadList>()
  /** The last action. */
  const acted = latestResult<unknown>()
  const started = latestResult<unknown>()
  const load = (): Promise<boolean> => list.take(api.downloads.list())

  async function take(request: Promise<Outcome<unknown>>): Promise<boolean> {
    await acted.take(request)
    await load()
    return (await request).ok
  }

  return {
    list: list.value,
    listFailure: list.failure,
    /** The failure of the last action; null: it succeeded. */
    failure: acted.failure,
    starting: started.busy,
    load,
    /** Returns whether it was accepted. */
    async start(query: DownloadQuery): Promise<boolean> {
      if (started.busy.value) return false
      const request = take(api.downloads.start(query))
      void started.take(request.then(done))
      return request
    },
    /** The same file again, and other bytes are accepted for this reason. */
    accept: ({ vendorId, productId, version, buildType, bundle, folder }: Download, reason: string) =>
      take(
        api.downloads.start({
          vendorId,
          productId,
          version,
          buildType,
          folder,
          ...(bundle === null ? {} : { bundle: bundle.group }),
          acceptChanged: reason,
          acceptRevoked: true,
        }),
      ),
    pause: (id: string) => take(api.downloads.pause({ id })),
    resume: (id: string) => take(api.downloads.resume({ id })),
    cancel: (id: string) => take(api.downloads.cancel({ id })),
    show: (id: string) => take(api.downloads.show({ id })),
    /** Sets the folder in which files are saved from now on. */
    async chooseFolder(): Promise<void> {
      const request = api.downloads.chooseFolder()
      await acted.take(request)
      const chosen = await request
      if (chosen.ok && chosen.value !== null)
        await take(api.app.setPreferences({ downloadFolder: chosen.value }))
    },
    /** Loads now and on every change; returns the function that stops it. */
    follow(): () => void {
      void load()
      return api.downloads.changed(() => void load())
    },
  }
})
