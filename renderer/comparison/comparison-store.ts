import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { Comparison } from '../../electron/contract/api/comparison.ts'
import type { JobWork } from '../../electron/contract/api/jobs.ts'
import { deviceDetail, deviceTitle } from '../../electron/contract/device-name.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { api } from '../api.ts'
import type { PickItem } from '../components/PickList.vue'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { useJobPlan } from '../jobs/job-plan-store.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { text } from '../locales/i18n.ts'
import { jobsOf } from './like-a.ts'

/** Two rooms or two devices; without `b` the second is not chosen yet. */
export interface Compared {
  readonly of: 'rooms' | 'devices'
  readonly a: string
  readonly b: string | null
}

/** Offered rooms or devices; more are found by typing. */
const OFFERED = 50

/** The open comparison, what of it goes into a plan, and the plans that wait for their turn. */
export const useComparison = defineStore('comparison', () => {
  const plan = useJobPlan()
  const open = shallowRef<Compared | null>(null)
  const keyOfOpen = (): string | null => open.value && JSON.stringify(open.value)
  const found = resultOf<Comparison>(keyOfOpen)
  const offers = latestResult<readonly PickItem[]>()
  const reading = latestResult<unknown>()
  /** Lines that were unticked; every other change is part of the plan. */
  const unticked = shallowRef<ReadonlySet<string>>(new Set())

  const comparison = computed(() => found.answer.value.value)
  const works = computed<readonly JobWork[]>(() =>
    comparison.value === null ? [] : jobsOf(comparison.value, (key) => !unticked.value.has(key)),
  )

  async function load(): Promise<void> {
    const [wanted, of] = [open.value, keyOfOpen()]
    if (wanted === null || of === null) return
    // Until a second one is chosen only the first is shown.
    await found.take(of, api.comparison[wanted.of]({ a: wanted.a, b: wanted.b ?? wanted.a }))
  }
  async function show(wanted: Compared): Promise<void> {
    open.value = wanted
    unticked.value = new Set()
    reading.clear()
    offers.clear()
    await load()
  }
  function tick(key: string, on: boolean): void {
    unticked.value = new Set(on ? [...unticked.value].filter((one) => one !== key) : [...unticked.value, key])
  }
  /** Reads the settings of these devices, with one call each, until the first failure. */
  async function readSettings(ids: readonly string[]): Promise<void> {
    if (reading.busy.value) return
    // One that cannot be read does not keep the others from being read.
    const all = async (): Promise<Outcome<unknown>> => {
      let result: Outcome<unknown> = { ok: true, value: null }
      for (const id of ids) {
        const outcome = await api.devices.settings({ id, refresh: true })
        if (!outcome.ok) result = outcome
      }
      return result
    }
    await reading.take(all())
    await load()
  }
  /** Rooms or devices to compare with. */
  async function offer(of: Compared['of'], typed: string): Promise<void> {
    const slice = {
      where: typed,
      sort: [{ column: 'name', descending: false } as const],
      start: 0,
      count: OFFERED,
    }
    await offers.take(of === 'rooms' ? roomOffers(slice) : deviceOffers(slice))
  }

  const waiting = shallowRef<readonly JobWork[]>([])
  const startedBefore = shallowRef(plan.started)
  function askNext(): void {
    const [work, ...rest] = waiting.value
    waiting.value = rest
    startedBefore.value = plan.started
    if (work !== undefined) void plan.ask(work)
  }
  /** Opens the plans one after the other: the next one when one has started. Closing one leaves out the others. */
  function make(): void {
    waiting.value = works.value
    askNext()
  }
  watch(
    () => plan.request,
    (request) => {
      if (request !== null || waiting.value.length === 0) return
      if (plan.started === startedBefore.value) waiting.value = []
      else askNext()
    },
  )
  function follow(): () => void {
    const reload = throttle(() => void load(), RELOAD_EVERY_IN_MS)
    const disposers = [
      api.rooms.changed(reload.call),
      api.devices.changed(reload.call),
      // Also told when settings were read.
      api.goldenProfiles.changed(reload.call),
    ]
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }

  return {
    comparison,
    failure: computed(() => found.answer.value.failure),
    works,
    reading: reading.busy,
    readFailure: reading.failure,
    offers: offers.value,
    isTicked: (key: string) => !unticked.value.has(key),
    show,
    tick,
    readSettings,
    offer,
    make,
    follow,
  }
})

type Slice = Parameters<typeof api.rooms.list>[0]

async function roomOffers(slice: Slice): Promise<Outcome<readonly PickItem[]>> {
  const outcome = await api.rooms.list(slice)
  return outcome.ok
    ? {
        ok: true,
        value: outcome.value.rows.map(({ id, name, location }) => ({
          id,
          title: name ?? text('rooms.unnamed'),
          detail: location,
        })),
      }
    : outcome
}

async function deviceOffers(slice: Omit<Slice, 'sort'>): Promise<Outcome<readonly PickItem[]>> {
  const outcome = await api.devices.slice({ ...slice, sort: [] })
  return outcome.ok
    ? {
        ok: true,
        value: outcome.value.rows.map((row) => ({
          id: row.id,
          title: deviceTitle(row),
          detail: deviceDetail(row),
          picture: formFactorOf(row.productName ?? row.name),
        })),
      }
    : outcome
}
