import { defineStore } from 'pinia'
import type { DriftedDevice, NotAllowedSlice } from '../../electron/contract/api/golden-profiles.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { useList } from '../lists/use-list.ts'

/** Devices per request. */
const COUNT = 100

/** Values of devices that their feature models do not allow, with or without a golden profile. */
export const useNotAllowed = defineStore('not-allowed', () => {
  const all = {}
  return useList({
    question: () => all,
    count: COUNT,
    fetch: (_, { start, count }) => api.goldenProfiles.notAllowed({ start, count }),
    rowsOf: (slice: NotAllowedSlice): readonly DriftedDevice[] => slice.rows,
    idOf: (device) => device.id,
    replacedBy: [organizationSwitched],
  })
})
