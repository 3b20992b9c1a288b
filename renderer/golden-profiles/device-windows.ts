import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { DriftedDevice, DriftedDeviceWindow } from '../../electron/contract/api/golden-profiles.ts'

/** Devices asked for at once; windows start at multiples of it. */
const BLOCK = 100
const KEPT = 6

/** A list of devices in windows, and the last answer as it came. */
export interface DeviceWindows<W extends DriftedDeviceWindow> {
  readonly answer: ShallowRef<W | null>
  readonly total: Ref<number | null>
  readonly failure: ShallowRef<Failure | null>
  /** Counts up when another list begins. */
  readonly startedOver: Ref<number>
  readonly rowAt: (index: number) => DriftedDevice | undefined
  readonly need: (first: number, last: number) => void
  /** Another question: the rows of the one before stay until its first window is here. */
  readonly begin: () => Promise<void>
  /** The same question again. */
  readonly again: () => Promise<void>
  readonly clear: () => void
}

export function deviceWindows<W extends DriftedDeviceWindow>(
  ask: (window: { start: number; count: number }) => Promise<Outcome<W>>,
): DeviceWindows<W> {
  const blocks = shallowRef<ReadonlyMap<number, readonly DriftedDevice[]>>(new Map())
  const answer: ShallowRef<W | null> = shallowRef(null)
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  const under = new Set<number>()
  let round = 0

  async function read(block: number, fresh: boolean): Promise<void> {
    const mine = round
    under.add(block)
    const outcome = await ask({ start: block * BLOCK, count: BLOCK })
    if (mine !== round) return
    under.delete(block)
    failure.value = outcome.ok ? null : outcome.failure
    if (!outcome.ok) return
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, outcome.value.rows]])
    total.value = outcome.value.total
    answer.value = outcome.value
  }
  return {
    answer,
    total,
    failure,
    startedOver,
    rowAt: (index) => blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK],
    need(first, last) {
      for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++)
        if (!blocks.value.has(block) && !under.has(block)) void read(block, false)
    },
    async begin() {
      round += 1
      under.clear()
      startedOver.value += 1
      await read(0, true)
    },
    async again() {
      await Promise.all([...new Set([0, ...blocks.value.keys()])].map((block) => read(block, false)))
    },
    clear() {
      round += 1
      under.clear()
      blocks.value = new Map()
      answer.value = total.value = failure.value = null
    },
  }
}
