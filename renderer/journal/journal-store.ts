import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { JournalLine } from '../../electron/contract/journal.ts'
import { link } from '../link.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Lines asked for at once; windows start at multiples of it. */
const BLOCK = 200
const RELOAD_EVERY_IN_MS = 500
/** How far back a line named by an address is looked for: one question (the contract's most). */
const LOOKED_FOR_AMONG = 500

/** Every write of the current organization, newest first, in windows. */
export const useJournal = defineStore('journal', () => {
  const text = ref('')
  /** Only lines that name this device or room. */
  const subjectId = ref<string | null>(null)
  const blocks = shallowRef<ReadonlyMap<number, readonly JournalLine[]>>(new Map())
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  const line = shallowRef<JournalLine | null>(null)
  const lineMissing = ref(false)
  const openId = ref<number | null>(null)

  const question = computed(() => ({ text: text.value, subjectId: subjectId.value }))
  const filtered = computed(() => text.value !== '' || subjectId.value !== null)
  const under = new Set<number>()

  async function read(block: number, fresh: boolean): Promise<void> {
    const asked = question.value
    under.add(block)
    const outcome = await link.journal.list({ ...asked, start: block * BLOCK, count: BLOCK })
    under.delete(block)
    if (asked !== question.value) return
    if (!outcome.ok) {
      failure.value = outcome.failure
      return
    }
    blocks.value = new Map([...(fresh ? [] : [...blocks.value].filter(([index]) => index !== block)), [block, outcome.value.lines]])
    total.value = outcome.value.total
    failure.value = null
    refreshPresentTime()
  }
  async function startOver(): Promise<void> {
    await read(0, true)
    startedOver.value += 1
  }
  watch(question, () => void startOver())

  const lineAt = (index: number): JournalLine | undefined => blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
      if (!blocks.value.has(block) && !under.has(block)) void read(block, false)
    }
  }
  const known = (id: number): JournalLine | undefined => [...blocks.value.values()].flat().find((one) => one.id === id)

  async function open(id: number): Promise<void> {
    openId.value = id
    lineMissing.value = false
    line.value = known(id) ?? null
    if (line.value) return
    const outcome = await link.journal.list({ text: '', subjectId: null, start: 0, count: LOOKED_FOR_AMONG })
    if (openId.value !== id) return
    line.value = outcome.ok ? (outcome.value.lines.find((one) => one.id === id) ?? null) : null
    lineMissing.value = line.value === null
  }
  function close(): void {
    openId.value = null
    line.value = null
    lineMissing.value = false
  }
  function clearFilter(): void {
    text.value = ''
    subjectId.value = null
  }
  /** A line that ends, or a new one, shows by itself. */
  function follow(): () => void {
    const reload = paced(() => {
      const blocksShown = new Set([0, ...blocks.value.keys()])
      void Promise.all([...blocksShown].map((block) => read(block, false))).then(() => {
        if (openId.value !== null) line.value = known(openId.value) ?? line.value
      })
    }, RELOAD_EVERY_IN_MS)
    const ends = [link.journal.changed(reload.call), link.organizations.changed(() => void startOver())]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }

  return { text, subjectId, blocks, total, failure, startedOver, filtered, line, lineMissing, startOver, lineAt, need, open, close, clearFilter, follow }
})
