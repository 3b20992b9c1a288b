import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Download, DownloadList, DownloadQuery } from '../../electron/contract/api/downloads.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../components/latest-answer.ts'

/** Firmware files that are fetched, or were. */
export const useDownloads = defineStore('downloads', () => {
  const list = latestAnswer<DownloadList>()
  /** What the last thing that was asked for ended with; null: it went well. */
  const failure = shallowRef<Failure | null>(null)
  const starting = ref(false)
  const load = (): Promise<boolean> => list.take(api.downloads.list())

  async function take(asked: Promise<Outcome<unknown>>): Promise<boolean> {
    const outcome = await asked
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
    /** Answers whether it was taken on. */
    async start(query: DownloadQuery): Promise<boolean> {
      if (starting.value) return false
      starting.value = true
      try {
        return await take(api.downloads.start(query))
      } finally {
        starting.value = false
      }
    },
    /** The same file once more, and other bytes are taken for this reason. */
    accept: ({ vendorId, productId, version, buildType, bundle, folder }: Download, reason: string) =>
      take(
        api.downloads.start({
          ...{ vendorId, productId, version, buildType, folder },
          ...(bundle === null ? {} : { bundle: bundle.group }),
          acceptChanged: reason,
          acceptRevoked: true,
        }),
      ),
    pause: (id: string) => take(api.downloads.pause({ id })),
    resume: (id: string) => take(api.downloads.resume({ id })),
    cancel: (id: string) => take(api.downloads.cancel({ id })),
    show: (id: string) => take(api.downloads.show({ id })),
    /** Files go there from now on. */
    async chooseFolder(): Promise<void> {
      const chosen = await api.downloads.chooseFolder()
      failure.value = chosen.ok ? null : chosen.failure
      if (chosen.ok && chosen.value !== null)
        await take(api.app.setPreferences({ downloadFolder: chosen.value }))
    },
    /** Reads now and whenever one changes; answers the function that ends it. */
    follow(): () => void {
      void load()
      return api.downloads.changed(() => void load())
    },
  }
})
