import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type {
  DefinitionDefaults,
  DefinitionInUse,
  DefinitionQuery,
  ProductDefinitions,
} from '../../electron/contract/api/definitions.ts'
import type { ProductId, ReleaseList } from '../../electron/contract/api/firmware.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { propertyWords } from './definition-columns.ts'

export const useDefinitions = defineStore('definitions', () => {
  const inUse = latestResult<DefinitionInUse>()
  const product = ref<ProductId | null>(null)
  const releases = latestResult<ReleaseList>()
  const defaults = latestResult<DefinitionDefaults>()
  const document = latestResult<ProductDefinitions>()
  /** Of the device that was opened, or chosen since; null: the core's choice. */
  const chosen = shallowRef<{ readonly variantType: string | null; readonly firmwareVersion: string | null }>(
    {
      variantType: null,
      firmwareVersion: null,
    },
  )
  const variantType = computed(() => chosen.value.variantType ?? defaults.value.value?.variantType ?? '')
  const firmwareVersion = computed(
    () => chosen.value.firmwareVersion ?? defaults.value.value?.firmwareVersion ?? '',
  )
  const words = shallowRef('')

  const query = computed<DefinitionQuery | null>(() =>
    product.value && firmwareVersion.value !== ''
      ? { ...product.value, variantType: variantType.value, firmwareVersion: firmwareVersion.value }
      : null,
  )

  async function load(): Promise<void> {
    document.clear()
    if (query.value) await document.take(api.definitions.read(query.value))
  }

  const fleet = computed(() => defaults.value.value?.fleet ?? [])

  const variants = computed(() => {
    const published = (releases.value.value?.product.variants ?? []).filter(
      (one) => one.productId === product.value?.productId,
    )
    const others = [
      ...fleet.value.map((pair) => pair.variantType),
      ...(variantType.value === '' ? [] : [variantType.value]),
    ]
    // The services send one variant in either case (services.md#A24): the selected one gets the spelling of
    // the list, so that the list contains it.
    const known = new Map<string, { readonly variantType: string; readonly name: string | null }>()
    for (const one of [...published, ...others.map((type) => ({ variantType: type, name: null }))]) {
      const folded = one.variantType.toLowerCase()
      const name = known.get(folded)?.name ?? one.name
      if (!known.has(folded) || one.variantType === variantType.value)
        known.set(folded, { variantType: one.variantType, name })
    }
    return [...known.values()]
  })

  const firmwareVersions = computed(() => {
    const published = (releases.value.value?.releases ?? []).map((one) => one.version)
    const others = [firmwareVersion.value, ...fleet.value.map((pair) => pair.firmwareVersion)].filter(
      (one) => one !== '' && !published.includes(one),
    )
    return [...new Set([...others, ...published])]
  })

  /** Opens a product. Variant and firmware of a device are used if given; the core chooses the rest. */
  async function open(id: ProductId, wanted: typeof chosen.value): Promise<void> {
    if (product.value?.vendorId !== id.vendorId || product.value.productId !== id.productId) {
      releases.clear()
      defaults.clear()
    }
    document.clear()
    const opened = { vendorId: id.vendorId, productId: id.productId }
    product.value = opened
    chosen.value = wanted
    const isSaid = wanted.variantType !== null && wanted.firmwareVersion !== null
    if (isSaid) void load()
    await Promise.all([
      releases.take(api.firmware.releases(opened)),
      defaults.take(api.definitions.defaults({ ...opened, variantType: wanted.variantType })),
    ])
    if (!isSaid && chosen.value === wanted && product.value !== null) await load()
  }

  /** Name, type and allowed values of each property, as the service and the page say them: once a document, not at each letter. */
  const searched = computed(() =>
    (document.value.value?.properties ?? []).map(
      (one) =>
        [one, [one.name, one.type, ...one.allowed, propertyWords(one)].join(' ').toLowerCase()] as const,
    ),
  )
  /** Properties that contain every typed word. */
  const found = computed(() => {
    const wanted = words.value.toLowerCase().split(/\s+/)
    return searched.value
      .filter(([, said]) => wanted.every((word) => said.includes(word)))
      .map(([property]) => property)
  })

  return {
    inUse: inUse.value,
    inUseFailure: inUse.failure,
    inUseBusy: inUse.busy,
    product,
    releases: releases.value,
    releasesFailure: computed(() => releases.failure.value ?? defaults.failure.value),
    releasesBusy: computed(() => releases.busy.value || defaults.busy.value),
    document: document.value,
    documentFailure: document.failure,
    documentBusy: document.busy,
    variantType,
    firmwareVersion,
    variants,
    firmwareVersions,
    fleet,
    words,
    found,
    query,
    resolve: (refresh: boolean) => inUse.take(api.definitions.inUse({ refresh })),
    open,
    load,
    choose(variant: string, firmware: string) {
      chosen.value = { variantType: variant, firmwareVersion: firmware.trim() }
      return load()
    },
    close() {
      product.value = null
      releases.clear()
      defaults.clear()
      document.clear()
    },
  }
})
