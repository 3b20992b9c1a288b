import { defineStore } from 'pinia'
import type { ContactedHost } from '../../electron/contract/api/connections.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../components/latest-answer.ts'
import { paced } from '../components/paced.ts'

/** Calls change the figures all the time: they are read again this seldom while the page is open. */
const AGAIN_AFTER_IN_MS = 5_000

/** Every host this program contacted, and why. */
export const useConnections = defineStore('connections', () => {
  const hosts = latestAnswer<readonly ContactedHost[]>()
  const load = (): Promise<boolean> => hosts.take(api.connections.list())
  return {
    hosts: hosts.value,
    failure: hosts.failure,
    load,
    /** Reads now and while the standing changes; answers the function that ends it. */
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
