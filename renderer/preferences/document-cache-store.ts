import { defineStore } from 'pinia'
import type { DocumentCacheSize } from '../../electron/contract/api/metadata.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** The size of the metadata document cache on this computer; after clearing, documents are read again on demand. */
export const useDocumentCache = defineStore('document-cache', () => {
  const size = latestResult<DocumentCacheSize>()
  return {
    size: size.value,
    failure: size.failure,
    busy: size.busy,
    load: () => size.take(api.metadata.cacheSize()),
    async clear(): Promise<boolean> {
      await size.take(api.metadata.clearCache())
      return size.failure.value === null
    },
  }
})
