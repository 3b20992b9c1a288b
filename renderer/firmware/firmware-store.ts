import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type {
  BuildType,
  FirmwareLink,
  FirmwareLinkQuery,
  ProductId,
  ReleaseList,
} from '../../electron/contract/api/firmware.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { useFleetFirmware } from './fleet-store.ts'

/** The releases of one product, and the download link for the selected release and build type. */
export const useFirmware = defineStore('firmware', () => {
  const product = ref<ProductId | null>(null)
  const releases = latestResult<ReleaseList>()
  const download = latestResult<FirmwareLink>()
  const fleet = useFleetFirmware()
  const learned = latestResult<readonly BuildType[]>()
  const buildTypes = computed(() => learned.value.value ?? [])
  const chosenBuildType = ref<string | null>(null)
  /** The visible one; the selected or typed one, else the default of the core. */
  const buildType = computed(
    () => chosenBuildType.value ?? download.value.value?.buildType ?? buildTypes.value[0]?.name ?? '',
  )
  /** Opening a product, which needs its releases and the approved versions. */
  const opened = latestResult<ReleaseList>()
  const version = ref<string | null>(null)

  const same = (id: ProductId): boolean =>
    product.value?.vendorId === id.vendorId && product.value.productId === id.productId

  async function askLink(refresh: boolean): Promise<void> {
    if (!product.value || !version.value || chosenBuildType.value === '') return download.clear()
    if (!refresh) download.clear()
    const group = releases.value.value?.releases.find((one) => one.version === version.value)?.bundle?.group
    await download.take(
      api.firmware.link({
        ...product.value,
        version: version.value,
        ...(group == null ? {} : { bundle: group }),
        buildType: chosenBuildType.value,
        refresh,
      }),
    )
  }

  /** Loads the releases of a product, then the link of the requested version, or of the latest. */
  async function open(id: ProductId, wanted: string | null): Promise<void> {
    if (!same(id)) {
      releases.clear()
      download.clear()
      version.value = null
    }
    product.value = { vendorId: id.vendorId, productId: id.productId }
    const request = api.firmware.releases(product.value)
    const beside = [
      releases.take(request),
      learned.take(api.firmware.buildTypes(undefined)),
      fleet.loadApprovals(),
    ]
    if (!(await opened.take(Promise.all(beside).then(() => request)))) return
    if (releases.value.value === null) return
    begin(id, releases.value.value.releases, wanted ?? version.value)
    await askLink(false)
  }
  function begin(id: ProductId, list: ReleaseList['releases'], preferred: string | null): void {
    version.value =
      [preferred, fleet.approvedFor(id)]
        .flatMap((first) => list.find((one) => one.version === first) ?? [])
        .concat(list.find((one) => one.latest) ?? [], list)[0]?.version ?? null
  }

  return {
    product,
    list: releases.value,
    listFailure: releases.failure,
    listBusy: releases.busy,
    download: download.value,
    downloadFailure: download.failure,
    downloadBusy: download.busy,
    buildTypes,
    buildType,
    version,
    chosen: computed(
      () => releases.value.value?.releases.find((one) => one.version === version.value) ?? null,
    ),
    open,
    close() {
      product.value = null
      version.value = null
      opened.clear()
      releases.clear()
      download.clear()
    },
    choose(wanted: string) {
      if (wanted === version.value) return Promise.resolve()
      version.value = wanted
      return askLink(false)
    },
    chooseBuildType(name: string) {
      if (
        name.trim() === buildType.value &&
        (download.busy.value || download.value.value || download.failure.value)
      )
        return Promise.resolve()
      chosenBuildType.value = name.trim()
      return askLink(false)
    },
    refresh: () => askLink(true),
    /** The link for any product, not only the visible one. */
    linkOf: (query: FirmwareLinkQuery) => api.firmware.link({ ...query, refresh: false }),
  }
})
