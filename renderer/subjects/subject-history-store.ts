import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Change } from '../../electron/contract/api/changes.ts'
import { api } from '../api.ts'
import { text } from '../locales/i18n.ts'
import type { EventLine } from '../components/event.ts'
import { latestResult } from '../components/latest-result.ts'
import { wordOfStatus, type StatusKind } from '../components/status-kind.ts'

const marks: Readonly<Record<Change['kind'], StatusKind>> = {
  appeared: 'ok',
  gone: 'off',
  'came-back': 'ok',
  'went-offline': 'off',
  'back-online': 'ok',
  rebooted: 'busy',
  'firmware-changed': 'busy',
  'moved-room': 'busy',
  renamed: 'busy',
  'status-changed': 'unknown',
  'setting-changed': 'busy',
}

/** The labels of going offline and coming back say everything, so "online → offline" is omitted. */
const changeText = ({ kind, before, after }: Change): string | null => {
  if (kind === 'went-offline' || kind === 'back-online' || (before === null && after === null)) return null
  return text('devices.history.fromTo', {
    before: before === null ? '—' : wordOfStatus(before),
    after: after === null ? '—' : wordOfStatus(after),
  })
}
const eventOf = (change: Change): EventLine => ({
  id: change.id,
  kind: marks[change.kind],
  label: text(`devices.history.${change.kind}`),
  at: change.observedAt,
  what: changeText(change),
})

/** The changes that syncs found in the open device or room, newest first. */
export const useSubjectHistory = defineStore('subject-history', () => {
  const subject = ref<{ readonly of: Change['of']; readonly id: string } | null>(null)
  const answer = latestResult<readonly Change[]>()
  /** null: not read yet. */
  const events = computed(() => answer.value.value?.map(eventOf) ?? null)

  async function open(of: Change['of'], id: string): Promise<void> {
    if (subject.value?.id !== id || subject.value.of !== of) answer.clear()
    subject.value = { of, id }
    await answer.take(of === 'device' ? api.devices.history({ id }) : api.rooms.history({ id }))
  }
  function close(): void {
    subject.value = null
    answer.clear()
  }
  /** Reloads the same item. */
  const again = (): Promise<void> =>
    subject.value === null ? Promise.resolve() : open(subject.value.of, subject.value.id)
  return {
    events,
    failure: answer.failure,
    open,
    again,
    close,
    follow: (): (() => void) => api.changes.changed(() => void again()),
  }
})
