import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { text } from '../locales/i18n.ts'
import { updateOf, useJobPlan } from './job-plan-store.ts'

/** Updating firmware through the management interface, if the organization's profile has both addresses. */
export const useFirmwareUpdates = defineStore('firmware-updates', () => {
  const appLayout = useLayoutStore()
  const plan = useJobPlan()
  return {
    /** Why updates are unavailable; null: they are available. */
    absent: computed(() => {
      const templates = appLayout.current?.templates
      return templates?.firmwareRead != null && templates.firmwareUpdate != null
        ? null
        : text('jobs.update.notPublished')
    }),
    /** Whether a device can report its version on request. */
    canRead: computed(() => appLayout.current?.templates.firmwareRead != null),
    ask: (selection: DeviceSelection, version: string) => plan.ask(updateOf(selection, version)),
    /** The devices of rooms, each to its approved version, else the latest. */
    askRooms: (rooms: DeviceSelection) => plan.ask(updateOf(rooms, 'advised', { of: 'rooms' })),
  }
})
