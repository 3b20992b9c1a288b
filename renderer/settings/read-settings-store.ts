import { defineStore } from 'pinia'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { ReadSettings, SettingsCost } from '../../electron/contract/api/settings.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Reads the settings of many devices at once; nothing is written. The task panel shows the progress, and cancels it. */
export const useReadSettings = defineStore('read-settings', () => {
  const done = latestResult<ReadSettings>()
  const costOf = (selection: DeviceSelection): Promise<Outcome<SettingsCost>> =>
    api.devices.settingsCost({ selection })
  async function load(selection: DeviceSelection): Promise<Outcome<ReadSettings>> {
    const request = api.devices.readSettings({ selection })
    await done.take(request)
    return request
  }
  return { reading: done.busy, costOf, load }
})
