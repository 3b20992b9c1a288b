import { defineStore } from 'pinia'
import { ref, shallowReactive, watch } from 'vue'
import type { DevicesAtRisk, FirmwareDifference } from '../../electron/contract/api/definitions.ts'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import { namedAtMost } from '../../electron/contract/device.ts'
import { done, type Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'
import { useLayoutStore } from '../layout/layout-store.ts'

/** A firmware version of a product, and the version that it would replace. */
export interface VersionPair extends ProductId {
  readonly from: string
  readonly to: string
}
/** `those`: only the devices on the version that is replaced; null: too many to count. */
export interface VersionChange extends FirmwareDifference {
  readonly those: Pick<DevicesAtRisk, 'total' | 'notAllowed' | 'unknown'> | null
}
const keyOf = ({ vendorId, productId, from, to }: VersionPair): string =>
  JSON.stringify([vendorId, productId, from, to])

/** A comparison takes about six metadata calls: half of the twenty a second stay free for what is clicked. */
const PAUSE_IN_MS = 500

/** The devices on the version that is replaced. */
export const devicesOn = ({ productId }: ProductId, version: string): string =>
  `pid:${productId} fw:=${version}`

/** The core judges all devices of a product; here they are counted again without those on other versions. */
async function withThose(found: FirmwareDifference, pair: VersionPair): Promise<Outcome<VersionChange>> {
  const where = devicesOn(pair, pair.from)
  const { ids, unknownIds } = found.devices
  const without = (except: readonly string[]) =>
    api.devices.selected({ selection: { kind: 'matching', where, except: except.slice(0, namedAtMost) } })
  const [all, allowed, known] = await Promise.all([without([]), without(ids), without(unknownIds)])
  if (!all.ok || !allowed.ok || !known.ok || Math.max(ids.length, unknownIds.length) > namedAtMost)
    return done({ ...found, those: null })
  const total = all.value.count
  const those = { total, notAllowed: total - allowed.value.count, unknown: total - known.value.count }
  return done({ ...found, those })
}

/** The changes of firmware versions. Each pair is loaded once, until all are cleared or a reload is requested. */
export const useVersionChanges = defineStore('version-changes', () => {
  const appLayout = useLayoutStore()
  const answers = shallowReactive(new Map<string, LatestResult<VersionChange>>())
  /** Counts how often all were cleared. */
  const cleared = ref(0)
  function clear(): void {
    answers.clear()
    cleared.value += 1
  }
  /** A device that an answer does not contain counts as allowed. */
  watch(() => appLayout.current?.id, clear, { flush: 'sync' })
  const of = (pair: VersionPair): LatestResult<VersionChange> | null => answers.get(keyOf(pair)) ?? null
  async function ask(pair: VersionPair): Promise<void> {
    const answer = of(pair) ?? latestResult<VersionChange>()
    answers.set(keyOf(pair), answer)
    const { vendorId, productId, from, to } = pair
    const request = api.definitions.firmwareDifference({ vendorId, productId, from, to, variantType: null })
    await answer.take(request.then((outcome) => (outcome.ok ? withThose(outcome.value, pair) : outcome)))
  }
  /** One after the other, with pauses, until it is over. */
  async function askInTurn(pairs: readonly VersionPair[], isOver: () => boolean): Promise<void> {
    for (const pair of pairs) {
      if (of(pair) !== null) continue
      await ask(pair)
      await new Promise((resume) => setTimeout(resume, PAUSE_IN_MS))
      if (isOver()) return
    }
  }
  return {
    of,
    ask,
    askOnce: (pair: VersionPair): void => void (of(pair) === null && ask(pair)),
    askInTurn,
    cleared,
    clear,
  }
})

/** Loads the changes of these pairs in turn, again after they were cleared, until there are others or the component is gone. */
export function useChangesInTurn(pairs: () => readonly VersionPair[]): void {
  const changes = useVersionChanges()
  watch(
    [pairs, () => changes.cleared] as const,
    ([now], _before, onCleanup) => {
      let isOver = false
      onCleanup(() => (isOver = true))
      void changes.askInTurn(now, () => isOver)
    },
    { immediate: true },
  )
}
