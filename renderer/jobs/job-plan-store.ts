import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import { watchedForInMinutes } from '../../electron/contract/job.ts'
import type {
  Job,
  JobDraft,
  JobPlan,
  JobTerms,
  JobWork,
  PlannedItem,
} from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { useList } from '../lists/use-list.ts'
import { useTasks } from '../tasks/tasks-store.ts'

/** Planned items per request. */
const COUNT = 100
/** Devices shown below a product: the rest is in the list of all devices. */
const COUNT_OF_PRODUCT = 50

export const atOnce: JobTerms = { startAt: null, window: null, keepTrying: false, canary: false }

/** The reboot of one room. */
export const rebootOf = (roomId: string): JobWork => ({
  kind: 'reboot-rooms',
  of: 'rooms',
  selection: { kind: 'picked', ids: [roomId] },
})

/** The update of devices to a version, `latest`, `approved` or `advised`. */
export const updateOf = (
  selection: DeviceSelection,
  version: string,
  of: Pick<FirmwareWork, 'of'> = {},
): FirmwareWork => ({
  kind: 'update-firmware',
  ...of,
  selection,
  version,
  allowDowngrade: false,
  watchForInMinutes: watchedForInMinutes,
})
export type FirmwareWork = Extract<JobWork, { readonly kind: 'update-firmware' }>

/** A job, and the one item of it that is tried again; missing: all that failed. */
type Retry = Parameters<typeof api.jobs.retry>[0]

/**
 * Where a plan was requested: `back` returns there without a change, `closed` is called when returning is no
 * longer possible.
 */
export interface RequestOrigin {
  readonly back: () => void
  readonly closed: () => void
}

/**
 * The open plan, from its request ("Reboot 214 rooms") to its start. Pages request it here (`ask`,
 * `askAgain`), App.vue shows the dialog while there is a request; `started` is the last started job.
 */
export const useJobPlan = defineStore('job-plan', () => {
  const request = shallowRef<{ readonly work: JobWork } | { readonly retryOf: Retry } | null>(null)
  const from = shallowRef<RequestOrigin | null>(null)
  const planned = latestResult<JobPlan>()
  const plan = planned.value
  const terms = shallowRef<JobTerms>(atOnce)
  /** Ids that a technician wants to try first, the last choice first. */
  const first = shallowRef<readonly string[]>([])
  /** The last start, and its plan. */
  const started = latestResult<Job>()
  const startedPlan = ref<string | null>(null)

  const planId = computed(() => plan.value?.id ?? null)
  const list = useList({
    question: () => (planId.value === null ? null : { plan: planId.value }),
    count: COUNT,
    fetch: (question, slice) => api.jobs.planned({ ...question, start: slice.start, count: slice.count }),
    rowsOf: (page: { readonly items: readonly PlannedItem[]; readonly total: number }) => page.items,
    idOf: ({ target }) => `${target.of} ${target.id}`,
  })
  /** The opened product, by its place in the plan; null: none. */
  const product = ref<number | null>(null)
  const keyOfProduct = computed(() =>
    product.value === null || planId.value === null ? null : `${planId.value} ${product.value}`,
  )
  const ofProduct = resultOf<{ readonly items: readonly PlannedItem[]; readonly total: number }>(
    () => keyOfProduct.value,
  )
  watch(keyOfProduct, (key) => {
    if (key === null || planId.value === null || product.value === null) return
    const slice = { start: 0, count: COUNT_OF_PRODUCT }
    void ofProduct.take(key, api.jobs.planned({ plan: planId.value, product: product.value, ...slice }))
  })
  /** The summary, which arrives before the first items. */
  const total = computed(
    () =>
      list.total.value ?? plan.value?.skipped.reduce((sum, one) => sum + one.count, plan.value.items) ?? 0,
  )

  const isRetry = computed(() => request.value !== null && 'retryOf' in request.value)

  // What does not come back stops one room or one device of each product, not all, unless a person chooses so.
  watch(
    plan,
    (now, before) => {
      if (before === null && now?.typeNumber != null && now.draft.work.kind !== 'change-settings')
        terms.value = { ...terms.value, canary: !isRetry.value }
    },
    { flush: 'sync' },
  )

  /** Requests a plan again; the selected terms remain, and the last plan is shown until the new one arrives. */
  async function look(): Promise<void> {
    const wish = request.value
    if (wish === null) return
    await planned.take(
      'retryOf' in wish
        ? api.jobs.retry(wish.retryOf)
        : api.jobs.plan({
            work: wish.work,
            ...terms.value,
            ...(first.value.length === 0 ? {} : { first: first.value }),
          }),
    )
  }
  function ask(work: JobWork, given: RequestOrigin | null = null): Promise<void> {
    planned.clear()
    request.value = { work }
    from.value = given
    terms.value = atOnce
    first.value = []
    product.value = null
    return look()
  }
  /** The same with another room or device that is tried first, of its product. */
  function tryFirst(id: string): Promise<void> {
    first.value = [id, ...first.value.filter((one) => one !== id)]
    return look()
  }
  /** The same for another request of the kind; the selected terms remain. */
  function askFor(work: JobWork): Promise<void> {
    request.value = { work }
    product.value = null
    return look()
  }
  /** Requests a plan of the failed items of a job, or of one of them. */
  function askAgain(job: Pick<Job, 'id' | 'keepTrying' | 'ticket'>, item?: number): Promise<void> {
    planned.clear()
    first.value = []
    product.value = null
    request.value = { retryOf: { id: job.id, ...(item === undefined ? {} : { item }) } }
    from.value = null
    terms.value = {
      ...atOnce,
      keepTrying: job.keepTrying,
      ...(job.ticket === undefined ? {} : { ticket: job.ticket }),
    }
    return look()
  }
  /** Starts the displayed plan, once; the dialog closes when it has begun. */
  async function start(unlock: boolean, typed: number | null): Promise<Job | null> {
    const of = planId.value
    if (of === null || started.busy.value || planned.busy.value) return null
    startedPlan.value = of
    started.failure.value = null
    const answer = api.jobs.start({ plan: of, unlock, typed, terms: terms.value })
    await started.take(answer)
    const outcome = await answer
    if (outcome.ok && planId.value === of) close()
    return outcome.ok ? outcome.value : null
  }
  function goBack(): void {
    const left = from.value
    from.value = null
    close()
    left?.back()
  }
  function close(): void {
    // Cancels the plan in progress, which is no longer needed.
    if (planned.busy.value) void useTasks().cancel('plan')
    from.value?.closed()
    from.value = null
    request.value = null
    planned.clear()
  }
  /** The draft with the terms that are selected now. */
  const draft = computed<JobDraft | null>(() =>
    plan.value === null ? null : { ...plan.value.draft, ...terms.value },
  )

  return {
    rowAt: list.rowAt,
    indexOf: list.indexOf,
    need: list.need,
    request,
    plan,
    product,
    /** Its devices, the first of them; after a new plan those of the last one until these arrive. */
    ofProduct: computed(() => (product.value === null ? null : (ofProduct.last.value?.value ?? null))),
    draft,
    terms,
    /** Why there is no plan. */
    failure: computed(() => planned.failure.value ?? list.failure.value),
    /** Why the job did not start. */
    startFailure: computed(() => (startedPlan.value === planId.value ? started.failure.value : null)),
    starting: started.busy,
    started: started.value,
    /** A plan is being made; until it arrives the last one is shown, which cannot be started. */
    planning: planned.busy,
    isRetry,
    from,
    total,
    ask,
    askFor,
    askAgain,
    tryFirst,
    look,
    start,
    goBack,
    close,
  }
})
