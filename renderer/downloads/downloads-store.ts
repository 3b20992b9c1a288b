import { defineStore } from 'pinia'
import { computed, shallowReactive } from 'vue'
import type { Download, DownloadList, DownloadQuery } from '../../electron/contract/api/downloads.ts'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

/** Current and past downloads of firmware files. */
export const useDownloads = defineStore('downloads', () => {
  const list = latestResult<DownloadList>()
  /** The last action on a download. */
  const acted = latestResult<unknown>()
  /** Files that are being requested, and those that were refused since. */
  const starts = shallowReactive(
    new Map<string, { readonly of: ProductId; readonly result: LatestResult<unknown> }>(),
  )
  const load = (): Promise<boolean> => list.take(api.downloads.list())

  /** Requests without a response remain. */
  function forgetFailures(): void {
    acted.failure.value = null
    for (const [key, { result }] of starts) if (!result.busy.value) starts.delete(key)
  }
  const startsOf = ({ vendorId, productId }: ProductId): readonly LatestResult<unknown>[] =>
    [...starts.values()]
      .filter(({ of }) => of.vendorId === vendorId && of.productId === productId)
      .map(({ result }) => result)
  const firstOf = (results: readonly LatestResult<unknown>[]): Failure | null =>
    results.find(({ failure }) => failure.value !== null)?.failure.value ?? null

  async function take(request: Promise<Outcome<unknown>>): Promise<boolean> {
    forgetFailures()
    await acted.take(request)
    await load()
    return (await request).ok
  }

  return {
    list: list.value,
    listFailure: list.failure,
    /** Why the last action, or a file that was requested, failed. */
    failure: computed(() => acted.failure.value ?? firstOf([...starts.values()].map(({ result }) => result))),
    /** Why a file of this product was refused. */
    failureOf: (product: ProductId) => firstOf(startsOf(product)),
    isStarting: (product: ProductId) => startsOf(product).some(({ busy }) => busy.value),
    /** To be called when another page is opened. */
    forgetFailures,
    load,
    /** Returns whether it was accepted; false also while the same file is being requested. */
    async start(query: DownloadQuery): Promise<boolean> {
      const key = JSON.stringify(query)
      if (starts.get(key)?.result.busy.value) return false
      forgetFailures()
      const result = latestResult<unknown>()
      starts.set(key, { of: query, result })
      const request = api.downloads.start(query)
      await result.take(request)
      await load()
      return (await request).ok
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
