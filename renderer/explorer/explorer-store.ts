import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type {
  ExplorerResponse,
  ExplorerCall,
  ExplorerOperation,
} from '../../electron/contract/api/explorer.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { WriteLock } from '../../electron/contract/api/writes.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'
import { fetchWriteSubject, type WriteSubject } from './write-subject-store.ts'
import { parametersToSend, problemsOf, valuesFor, type Values } from './parameter-check.ts'

/** The documented operations, the open one with its parameters, its last response, and stored calls. */
export const useExplorer = defineStore('explorer', () => {
  const operations = latestResult<readonly ExplorerOperation[]>()
  const answer = latestResult<ExplorerResponse>()
  const examples = shallowRef<readonly ExplorerCall[]>([])
  const history = shallowRef<readonly ExplorerCall[]>([])
  const lock = shallowRef<WriteLock | null>(null)
  /** The target of the write to confirm; null: loading. */
  const subject = shallowRef<WriteSubject | null>(null)
  let asking = 0
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

  const keep = (into: typeof examples, outcome: Outcome<readonly ExplorerCall[]>): Failure | null => {
    if (!outcome.ok) return outcome.failure
    into.value = outcome.value
    return null
  }
  function prepare(): void {
    tried.value = false
    if (chosen.value) values.value = valuesFor(chosen.value, values.value)
  }
  async function fetchHistory(): Promise<void> {
    keep(history, await api.explorer.history(undefined))
  }

  return {
    operations: operations.value,
    operationsFailure: operations.failure,
    operationsBusy: operations.busy,
    answer: answer.value,
    failure: answer.failure,
    busy: answer.busy,
    examples,
    history,
    lock,
    subject,
    name,
    values,
    chosen,
    /** Empty until the first attempt. */
    problems: computed(() => (tried.value ? problems.value : {})),

    async load(): Promise<void> {
      await Promise.all([
        operations.take(api.explorer.operations(undefined)),
        api.explorer.examples(undefined).then((outcome) => keep(examples, outcome)),
        fetchHistory(),
      ])
      prepare()
    },
    /** Called for another organization, because responses and suggested values belong to the previous one. */
    forget() {
      answer.clear()
      operations.clear()
      values.value = {}
    },
    open(wanted: string | null) {
      if (wanted === name.value) return
      name.value = wanted
      answer.clear()
      prepare()
    },
    set(parameter: string, value: string) {
      values.value = { ...values.value, [parameter]: value }
    },
    /** Opens a stored call, with its parameters and no others. */
    take(call: ExplorerCall) {
      if (name.value !== call.operation) answer.clear()
      name.value = call.operation
      const own = new Set(chosen.value?.parameters.map((parameter) => parameter.name))
      values.value = {
        ...Object.fromEntries(Object.entries(values.value).filter(([parameter]) => !own.has(parameter))),
        ...call.parameters,
      }
      tried.value = false
    },
    /** True if every parameter is valid; otherwise the problems are shown. */
    check(): boolean {
      tried.value = true
      return Object.keys(problems.value).length === 0
    },
    /** Data for a confirmation: the lock, and the room or device of the ids. Sends no write. */
    async loadConfirmation(): Promise<void> {
      const operation = chosen.value
      if (!operation) return
      const mine = ++asking
      subject.value = null
      const [locked, found] = await Promise.all([
        api.writes.lock(undefined),
        fetchWriteSubject(operation.name, parametersToSend(operation, values.value)),
      ])
      if (mine !== asking) return
      if (locked.ok) lock.value = locked.value
      subject.value = found
    },
    /** `unlock` is true only from the confirmation of an operation that writes. */
    async run(unlock: boolean): Promise<void> {
      const operation = chosen.value
      if (!operation) return
      await answer.take(
        api.explorer.run({
          operation: operation.name,
          parameters: parametersToSend(operation, values.value),
          unlock,
        }),
      )
      refreshNow()
      await fetchHistory()
    },
    async saveExample(title: string): Promise<Failure | null> {
      const operation = chosen.value
      if (!operation) return null
      return keep(
        examples,
        await api.explorer.saveExample({
          name: title,
          operation: operation.name,
          parameters: parametersToSend(operation, values.value),
        }),
      )
    },
    async removeExample(id: number): Promise<Failure | null> {
      return keep(examples, await api.explorer.removeExample({ id }))
    },
  }
})
