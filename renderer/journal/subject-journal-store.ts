import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { JournalPage } from '../../electron/contract/api/journal.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { useNow } from '../components/now.ts'
import { eventOf } from './journal-text.ts'

/** The maximum number of entries in a drawer; the page lists all of them. */
const SHOWN = 50

/** The writes to the device or room in the drawer, newest first. */
export const useSubjectJournal = defineStore('subject-journal', () => {
  const now = useNow()
  const subjectId = ref<string | null>(null)
  const page = latestResult<JournalPage>()
  const lines = computed(() => page.value.value?.lines ?? [])
  const events = computed(() => lines.value.map((line) => eventOf(line, now.value)))
  const total = computed(() => page.value.value?.total ?? null)

  async function open(id: string): Promise<void> {
    if (subjectId.value !== id) page.clear()
    subjectId.value = id
    await page.take(api.journal.list({ where: '', subjectId: id, start: 0, count: SHOWN }))
  }
  function close(): void {
    subjectId.value = null
    page.clear()
  }
  const follow = (): (() => void) =>
    api.journal.changed(() => void (subjectId.value !== null && open(subjectId.value)))

  return { lines, events, total, failure: page.failure, open, close, follow }
})
