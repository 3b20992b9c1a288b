import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'
import type { Job, JobItem, JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import type { SettingChange } from '../../electron/contract/api/settings.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
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
  const planned = latestResult<{ readonly plan: JobPlan; readonly item: PlannedItem | null }>()
  const plan = computed(() => planned.value.value?.plan ?? null)
  const item = computed(() => planned.value.value?.item ?? null)
  const started = latestResult<Job>()
  const failure = computed(() => started.failure.value ?? planned.failure.value)
  const results = shallowRef<ReadonlyMap<string, ReviewResult>>(new Map())

  async function planOf({
    deviceId,
    changes,
  }: Review): Promise<Outcome<{ readonly plan: JobPlan; readonly item: PlannedItem | null }>> {
    const made = await api.jobs.plan({
      work: { kind: 'change-settings', selection: { kind: 'picked', ids: [deviceId] }, changes },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    })
    if (!made.ok) return made
    const items = await api.jobs.planned({ plan: made.value.id, start: 0, count: 1 })
    return items.ok ? { ok: true, value: { plan: made.value, item: items.value.items[0] ?? null } } : items
  }
  async function open(wanted: Review): Promise<void> {
    planned.clear()
    started.clear()
    review.value = wanted
    await planned.take(planOf(wanted))
  }
  function close(): void {
    review.value = null
    planned.clear()
    started.clear()
  }
  async function start(unlock: boolean): Promise<void> {
    const [requested, of] = [plan.value, review.value]
    if (!requested || !of || started.busy.value) return
    const request = api.jobs.start({ plan: requested.id, unlock, typed: null })
    const isLatest = await started.take(request)
    const outcome = await request
    if (!outcome.ok) return
    tell({ review: of, job: outcome.value, item: null })
    if (isLatest) close()
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

  return {
    review,
    plan,
    item,
    failure,
    starting: started.busy,
    planning: planned.busy,
    results,
    open,
    close,
    start,
    putAway,
  }
})
