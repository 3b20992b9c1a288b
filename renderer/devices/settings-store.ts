import { defineStore } from 'pinia'
import type { DeviceSettings } from '../../electron/contract/setting.ts'
import { link } from '../link.ts'
import { latestAnswer } from '../parts/latest-answer.ts'

/** Settings of the device in the drawer. A reading that fails keeps what was read before beside the failure. */
export const useDeviceSettings = defineStore('device-settings', () => {
  const { value, failure, busy, take, clear } = latestAnswer<DeviceSettings>()
  return { value, failure, busy, clear, read: (id: string, refresh: boolean): Promise<boolean> => take(link.devices.settings({ id, refresh })) }
})
