import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Job, JobItem, JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import type { SettingChange } from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { useSettingEdits } from './edits-store.ts'
import type { SettingEdit } from './setting-edit.ts'

export interface Review {
  readonly deviceId: string
  readonly name: string
  readonly changes: readonly SettingChange[]
  /** The edits at that time, so that later ones remain. */
  readonly edits: ReadonlyMap<string, SettingEdit>
}
/** The result of one device's changes; `item` null: pending. */
export interface ReviewResult {
  readonly review: Review
  readonly job: Job
  readonly item: JobItem | null
}

/** The changes of one device under review, and their result: one job of one item. */
export const useSettingsReview = defineStore('settings-review', () => {
  const edits = useSettingEdits()
  const review = shallowRef<Review | null>(null)
  const plan = shallowRef<JobPlan | null>(null)
  const item = shallowRef<PlannedItem | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const starting = ref(false)
  const results = shallowRef<ReadonlyMap<string, ReviewResult>>(new Map())
  const planning = computed(() => review.value !== null && plan.value === null && failure.value === null)
  let round = 0

  async function open(wanted: Review): Promise<void> {
    const mine = ++round
    review.value = wanted
    plan.value = null
    item.value = null
    failure.value = null
    const outcome = await api.jobs.plan({
      work: {
        kind: 'change-settings',
        selection: { kind: 'picked', ids: [wanted.deviceId] },
        changes: wanted.changes,
      },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    })
    const items = outcome.ok
      ? await api.jobs.planned({ plan: outcome.value.id, start: 0, count: 1 })
      : outcome
    if (mine !== round) return
    if (!outcome.ok || !items.ok) {
      failure.value = !outcome.ok ? outcome.failure : !items.ok ? items.failure : null
      return
    }
    item.value = items.value.items[0] ?? null
    plan.value = outcome.value
  }
  function close(): void {
    round += 1
    review.value = null
    plan.value = null
    item.value = null
    failure.value = null
  }
  async function start(unlock: boolean): Promise<void> {
    const [requested, of] = [plan.value, review.value]
    if (!requested || !of || starting.value) return
    starting.value = true
    const outcome = await api.jobs.start({ plan: requested.id, unlock, typed: null })
    starting.value = false
    if (!outcome.ok) {
      if (review.value === of) failure.value = outcome.failure
      return
    }
    tell({ review: of, job: outcome.value, item: null })
    if (review.value === of) close()
    follow()
    void look(of.deviceId)
  }

  function tell(one: ReviewResult): void {
    results.value = new Map([...results.value, [one.review.deviceId, one]])
  }
  async function look(deviceId: string): Promise<void> {
    const known = results.value.get(deviceId)
    if (!known || known.item) return
    const [job, items] = await Promise.all([
      api.jobs.get({ id: known.job.id }),
      api.jobs.items({ id: known.job.id, show: null, start: 0, count: 1 }),
    ])
    const still = results.value.get(deviceId)
    if (still?.job.id !== known.job.id || still.item || !job.ok || !items.ok) return
    const ended = items.value.items.find((one) => one.outcome !== null) ?? null
    tell({ ...known, job: job.value, item: ended })
    if (ended?.outcome !== 'done') return
    // A value that was edited again meanwhile is a new change.
    const now = edits.editsOf(deviceId)
    edits.revert(
      deviceId,
      [...known.review.edits].flatMap(([name, edit]) => (now.get(name) === edit ? [name] : [])),
    )
  }
  /** Runs only while a result is pending. */
  let unfollow: (() => void) | null = null
  function follow(): void {
    unfollow ??= api.jobs.changed(({ ids }) => {
      const pending = [...results.value.values()].filter(({ item: ended }) => ended === null)
      for (const one of pending) if (ids.includes(one.job.id)) void look(one.review.deviceId)
      if (pending.length > 0) return
      unfollow?.()
      unfollow = null
    })
  }
  /** Dismisses the message about a device. */
  function putAway(deviceId: string): void {
    results.value = new Map([...results.value].filter(([id]) => id !== deviceId))
  }

  return { review, plan, item, failure, starting, planning, results, open, close, start, putAway }
})
