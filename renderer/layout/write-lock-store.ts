import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { WriteLock } from '../../electron/contract/api/writes.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { useCountdown } from '../components/countdown.ts'

/** Whether actions of the current organization are unlocked, and until when; locked while unknown. */
export const useWriteLock = defineStore('write-lock', () => {
  const answer = latestResult<WriteLock>()
  const lock = computed<WriteLock>(() => answer.value.value ?? { unlocked: false, untilAt: null })
  const remainingInMs = useCountdown(() => lock.value.untilAt)
  const unlocked = computed(
    () => lock.value.unlocked && (lock.value.untilAt === null || remainingInMs.value > 0),
  )

  async function load(): Promise<void> {
    await answer.take(api.writes.lock())
  }
  async function lockNow(): Promise<boolean> {
    const request = api.writes.lockNow()
    await answer.take(request)
    return (await request).ok
  }
  /** A write extends the time, so the lock is also queried on events of the journal. */
  function follow(): () => void {
    const again = (): void => void load()
    const disposers = [
      api.writes.changed(again),
      api.journal.changed(again),
      api.organizations.changed(again),
    ]
    again()
    return () => disposers.forEach((end) => end())
  }

  return { lock, unlocked, remainingInMs, load, lockNow, follow }
})
