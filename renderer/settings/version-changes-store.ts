import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { FirmwareDifference } from '../../electron/contract/api/definitions.ts'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../parts/latest-answer.ts'

/** A firmware version of a product, and the one that it would replace. */
export interface VersionPair extends ProductId {
  readonly from: string
  readonly to: string
}

/** What one firmware version changes for another; one pair is looked at at a time. */
export const useVersionChanges = defineStore('version-changes', () => {
  const answer = latestAnswer<FirmwareDifference>()
  const asked = shallowRef<VersionPair | null>(null)
  return {
    found: answer.value,
    failure: answer.failure,
    busy: answer.busy,
    isOf: (pair: VersionPair): boolean =>
      (['vendorId', 'productId', 'from', 'to'] as const).every((key) => asked.value?.[key] === pair[key]),
    async ask({ vendorId, productId, from, to }: VersionPair): Promise<void> {
      answer.clear()
      asked.value = { vendorId, productId, from, to }
      await answer.take(api.definitions.firmwareDifference({ ...asked.value, variantType: null }))
    },
    clear() {
      answer.clear()
      asked.value = null
    },
  }
})
