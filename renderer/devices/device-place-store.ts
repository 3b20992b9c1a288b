import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { DeviceListQuery } from '../../electron/contract/api/devices.ts'
import { api } from '../api.ts'
import { listPlace } from '../components/list-place.ts'

/** The position of the open device in its list. */
export const useDevicePlace = defineStore('device-place', () => {
  const list = shallowRef<DeviceListQuery>({ where: '', sort: [] })
  const place = listPlace({
    position: (id) => api.devices.position({ ...list.value, id }),
    idAt: async (start) => {
      const outcome = await api.devices.slice({ ...list.value, start, count: 1 })
      return outcome.ok ? { ok: true, value: outcome.value.rows[0]?.id ?? null } : outcome
    },
  })
  return {
    ...place,
    find(id: string, inList: DeviceListQuery): Promise<void> {
      list.value = inList
      return place.find(id)
    },
  }
})
