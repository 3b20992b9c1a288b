import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { ReadSettings, SettingsCost } from '../../electron/contract/api/settings.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'

/** Reads the settings of many devices at once; nothing is written. The task panel shows the progress, and cancels it. */
export const useReadSettings = defineStore('read-settings', () => {
  const reading = ref(false)
  const costOf = (selection: DeviceSelection): Promise<Outcome<SettingsCost>> =>
    api.devices.settingsCost({ selection })
  async function load(selection: DeviceSelection): Promise<Outcome<ReadSettings>> {
    reading.value = true
    try {
      return await api.devices.readSettings({ selection })
    } finally {
      reading.value = false
    }
  }
  return { reading, costOf, load }
})
