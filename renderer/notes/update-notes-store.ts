import { defineStore } from 'pinia'
import type { ReleaseNotes, ReleaseNotesQuery } from '../../electron/contract/api/release-notes.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** The release notes beside versions and updates; one of them is open at a time. */
export const useUpdateNotes = defineStore('update-notes', () => {
  const notes = latestResult<ReleaseNotes>()
  return {
    notes: notes.value,
    failure: notes.failure,
    busy: notes.busy,
    async open(query: ReleaseNotesQuery) {
      notes.clear()
      await notes.take(api.releaseNotes.get(query))
    },
  }
})
