import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { RecoveryFacts } from '../../electron/contract/api/metadata.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'

/** The data about one USB id of a device in recovery mode. */
export const useRecovery = defineStore('recovery', () => {
  const found = latestResult<RecoveryFacts>()
  const text = ref('')
  organizationSwitched(() => {
    text.value = ''
    found.clear()
  })
  return {
    found: found.value,
    failure: found.failure,
    busy: found.busy,
    /** The text of the last lookup, as typed. */
    text,
    async find(typed: string): Promise<void> {
      if (typed !== text.value) found.clear()
      text.value = typed
      if (typed === '') return
      await found.take(api.metadata.recovery({ text: typed }))
      refreshNow()
    },
  }
})
