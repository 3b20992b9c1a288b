import { defineStore } from 'pinia'
import type { Telemetry } from '../../electron/contract/api/metadata.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'

/** The telemetry definitions of the current organization's metadata interface. */
export const useTelemetry = defineStore('telemetry', () => {
  const telemetry = latestResult<Telemetry>()
  return {
    telemetry: telemetry.value,
    failure: telemetry.failure,
    busy: telemetry.busy,
    async load(refresh: boolean): Promise<void> {
      // The last ones may belong to another organization.
      if (!refresh) telemetry.clear()
      await telemetry.take(api.metadata.telemetry({ refresh }))
      refreshNow()
    },
  }
})
