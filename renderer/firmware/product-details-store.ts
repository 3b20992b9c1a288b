import { computed, onMounted, ref, watch, type ComputedRef, type Ref } from 'vue'
import type { Product, ProductDetails } from '../../electron/contract/api/firmware.ts'
import type { OrganizationList } from '../../electron/contract/api/organizations.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

export interface ProductDetailsOfPage {
  readonly details: LatestResult<ProductDetails>
  readonly variant: Ref<string>
  readonly platform: Ref<string>
  readonly agentType: Ref<string>
  /** Values that are not published: the organization's own lists. */
  readonly platforms: ComputedRef<readonly string[]>
  readonly agentTypes: ComputedRef<readonly string[]>
  ask(): Promise<unknown>
}

/** Published data of a product other than its releases, reloaded with every selection. */
export function useProductDetails(product: () => Product): ProductDetailsOfPage {
  const details = latestResult<ProductDetails>()
  const organizations = latestResult<OrganizationList>()
  const ready = computed(() => organizations.value.value !== null || organizations.failure.value !== null)
  const assumed = computed(() => organizations.value.value?.organizations.find((one) => one.current)?.assumed)
  const platforms = computed(() => assumed.value?.platforms ?? [])
  const agentTypes = computed(() => assumed.value?.agentTypes ?? [])
  const [variant, agentType] = [ref(''), ref('')]
  const chosenPlatform = ref<string | null>(null)
  const platform = computed({
    get: () => chosenPlatform.value ?? platforms.value[0] ?? '',
    set: (chosen) => (chosenPlatform.value = chosen),
  })
  const ask = (): Promise<unknown> =>
    details.take(
      api.firmware.details({
        vendorId: product().vendorId,
        productId: product().productId,
        variantType: variant.value || null,
        platformOs: platform.value || null,
        agentType: agentType.value || null,
      }),
    )
  onMounted(() => void organizations.take(api.organizations.list(undefined)))
  watch([ready, variant, platform, agentType], () => ready.value && void ask())
  watch(
    () => `${product().vendorId}/${product().productId}`,
    () => {
      details.clear()
      variant.value = ''
      if (ready.value) void ask()
    },
  )
  return { details, variant, platform, agentType, platforms, agentTypes, ask }
}
