import { defineStore } from 'pinia'
import { api } from '../api.ts'
import { deviceWindows } from './device-windows.ts'

/** Values that devices hold and their feature models do not allow, golden profile or not. */
export const useNotAllowed = defineStore('not-allowed', () =>
  deviceWindows((window) => api.goldenProfiles.notAllowed(window)),
)
