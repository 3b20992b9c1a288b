import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { WriteLock } from '../../electron/contract/api/writes.ts'
import { api } from '../api.ts'
import { useCountdown } from '../components/countdown.ts'

/** Whether actions of the current organization are unlocked, and until when; locked while unknown. */
export const useWriteLock = defineStore('write-lock', () => {
  const lock = shallowRef<WriteLock>({ unlocked: false, untilAt: null })
  const remainingInMs = useCountdown(() => lock.value.untilAt)
  const unlocked = computed(
    () => lock.value.unlocked && (lock.value.untilAt === null || remainingInMs.value > 0),
  )

  async function load(): Promise<void> {
    const outcome = await api.writes.lock()
    if (outcome.ok) lock.value = outcome.value
  }
  async function lockNow(): Promise<boolean> {
    const outcome = await api.writes.lockNow()
    if (outcome.ok) lock.value = outcome.value
    return outcome.ok
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
