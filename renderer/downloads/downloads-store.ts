import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Download, DownloadList, DownloadQuery } from '../../electron/contract/api/downloads.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Current and past downloads of firmware files. */
export const useDownloads = defineStore('downloads', () => {
  const list = latestResult<DownloadList>()
  /** The failure of the last action; null: it succeeded. */
  const failure = shallowRef<Failure | null>(null)
  const starting = ref(false)
  const load = (): Promise<boolean> => list.take(api.downloads.list())

  async function take(request: Promise<Outcome<unknown>>): Promise<boolean> {
    const outcome = await request
    failure.value = outcome.ok ? null : outcome.failure
    await load()
    return outcome.ok
  }

  return {
    list: list.value,
    listFailure: list.failure,
    failure,
    starting,
    load,
    /** Returns whether it was accepted. */
    async start(query: DownloadQuery): Promise<boolean> {
      if (starting.value) return false
      starting.value = true
      try {
        return await take(api.downloads.start(query))
      } finally {
        starting.value = false
      }
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
      const chosen = await api.downloads.chooseFolder()
      failure.value = chosen.ok ? null : chosen.failure
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
