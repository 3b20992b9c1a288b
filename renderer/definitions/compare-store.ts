import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { DocumentSelection, SelectionComparison } from '../../electron/contract/api/definitions.ts'
import type { FleetStatus, Product, ProductId } from '../../electron/contract/api/firmware.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { latestResult } from '../components/latest-result.ts'
import { productKey } from '../firmware/fleet-store.ts'

/** The contract's limit for one request. */
const WINDOW = 500
/** Two columns of six, so that the form below them stays in sight at 720 px. */
const SUGGESTED = 12

/** Two sides with definition documents, and their differences. */
export const useCompare = defineStore('compare', () => {
  const answer = latestResult<SelectionComparison>()
  const products = latestResult<readonly Product[]>()
  const fleet = latestResult<FleetStatus>()
  /** Versions by product, of one organization: answers for another land in the map that was replaced. */
  const releases = ref(new Map<string, readonly string[]>())
  organizationSwitched(() => {
    releases.value = new Map()
    products.clear()
    fleet.clear()
  })

  async function allProducts(): Promise<Outcome<readonly Product[]>> {
    const rows: Product[] = []
    let total = 1
    while (rows.length < total) {
      const start = rows.length
      const page = await api.firmware.products({ text: '', owned: false, start, count: WINDOW })
      if (!page.ok) return page
      rows.push(...page.value.rows)
      total = page.value.rows.length > 0 ? page.value.total : 0
    }
    return { ok: true, value: rows }
  }
  /** Products of the fleet, most devices first: the version that most of those not on the newest run, and the newest. */
  const steps = computed(() =>
    (fleet.value.value?.products ?? [])
      .flatMap((product) => {
        const { newest, inUse } = product
        const other = inUse.find(({ version }) => version !== null && version !== newest)
        return newest === null || other?.version == null
          ? []
          : { ...product, from: other.version, to: newest, devices: other.devices }
      })
      .toSorted((a, b) => b.devices - a.devices),
  )
  return {
    found: answer.value,
    failure: answer.failure,
    busy: answer.busy,
    products: computed(() => products.value.value ?? []),
    productsFailure: products.failure,
    releases,
    suggestions: computed(() => steps.value.slice(0, SUGGESTED)),
    usualStep: (id: string) => steps.value.find((one) => productKey(one) === id) ?? null,
    async loadProducts(): Promise<void> {
      await Promise.all([products.take(allProducts()), fleet.take(api.firmware.status({}))])
    },
    /** Versions are suggestions: when none are published, the user types one. */
    async loadReleases(product: ProductId): Promise<void> {
      const into = releases.value
      if (into.has(productKey(product))) return
      const outcome = await api.firmware.releases(product)
      if (outcome.ok)
        into.set(
          productKey(product),
          outcome.value.releases.map(({ version }) => version),
        )
    },
    compare(left: DocumentSelection, right: DocumentSelection) {
      answer.clear()
      return answer.take(api.definitions.compare({ left, right, kinds: null }))
    },
    clear: () => answer.clear(),
  }
})
