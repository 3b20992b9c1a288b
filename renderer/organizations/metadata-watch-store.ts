import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { DocumentCacheSize, VersionWatch } from '../../electron/contract/api/metadata.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** For the organization in use: its metadata version, whether a newer one exists, and the size of its document cache. */
export const useMetadataWatch = defineStore('metadata-watch', () => {
  const versions = latestResult<VersionWatch>()
  const size = latestResult<DocumentCacheSize>()
  const clearFailure = shallowRef<Failure | null>(null)

  async function load(): Promise<void> {
    clearFailure.value = null
    versions.clear()
    await Promise.all([
      versions.take(api.metadata.versions({ refresh: false })),
      size.take(api.metadata.cacheSize()),
    ])
  }
  const check = (): Promise<boolean> => versions.take(api.metadata.versions({ refresh: true }))
  async function clearCache(): Promise<boolean> {
    const outcome = await api.metadata.clearCache()
    clearFailure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok) size.value.value = outcome.value
    return outcome.ok
  }

  return {
    versions: versions.value,
    versionsFailure: versions.failure,
    checking: versions.busy,
    size: size.value,
    sizeFailure: size.failure,
    clearFailure,
    load,
    check,
    clearCache,
  }
})
