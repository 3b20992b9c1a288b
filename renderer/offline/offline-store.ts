import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { OfflinePlan, OfflineReport } from '../../electron/contract/api/offline.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Preparing for offline use: the cost first, then progress and result. */
export const useOffline = defineStore('offline', () => {
  const isOpen = ref(false)
  const plan = latestResult<OfflinePlan>()
  const report = latestResult<OfflineReport>()
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
