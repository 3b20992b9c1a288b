import { defineStore } from 'pinia'
import type { DeviceSettings } from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/**
 * Settings of the device in the drawer. After a failed read the previous data remains, together with the
 * failure.
 */
export const useDeviceSettings = defineStore('device-settings', () => {
  const answer = latestResult<DeviceSettings>()
  return {
    value: answer.value,
    failure: answer.failure,
    busy: answer.busy,
    clear: (): void => answer.clear(),
    load: (id: string, refresh: boolean): Promise<boolean> =>
      answer.take(api.devices.settings({ id, refresh })),
  }
})
