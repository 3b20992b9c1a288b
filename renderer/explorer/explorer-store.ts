import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type {
  ExplorerResponse,
  ExplorerCall,
  ExplorerOperation,
  ExplorerRun,
} from '../../electron/contract/api/explorer.ts'
import type { ProductPage } from '../../electron/contract/api/firmware.ts'
import { done, type Failure, type Outcome } from '../../electron/contract/failure.ts'
import type { WriteLock } from '../../electron/contract/api/writes.ts'
import { api } from '../api.ts'
import { latestResult, resultOf, type LatestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { fetchWriteSubject, type WriteSubject } from './write-subject-store.ts'
import { parametersToSend, problemsOf, valuesFor, type Values } from './parameter-check.ts'

/** The contract's limit for one request. */
const PRODUCTS_NAMED = 500

const runOf = (
  call: Pick<ExplorerRun, 'operation' | 'parameters'>,
  how: Pick<ExplorerRun, 'copies' | 'unlock'>,
): Promise<Outcome<ExplorerResponse>> =>
  api.explorer.run({ ...call, ...how, whole: false, wait: false, reference: null })

/** The operations, the open one with its parameters, its last response, and stored calls. */
export const useExplorer = defineStore('explorer', () => {
  const appLayout = useLayoutStore()
  const operations = latestResult<readonly ExplorerOperation[]>()
  const answer = latestResult<ExplorerResponse>()
  const examples = latestResult<readonly ExplorerCall[]>()
  const history = latestResult<readonly ExplorerCall[]>()
  const products = latestResult<ProductPage>()
  const name = ref<string | null>(null)
  /**
   * Typed values by parameter name, kept across operations: after the releases of a product its link is
   * usually requested.
   */
  const values = shallowRef<Values>({})
  /** Problems are shown after the first attempt, not while typing. */
  const tried = ref(false)

  const chosen = computed(() => operations.value.value?.find((one) => one.name === name.value) ?? null)
  const problems = computed(() => (chosen.value ? problemsOf(chosen.value, values.value) : {}))

  /** The call that would be sent now. */
  const call = computed(
    () =>
      chosen.value && {
        operation: chosen.value.name,
        parameters: parametersToSend(chosen.value, values.value),
      },
  )
  const callText = (): string | null => call.value && JSON.stringify(call.value)
  /** What is stored of a public document that was read before, shown until the service is asked. */
  const copy = resultOf<ExplorerResponse>(callText)
  /** The lock, and the target of the write to confirm. */
  const confirmation = resultOf<{ readonly lock: WriteLock | null; readonly subject: WriteSubject }>(callText)

  const keep = async (
    into: LatestResult<readonly ExplorerCall[]>,
    request: Promise<Outcome<readonly ExplorerCall[]>>,
  ): Promise<Failure | null> => {
    await into.take(request)
    const outcome = await request
    return outcome.ok ? null : outcome.failure
  }
  function prepare(): void {
    tried.value = false
    if (chosen.value) values.value = valuesFor(chosen.value, values.value)
    lookForCopy()
  }
  /** Sends nothing to the service. */
  function lookForCopy(): void {
    const [of, asked, { interface: from, writes = true } = {}] = [callText(), call.value, chosen.value ?? {}]
    if (of === null || asked === null || from !== 'metadata' || writes) return
    if (Object.keys(problems.value).length > 0) return
    void copy.take(of, runOf(asked, { copies: 'only', unlock: false }))
  }
  /** The organization whose operations, responses and values these are; null: none was loaded. */
  let loadedOf: string | null = null
  function forgetPrevious(): void {
    const current = appLayout.current?.id ?? null
    if (loadedOf !== null && loadedOf !== current) {
      for (const one of [answer, operations, history]) one.clear()
      values.value = {}
    }
    loadedOf = current
  }
  async function fetchHistory(): Promise<void> {
    await history.take(api.explorer.history(undefined))
  }

  return {
    operations: operations.value,
    operationsFailure: operations.failure,
    operationsBusy: operations.busy,
    answer: computed(() => answer.value.value ?? copy.answer.value.value),
    failure: answer.failure,
    busy: answer.busy,
    examples: computed(() => examples.value.value ?? []),
    history: computed(() => history.value.value ?? []),
    /** Only names, so a failure changes nothing. */
    productNames: computed(
      () =>
        new Map(products.value.value?.rows.map(({ productId, name: title }) => [String(productId), title])),
    ),
    lock: computed(() => confirmation.answer.value.value?.lock ?? null),
    /** The target of the write to confirm; null: loading. */
    subject: computed(() => confirmation.answer.value.value?.subject ?? null),
    name,
    values,
    chosen,
    /** Empty until the first attempt. */
    problems: computed(() => (tried.value ? problems.value : {})),

    /** For another organization than the last time, nothing of the last one remains. */
    async load(): Promise<void> {
      forgetPrevious()
      void products.take(api.firmware.products({ text: '', owned: false, start: 0, count: PRODUCTS_NAMED }))
      await Promise.all([
        operations.take(api.explorer.operations(undefined)),
        examples.take(api.explorer.examples(undefined)),
        fetchHistory(),
      ])
      prepare()
    },
    open(wanted: string) {
      if (wanted === name.value) return
      name.value = wanted
      answer.clear()
      prepare()
    },
    set(parameter: string, value: string) {
      values.value = { ...values.value, [parameter]: value }
    },
    /** Opens a stored call, with its parameters and no others. */
    take(stored: ExplorerCall) {
      if (name.value !== stored.operation) answer.clear()
      name.value = stored.operation
      const own = new Set(chosen.value?.parameters.map((parameter) => parameter.name))
      values.value = {
        ...Object.fromEntries(Object.entries(values.value).filter(([parameter]) => !own.has(parameter))),
        ...stored.parameters,
      }
      tried.value = false
      lookForCopy()
    },
    /** True if every parameter is valid; otherwise the problems are shown. */
    check(): boolean {
      tried.value = true
      return Object.keys(problems.value).length === 0
    },
    /** Data for a confirmation: the lock, and the room or device of the ids. Sends no write. */
    async loadConfirmation(): Promise<void> {
      const [of, asked] = [callText(), call.value]
      if (of === null || asked === null) return
      confirmation.clear()
      await confirmation.take(
        of,
        Promise.all([api.writes.lock(undefined), fetchWriteSubject(asked.operation, asked.parameters)]).then(
          ([lock, subject]) => done({ lock: lock.ok ? lock.value : null, subject }),
        ),
      )
    },
    /** `unlock` is true only from the confirmation of an operation that writes. */
    async run(unlock: boolean): Promise<void> {
      if (call.value === null) return
      await answer.take(runOf(call.value, { copies: null, unlock }))
      refreshNow()
      await fetchHistory()
    },
    async saveExample(title: string): Promise<Failure | null> {
      return call.value && keep(examples, api.explorer.saveExample({ name: title, ...call.value }))
    },
    removeExample: (id: number): Promise<Failure | null> =>
      keep(examples, api.explorer.removeExample({ id })),
  }
})
