import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { DocumentCacheSize, VersionWatch } from '../../electron/contract/api/metadata.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** For the organization in use: its metadata version, whether a newer one exists, and the size of its document cache. */
export const useMetadataWatch = defineStore('metadata-watch', () => {
  const versions = latestResult<VersionWatch>()
  const size = latestResult<DocumentCacheSize>()
  const cleared = latestResult<DocumentCacheSize>()

  async function load(): Promise<void> {
    cleared.clear()
    versions.clear()
    await Promise.all([
      versions.take(api.metadata.versions({ refresh: false })),
      size.take(api.metadata.cacheSize()),
    ])
  }
  const check = (): Promise<boolean> => versions.take(api.metadata.versions({ refresh: true }))
  async function clearCache(): Promise<boolean> {
    const request = api.metadata.clearCache()
    await Promise.all([cleared.take(request), size.take(request)])
    return (await request).ok
  }

  return {
    versions: versions.value,
    versionsFailure: versions.failure,
    checking: versions.busy,
    size: size.value,
    sizeFailure: computed(() => (cleared.failure.value === null ? size.failure.value : null)),
    clearFailure: cleared.failure,
    load,
    check,
    clearCache,
  }
})
