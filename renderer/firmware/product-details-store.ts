import { onMounted, ref, watch, type Ref } from 'vue'
import type { Product, ProductDetails } from '../../electron/contract/api/firmware.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

export interface ProductDetailsOfPage {
  readonly details: LatestResult<ProductDetails>
  readonly variant: Ref<string>
  readonly platform: Ref<string>
  readonly agentType: Ref<string>
  /** Values that are not published: the organization's own lists. */
  readonly platforms: Ref<readonly string[]>
  readonly agentTypes: Ref<readonly string[]>
  ask(): Promise<unknown>
}

/** Published data of a product other than its releases, reloaded with every selection. */
export function useProductDetails(product: () => Product): ProductDetailsOfPage {
  const details = latestResult<ProductDetails>()
  const ready = ref(false)
  const [platforms, agentTypes] = [ref<readonly string[]>([]), ref<readonly string[]>([])]
  const [variant, platform, agentType] = [ref(''), ref(''), ref('')]
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
  onMounted(async () => {
    const outcome = await api.organizations.list(undefined)
    const assumed = outcome.ok ? outcome.value.organizations.find((one) => one.current)?.assumed : undefined
    platforms.value = assumed?.platforms ?? []
    agentTypes.value = assumed?.agentTypes ?? []
    platform.value = platforms.value[0] ?? ''
    ready.value = true
  })
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
