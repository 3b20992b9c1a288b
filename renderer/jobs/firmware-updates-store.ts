import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { text } from '../locales/i18n.ts'
import { updateOf, useJobPlan } from './job-plan-store.ts'

/** Updating firmware through the management interface, where the organization's profile names both addresses. */
export const useFirmwareUpdates = defineStore('firmware-updates', () => {
  const appLayout = useLayoutStore()
  const plan = useJobPlan()
  return {
    /** Why there is none; null: there is. */
    absent: computed(() => {
      const templates = appLayout.current?.templates
      return templates?.firmwareRead != null && templates.firmwareUpdate != null
        ? null
        : text('jobs.update.notPublished')
    }),
    /** Whether a device can be asked for the version it runs. */
    canRead: computed(() => appLayout.current?.templates.firmwareRead != null),
    ask: (selection: DeviceSelection, version: string) => plan.ask(updateOf(selection, version)),
  }
})
