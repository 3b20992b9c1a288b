import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { useRoute } from 'vue-router'
import type { ProductPage } from '../../electron/contract/api/firmware.ts'
import type { OrganizationList } from '../../electron/contract/api/organizations.ts'
import { done } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { productKey } from './fleet-store.ts'

/** Rows per request. */
const WINDOW = 100
/** The contract's limit for one request. */
const LARGEST_WINDOW = 500
/** Minimum interval of reloading the counts while a sync adds devices. */
const COUNT_AGAIN_AFTER_IN_MS = 2_000

/** Products found by name, id or variant. One search for Firmware, Release notes and Definitions, shared by the three pages. */
export const useProductSearch = defineStore('product-search', () => {
  const text = ref('')
  /** The last page, with the rows of all pages before it. */
  const answer = latestResult<ProductPage>()
  const rows = computed(() => answer.value.value?.rows ?? [])
  const most = latestResult<ProductPage>()
  const organizations = latestResult<OrganizationList>()
  /** The organization of the products and counts; pages reload when it changes. */
  const organizationId = computed(
    () => organizations.value.value?.organizations.find((one) => one.current)?.id ?? null,
  )
  let counting: ReturnType<typeof setTimeout> | undefined

  async function ask(start: number, count = WINDOW): Promise<void> {
    const before = rows.value.slice(0, start)
    await answer.take(
      api.firmware
        .products({ text: text.value, owned: false, start, count })
        .then((outcome) =>
          outcome.ok ? done({ ...outcome.value, rows: [...before, ...outcome.value.rows] }) : outcome,
        ),
    )
  }

  /**
   * The event also occurs for changed keys and names, but only another organization makes the visible data
   * wrong.
   */
  async function noteOrganization(): Promise<void> {
    await organizations.take(api.organizations.list(undefined))
  }
  watch(organizationId, (_, before) => {
    if (before !== null) void ask(0)
  })

  function countAgain(): void {
    counting ??= setTimeout(() => {
      counting = undefined
      void ask(0, Math.min(LARGEST_WINDOW, Math.max(WINDOW, rows.value.length)))
    }, COUNT_AGAIN_AFTER_IN_MS)
  }

  return {
    organizationId,
    /** Subscribes to events; returns the function that stops it. */
    follow(): () => void {
      void noteOrganization()
      const disposers = [
        api.organizations.changed(() => void noteOrganization()),
        api.devices.changed(countAgain),
      ]
      return () => {
        clearTimeout(counting)
        counting = undefined
        for (const end of disposers) end()
      }
    },
    text,
    rows,
    /** The product that most of your devices are, as it was when the page was opened; null: there is none. */
    usual: computed(() => most.value.value?.rows.map(productKey)[0] ?? null),
    usualBusy: most.busy,
    loadUsual() {
      most.clear()
      return most.take(api.firmware.products({ text: '', owned: true, start: 0, count: 1 }))
    },
    total: computed(() => answer.value.value?.total ?? 0),
    observedAt: computed(() => answer.value.value?.observedAt ?? null),
    unreadable: computed(() => answer.value.value?.unreadable ?? null),
    failure: answer.failure,
    busy: answer.busy,
    hasResult: computed(() => answer.value.value !== null),
    search: () => ask(0),
    /** Requests the next rows if there are more and none are in flight. */
    more: () =>
      rows.value.length < (answer.value.value?.total ?? 0) && !answer.busy.value
        ? ask(rows.value.length)
        : Promise.resolve(),
    find(words: string) {
      text.value = words.trim()
      return ask(0)
    },
  }
})

/** The product in the address, else the one that most of your devices are; null: there is none. */
export function useShownProduct() {
  const route = useRoute()
  const search = useProductSearch()
  const asked = computed(() => {
    const { vendorId, productId } = route.params
    return vendorId && productId ? `${String(vendorId)}/${String(productId)}` : null
  })
  const key = computed(() => asked.value ?? search.usual)
  const product = computed(() => {
    if (key.value === null) return null
    const [vendorId = 0, productId = 0] = key.value.split('/').map(Number)
    return { vendorId, productId }
  })
  return { asked, key, product }
}
