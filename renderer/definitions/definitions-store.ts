import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DefinitionDocument, DefinitionInUse, DefinitionQuery } from '../../electron/contract/definition.ts'
import type { DeviceWindow } from '../../electron/contract/device.ts'
import type { ProductId, ReleaseList } from '../../electron/contract/firmware.ts'
import { link } from '../link.ts'
import { latestAnswer } from '../parts/latest-answer.ts'

/** Devices looked through for the variants and firmware a fleet really runs; the contract allows 500. */
const FLEET_SAMPLE = 500

/** A variant and firmware found on devices of the organization. */
export interface FleetPair {
  readonly variantType: string
  readonly firmwareVersion: string
  readonly count: number
}

export const useDefinitions = defineStore('definitions', () => {
  const inUse = latestAnswer<DefinitionInUse>()
  const product = ref<ProductId | null>(null)
  const releases = latestAnswer<ReleaseList>()
  const fleet = latestAnswer<DeviceWindow>()
  const document = latestAnswer<DefinitionDocument>()
  const variantType = ref('')
  const firmwareVersion = ref('')
  const words = shallowRef('')

  const query = computed<DefinitionQuery | null>(() =>
    product.value && firmwareVersion.value !== '' ? { ...product.value, variantType: variantType.value, firmwareVersion: firmwareVersion.value } : null,
  )

  async function read(): Promise<void> {
    document.clear()
    if (query.value) await document.take(link.definitions.read(query.value))
  }

  /** Variant and firmware pairs of the fleet, most frequent first. */
  const fleetPairs = computed<readonly FleetPair[]>(() => {
    const counts = new Map<string, FleetPair>()
    for (const row of fleet.value.value?.rows ?? []) {
      if (row.productId !== product.value?.productId || row.variantType === null || row.firmwareVersion === null) continue
      const key = `${row.variantType} ${row.firmwareVersion}`
      counts.set(key, { variantType: row.variantType, firmwareVersion: row.firmwareVersion, count: (counts.get(key)?.count ?? 0) + 1 })
    }
    return [...counts.values()].sort((a, b) => b.count - a.count)
  })

  const variants = computed(() => {
    const published = (releases.value.value?.product.variants ?? []).filter((one) => one.productId === product.value?.productId)
    const known = new Map(published.map((one) => [one.variantType, one.name]))
    for (const pair of fleetPairs.value) if (!known.has(pair.variantType)) known.set(pair.variantType, null)
    if (variantType.value !== '' && !known.has(variantType.value)) known.set(variantType.value, null)
    return [...known].map(([type, name]) => ({ variantType: type, name }))
  })

  const firmwareVersions = computed(() => {
    const published = (releases.value.value?.releases ?? []).map((one) => one.version)
    const others = [firmwareVersion.value, ...fleetPairs.value.map((pair) => pair.firmwareVersion)].filter((one) => one !== '' && !published.includes(one))
    return [...new Set([...others, ...published])]
  })

  /** Opens a product. What a device said (variant, firmware) wins; then what the fleet runs most; then the latest release. */
  async function open(id: ProductId, wanted: { variantType: string | null; firmwareVersion: string | null }): Promise<void> {
    if (product.value?.vendorId !== id.vendorId || product.value.productId !== id.productId) {
      releases.clear()
      fleet.clear()
    }
    document.clear()
    product.value = { vendorId: id.vendorId, productId: id.productId }
    variantType.value = wanted.variantType ?? ''
    firmwareVersion.value = wanted.firmwareVersion ?? ''
    if (wanted.variantType !== null && wanted.firmwareVersion !== null) void read()
    const taken = await releases.take(link.firmware.releases(product.value))
    if (!taken) return
    if (releases.value.value !== null) {
      const where = `pid:${product.value.productId}`
      await fleet.take(link.devices.window({ where, sort: [{ column: 'firmwareVersion', descending: true }], start: 0, count: FLEET_SAMPLE }))
    }
    if (product.value.vendorId !== id.vendorId || product.value.productId !== id.productId) return
    if (wanted.variantType !== null && wanted.firmwareVersion !== null) return
    const pair = fleetPairs.value.find((one) => wanted.variantType === null || one.variantType === wanted.variantType)
    const list = releases.value.value?.releases ?? []
    variantType.value = wanted.variantType ?? pair?.variantType ?? variants.value[0]?.variantType ?? ''
    firmwareVersion.value = wanted.firmwareVersion ?? pair?.firmwareVersion ?? (list.find((one) => one.latest) ?? list[0])?.version ?? ''
    await read()
  }

  /** Properties whose name, type or allowed values hold every word typed. */
  const found = computed(() => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean)
    const all = document.value.value?.properties ?? []
    if (wanted.length === 0) return all
    return all.filter((one) => {
      const text = `${one.name} ${one.type ?? ''} ${one.allowed.join(' ')}`.toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
  })

  return {
    inUse: inUse.value,
    inUseFailure: inUse.failure,
    inUseBusy: inUse.busy,
    product,
    releases: releases.value,
    releasesFailure: releases.failure,
    releasesBusy: releases.busy,
    document: document.value,
    documentFailure: document.failure,
    documentBusy: document.busy,
    variantType,
    firmwareVersion,
    variants,
    firmwareVersions,
    fleetPairs,
    words,
    found,
    query,
    resolve: (refresh: boolean) => inUse.take(link.definitions.inUse({ refresh })),
    open,
    read,
    choose(variant: string, firmware: string) {
      variantType.value = variant
      firmwareVersion.value = firmware.trim()
      return read()
    },
    close() {
      product.value = null
      releases.clear()
      fleet.clear()
      document.clear()
    },
  }
})
