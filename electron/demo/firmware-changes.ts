import type { Faults } from './faults.ts'
import type { DeviceFacts } from './fleet.ts'
import type { Firmware } from './life.ts'
import { firmwareOf } from './life.ts'
import { mix, numberOf, roll } from './random.ts'

interface Change {
  /** The version it runs until then. */
  readonly from: string | null
  /** The version after the update; if the update fails, the previous one. */
  readonly version: string | null
  /** When the update ends, epoch milliseconds. */
  readonly doneAt: number
}

const leastMs = 120_000
const spreadMs = 180_000
/** Share of updates that end with the old version: low enough for normal use, high enough to be seen. */
const failsShare = 0.02

/** Whether updates of this device always end with the old version. */
export const failsByItself = (seed: number, index: number): boolean =>
  roll(seed, index, numberOf('firmware fails')) < failsShare

/**
 * Firmware that was requested over the interface, in addition to automatic updates. Lost when the
 * demonstration ends.
 */
export class FirmwareChanges {
  readonly #seed: number
  readonly #faults: Faults
  readonly #changes = new Map<string, Change>()

  constructor(seed: number, faults: Faults) {
    this.#seed = seed
    this.#faults = faults
  }

  /** `lost`: it did not come back from its restart, and still has its last report. */
  read(facts: DeviceFacts, now: number, lost: boolean): Firmware {
    const own = firmwareOf(facts, this.#seed, now)
    const change = this.#changes.get(facts.id)
    if (change === undefined) return own
    if (now < change.doneAt || lost) return { ...own, version: change.from, updating: true }
    return {
      version: change.version,
      updating: false,
      upToDate: change.version === facts.product.versions[0],
    }
  }

  /** The device runs it after two to five minutes (made up). False: the product has no such release. */
  begin(facts: DeviceFacts, version: string, now: number): boolean {
    if (!facts.product.versions.includes(version)) return false
    const from = this.read(facts, now, false).version
    const fails =
      this.#faults.strikes('firmware-fails', 'UpdateDeviceFirmware', [facts.id]) ||
      failsByItself(this.#seed, facts.index)
    this.#changes.set(facts.id, {
      from,
      version: fails ? from : version,
      doneAt: now + leastMs + (mix(this.#seed, facts.index, numberOf('firmware update')) % spreadMs),
    })
    return true
  }
}
