import { defineStore } from 'pinia'
import { computed } from 'vue'
import type {
  DocumentSelection,
  ReadDocuments,
  SchemaVersions,
} from '../../electron/contract/api/definitions.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** All documents of a product variant and firmware, or of a schema version. */
export const useDocuments = defineStore('definition-documents', () => {
  const answer = latestResult<ReadDocuments>()
  const versions = latestResult<SchemaVersions>()
  const schemas = computed(() => versions.value.value?.schemas ?? [])
  return {
    found: answer.value,
    failure: answer.failure,
    busy: answer.busy,
    schemas,
    /** Definition versions that the service lists; others can be typed. */
    definitionVersions: computed(() => [...new Set(schemas.value.flatMap(({ latest }) => latest ?? []))]),
    versionsFailure: versions.failure,
    loadVersions: (refresh: boolean) => versions.take(api.definitions.versions({ refresh })),
    load(selection: DocumentSelection) {
      answer.clear()
      return answer.take(api.definitions.documents({ selection, kinds: null }))
    },
    clear: () => answer.clear(),
  }
})
