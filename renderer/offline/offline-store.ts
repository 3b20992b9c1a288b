import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { OfflinePlan, OfflineReport } from '../../electron/contract/api/offline.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../components/latest-answer.ts'

/** Making ready for work without a connection: what it costs first, then how far it is and what came of it. */
export const useOffline = defineStore('offline', () => {
  const isOpen = ref(false)
  const plan = latestAnswer<OfflinePlan>()
  const report = latestAnswer<OfflineReport>()
  return {
    isOpen,
    plan: plan.value,
    planFailure: plan.failure,
    report: report.value,
    failure: report.failure,
    preparing: report.busy,
    async open(): Promise<void> {
      isOpen.value = true
      if (report.busy.value) return
      report.clear()
      await plan.take(api.offline.plan())
    },
    async prepare(): Promise<void> {
      if (!report.busy.value) await report.take(api.offline.prepare())
    },
  }
})
