import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { DefinitionInUse } from '../../electron/contract/api/definitions.ts'
import type { Device, DeviceFirmware } from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { isProductId } from '../../electron/contract/firmware.ts'
import type { FirmwareLink, FirmwareCompliance, ProductId } from '../../electron/contract/api/firmware.ts'
import type { ReleaseNotes } from '../../electron/contract/api/release-notes.ts'
import { api } from '../api.ts'
import { latestResult, noAnswer, resultOf, type Answer } from '../components/latest-result.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { throttle } from '../components/throttle.ts'

/** The product of a device, whose documents can be requested; null: it has none, or an invalid number. */
export function productOf(device: Pick<Device, 'productId'> | null, vendorId: number): ProductId | null {
  const productId = device?.productId ?? null
  return productId === null || !isProductId(productId) ? null : { vendorId, productId }
}

/**
 * The open device and its data. A device remains on screen until the next one is loaded, so that stepping
 * through a list neither clears the page nor loses the focus.
 */
export const useDeviceStore = defineStore('device', () => {
  const id = ref<string | null>(null)
  const found = resultOf<Device>(() => id.value)
  const device = computed<Answer<Device>>(() => found.last.value ?? noAnswer)
  /** The device on screen, to which everything below belongs. */
  const shown = (): string | null => found.last.value?.of ?? null
  const compliance = resultOf<FirmwareCompliance>(shown)
  /** Of the recommended version: the approved one it is compared with, else the latest. */
  const firmwareLink = resultOf<FirmwareLink>(() => linkOf.value)
  const definition = latestResult<DefinitionInUse>()
  /** What the content document contains about the product, such as its support address. */
  const content = resultOf<ReleaseNotes>(shown)
  /** The version that the device itself reported on request. */
  const reported = resultOf<DeviceFirmware>(shown)
  let vendorId = 0

  const offered = computed(() => {
    const known = compliance.answer.value.value
    return known === null || known.kind === 'unknown' ? null : (known.approved ?? known.latest)
  })
  const linkOf = computed(() => (offered.value === null ? null : `${shown() ?? ''} ${offered.value}`))

  /** The download link for the organization's default build type. */
  async function fetchLink(refresh: boolean): Promise<void> {
    const product = productOf(device.value.value, vendorId)
    const [of, version] = [linkOf.value, offered.value]
    if (product === null || of === null || version === null) return
    await firmwareLink.take(of, api.firmware.link({ ...product, version, buildType: null, refresh }))
  }
  const fetchDefinition = (): Promise<boolean> => definition.take(api.definitions.inUse({ refresh: false }))

  async function load(wanted: string): Promise<void> {
    const request = api.devices.get({ id: wanted })
    const loaded = found.take(wanted, request)
    // Requested together; shown once the device itself is loaded.
    const question = api.firmware.compliance({ deviceId: wanted })
    const compared = compliance.take(
      wanted,
      request.then(() => question),
    )
    if (!(await loaded)) return
    if (device.value.value !== null && definition.value.value === null) void fetchDefinition()
    const product = productOf(device.value.value, vendorId)
    if (product !== null && content.answer.value === noAnswer && !content.busy.value)
      void content.take(wanted, api.releaseNotes.get(product))
    await compared
    if (firmwareLink.answer.value === noAnswer && !firmwareLink.busy.value) await fetchLink(false)
  }
  function open(wanted: string, vendor: number): Promise<void> {
    vendorId = vendor
    if (id.value !== wanted) reported.clear()
    id.value = wanted
    return load(wanted)
  }
  /** Reloads the open device without an indicator, because rows changed. */
  async function again(): Promise<void> {
    if (id.value !== null) await load(id.value)
  }
  /**
   * Reloads the open device when rows change. For a page without a list; with a list, its store does this.
   */
  function follow(): () => void {
    const reload = throttle(() => void again(), RELOAD_EVERY_IN_MS)
    const disposers = [api.devices.changed(reload.call), api.tags.changed(reload.call)]
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  /** Requests the version from the device; from then on its row shows it. */
  async function askFirmware(): Promise<void> {
    const of = shown()
    if (of === null || reported.busy.value) return
    await reported.take(of, api.devices.firmware({ id: of }))
    await again()
  }
  /** null: removes the note. */
  async function writeNote(of: string, note: string | null): Promise<Failure | null> {
    const outcome = await api.devices.setNote({ id: of, note })
    if (!outcome.ok) return outcome.failure
    await load(of)
    return null
  }
  async function retryLink(): Promise<void> {
    firmwareLink.clear()
    await fetchLink(true)
  }
  function close(): void {
    id.value = null
    for (const one of [found, compliance, firmwareLink, definition, content, reported]) one.clear()
  }

  return {
    id,
    device,
    compliance: compliance.answer,
    firmwareLink: firmwareLink.answer,
    definition: computed<Answer<DefinitionInUse>>(() => ({
      value: definition.value.value,
      failure: definition.failure.value,
    })),
    content: content.answer,
    reported: reported.answer,
    asking: reported.busy,
    open,
    again,
    follow,
    writeNote,
    retryLink,
    askFirmware,
    fetchDefinition,
    close,
  }
})
