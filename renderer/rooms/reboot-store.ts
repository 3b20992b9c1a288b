import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { WriteReport } from '../../electron/contract/api/writes.ts'
import { api } from '../api.ts'
import { text } from '../locales/i18n.ts'
import type { RebootOutlook } from '../writes/reboot-outlook.ts'
import { readRebootOutlook } from './reboot-plan-store.ts'
import { useRebootWatch } from './reboot-watch-store.ts'

export type RebootStep =
  /** The room is read again for its members. */
  | 'planning'
  /** The plan is there: one question. */
  | 'asking'
  /** Confirmed, not sent: a device of the room was written to less than a minute ago. */
  | 'waiting'
  | 'sending'
  | 'ended'

/** From "Reboot room" to how it ended. One at a time: the dialog is the only way to it, from a room and from a device. */
export const useReboot = defineStore('reboot', () => {
  const watch = useRebootWatch()
  const roomId = ref<string | null>(null)
  const step = ref<RebootStep>('planning')
  const outlook = shallowRef<RebootOutlook | null>(null)
  const report = shallowRef<WriteReport | null>(null)
  /** Why there is no plan, or why nothing was sent. */
  const failure = shallowRef<Failure | null>(null)
  const waitingUntil = ref<number | null>(null)
  const endedAt = ref<number | null>(null)
  let round = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const plan = computed(() => outlook.value?.plan ?? null)
  const mayConfirm = computed(
    () => step.value === 'asking' && plan.value !== null && plan.value.problem !== 'members-unknown',
  )

  function forget(): number {
    clearTimeout(timer)
    report.value = null
    failure.value = null
    waitingUntil.value = null
    endedAt.value = null
    return ++round
  }
  /** Asks nothing of the room but who is in it, and reminds of a reboot that nobody saw end. */
  async function open(id: string): Promise<void> {
    const mine = forget()
    roomId.value = id
    outlook.value = null
    step.value = 'planning'
    const outcome = await readRebootOutlook(id)
    if (mine !== round) return
    if (outcome.ok) {
      outlook.value = outcome.value
      step.value = 'asking'
    } else {
      failure.value = outcome.failure
      step.value = 'ended'
    }
  }
  /**
   * Sends once. While a slot is not free nothing is sent: the view counts down and asks again by itself, because the technician
   * has confirmed; locking writes or closing the dialog ends that. After any answer but `waiting` nothing is sent again.
   */
  async function send(unlock: boolean, mine: number): Promise<void> {
    const id = roomId.value
    if (id === null) return
    step.value = 'sending'
    const outcome = await api.rooms.reboot({ id, unlock, wait: false })
    if (mine !== round) return
    if (outcome.ok && outcome.value.outcome === 'waiting' && outcome.value.earliestAt !== null) {
      waitingUntil.value = outcome.value.earliestAt
      step.value = 'waiting'
      // Locked meanwhile by hand: the second try is refused, as it should be.
      timer = setTimeout(() => void send(false, mine), Math.max(0, outcome.value.earliestAt - Date.now()))
      return
    }
    waitingUntil.value = null
    report.value = outcome.ok ? outcome.value : null
    failure.value = outcome.ok ? outcome.value.failure : outcome.failure
    endedAt.value = Date.now()
    step.value = 'ended'
    const sent = plan.value
    if (report.value?.outcome !== 'accepted' || sent === null) return
    // One that is not listed may stand elsewhere: it is waited for only where nothing is listed.
    const listed = sent.devices.filter(({ listedNow }) => listedNow)
    watch.start(
      sent.room.id,
      sent.room.name ?? text('rooms.unnamed'),
      listed.length > 0 ? listed : sent.devices,
    )
  }
  /** `unlock`: the dialog said that confirming unlocks writes. */
  async function confirm(unlock: boolean): Promise<void> {
    if (mayConfirm.value) await send(unlock, forget())
  }
  function close(): void {
    forget()
    roomId.value = null
    outlook.value = null
  }

  return {
    roomId,
    step,
    outlook,
    plan,
    report,
    failure,
    waitingUntil,
    endedAt,
    mayConfirm,
    open,
    confirm,
    close,
  }
})
