import { defineStore } from 'pinia'
import type { ContactedHost } from '../../electron/contract/api/connections.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../components/latest-answer.ts'
import { paced } from '../components/paced.ts'

/** Calls change the counts all the time: they are reloaded this seldom while the page is open. */
const AGAIN_AFTER_IN_MS = 5_000

/** Every host this program contacted, and why. */
export const useConnections = defineStore('connections', () => {
  const hosts = latestAnswer<readonly ContactedHost[]>()
  const load = (): Promise<boolean> => hosts.take(api.connections.list())
  return {
    hosts: hosts.value,
    failure: hosts.failure,
    load,
    /** Loads now and on status events; returns the function that stops it. */
    follow(): () => void {
      const pace = paced(() => void load(), AGAIN_AFTER_IN_MS)
      pace.call()
      const end = api.app.changed(pace.call)
      return () => {
        pace.stop()
        end()
      }
    },
  }
})
