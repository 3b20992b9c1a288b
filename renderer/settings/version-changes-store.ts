import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { FirmwareDifference } from '../../electron/contract/api/definitions.ts'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

/** A firmware version of a product, and the version that it would replace. */
export interface VersionPair extends ProductId {
  readonly from: string
  readonly to: string
}
const keyOf = ({ vendorId, productId, from, to }: VersionPair): string =>
  JSON.stringify([vendorId, productId, from, to])

/** The changes of firmware versions. Each pair is loaded once, until all are cleared or a reload is requested. */
export const useVersionChanges = defineStore('version-changes', () => {
  const answers = shallowReactive(new Map<string, LatestResult<FirmwareDifference>>())
  const of = (pair: VersionPair): LatestResult<FirmwareDifference> | null => answers.get(keyOf(pair)) ?? null
  async function ask(pair: VersionPair): Promise<void> {
    const answer = of(pair) ?? latestResult<FirmwareDifference>()
    answers.set(keyOf(pair), answer)
    const { vendorId, productId, from, to } = pair
    await answer.take(
      api.definitions.firmwareDifference({ vendorId, productId, from, to, variantType: null }),
    )
  }
  return {
    of,
    ask,
    askOnce: (pair: VersionPair): void => void (of(pair) === null && ask(pair)),
    clear: () => answers.clear(),
  }
})
