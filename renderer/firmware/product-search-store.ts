import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Product, ProductPage } from '../../electron/contract/firmware.ts'
import { link } from '../link.ts'
import { latestAnswer } from '../parts/latest-answer.ts'

/** Rows asked for at once; the contract allows 500. */
const WINDOW = 100

/** Products found by name, id or variant. One search for Firmware, Release notes and Definitions: it follows the technician. */
export const useProductSearch = defineStore('product-search', () => {
  const text = ref('')
  const owned = ref(false)
  const rows = shallowRef<readonly Product[]>([])
  const answer = latestAnswer<ProductPage>()

  async function ask(start: number): Promise<void> {
    const taken = await answer.take(link.firmware.products({ text: text.value, owned: owned.value, start, count: WINDOW }))
    const page = answer.value.value
    if (!taken || answer.failure.value || !page) return
    rows.value = start === 0 ? page.rows : [...rows.value, ...page.rows]
  }

  return {
    text,
    owned,
    rows,
    total: computed(() => answer.value.value?.total ?? 0),
    observedAt: computed(() => answer.value.value?.observedAt ?? null),
    failure: answer.failure,
    busy: answer.busy,
    asked: computed(() => answer.value.value !== null),
    search: () => ask(0),
    /** Asks for the next rows when there are more and none are under way. */
    more: () => (rows.value.length < (answer.value.value?.total ?? 0) && !answer.busy.value ? ask(rows.value.length) : Promise.resolve()),
    find(words: string) {
      text.value = words.trim()
      return ask(0)
    },
    onlyOwned(on: boolean) {
      owned.value = on
      return ask(0)
    },
    showAll() {
      text.value = ''
      owned.value = false
      return ask(0)
    },
  }
})
