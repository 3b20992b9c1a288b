import { defineStore } from 'pinia'
import type { DriftedDevice, NotAllowedWindow } from '../../electron/contract/api/golden-profiles.ts'
import { api } from '../api.ts'
import { useList } from '../lists/use-list.ts'

/** Devices asked for at once. */
const COUNT = 100

/** Values that devices hold and their feature models do not allow, golden profile or not. */
export const useNotAllowed = defineStore('not-allowed', () => {
  const all = {}
  return useList({
    question: () => all,
    count: COUNT,
    fetch: (_, { start, count }) => api.goldenProfiles.notAllowed({ start, count }),
    rowsOf: (window: NotAllowedWindow): readonly DriftedDevice[] => window.rows,
    idOf: (device) => device.id,
    replacedBy: [api.organizations.changed],
  })
})
