import type { DeviceFacts } from './fleet.ts'
import type { Firmware } from './life.ts'
import { firmwareOf } from './life.ts'
import { mix, numberOf } from './random.ts'

interface Change {
  readonly version: string
  /** Epoch milliseconds when the device runs it. */
  readonly doneAt: number
}

const leastMs = 120_000
const spreadMs = 180_000

/** Firmware that was asked for over the interface, on top of what devices get by themselves. Lost when the demonstration ends. */
export class FirmwareChanges {
  readonly #seed: number
  readonly #changes = new Map<string, Change>()

  constructor(seed: number) {
    this.#seed = seed
  }

  read(facts: DeviceFacts, now: number): Firmware {
    const own = firmwareOf(facts, this.#seed, now)
    const change = this.#changes.get(facts.id)
    if (change === undefined) return own
    if (now < change.doneAt) return { ...own, updating: true }
    return {
      version: change.version,
      updating: false,
      upToDate: change.version === facts.product.versions[0],
    }
  }

  /** Two to five minutes until the device runs it (chosen). False: the product has no such release. */
  begin(facts: DeviceFacts, version: string, now: number): boolean {
    if (!facts.product.versions.includes(version)) return false
    this.#changes.set(facts.id, {
      version,
      doneAt: now + leastMs + (mix(this.#seed, facts.index, numberOf('firmware update')) % spreadMs),
    })
    return true
  }
}
