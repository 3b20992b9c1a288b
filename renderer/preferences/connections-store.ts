import { defineStore } from 'pinia'
import type { ContactedHost } from '../../electron/contract/api/connections.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'

/**
 * Minimum interval of reloading the counts while the page is open, because calls change them all the time.
 */
const AGAIN_AFTER_IN_MS = 5_000

/** Every host this program contacted, and why. */
export const useConnections = defineStore('connections', () => {
  const hosts = latestResult<readonly ContactedHost[]>()
  const load = (): Promise<boolean> => hosts.take(api.connections.list())
  return {
    hosts: hosts.value,
    failure: hosts.failure,
    load,
    /** Loads now and on status events; returns the function that stops it. */
    follow(): () => void {
      const throttled = throttle(() => void load(), AGAIN_AFTER_IN_MS)
      throttled.call()
      const end = api.app.changed(throttled.call)
      return () => {
        throttled.stop()
        end()
      }
    },
  }
})
