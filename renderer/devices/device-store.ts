import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { DefinitionInUse } from '../../electron/contract/api/definitions.ts'
import type { Device, DeviceFirmware } from '../../electron/contract/api/devices.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { isProductId } from '../../electron/contract/firmware.ts'
import type { FirmwareLink, FirmwareCompliance, ProductId } from '../../electron/contract/api/firmware.ts'
import type { ReleaseNotes } from '../../electron/contract/api/release-notes.ts'
import { api } from '../api.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { throttle } from '../components/throttle.ts'

/** A value, or the reason why there is none, or the fact that it is not loaded yet. */
export interface Answer<T> {
  readonly value: T | null
  readonly failure: Failure | null
}
/** The product of a device, whose documents can be requested; null: it has none, or an invalid number. */
export function productOf(device: Pick<Device, 'productId'> | null, vendorId: number): ProductId | null {
  const productId = device?.productId ?? null
  return productId === null || !isProductId(productId) ? null : { vendorId, productId }
}

const none = { value: null, failure: null } as const

/**
 * The open device and its data. A device remains on screen until the next one is loaded, so that stepping
 * through a list neither clears the page nor loses the focus. Late responses for a previous device are
 * dropped.
 */
export const useDeviceStore = defineStore('device', () => {
  const id = ref<string | null>(null)
  const device = shallowRef<Answer<Device>>(none)
  const compliance = shallowRef<Answer<FirmwareCompliance>>(none)
  const firmwareLink = shallowRef<Answer<FirmwareLink>>(none)
  const definition = shallowRef<Answer<DefinitionInUse>>(none)
  /** What the content document contains about the product, such as its support address. */
  const content = shallowRef<Answer<ReleaseNotes>>(none)
  /** The version that the device itself reported on request. */
  const reported = shallowRef<Answer<DeviceFirmware>>(none)
  const asking = ref(false)
  let vendorId = 0
  /** Incremented with each opened device: a device that is opened again has its own responses. */
  let round = 0

  const answered = <T>(outcome: Outcome<T>): Answer<T> =>
    outcome.ok ? { value: outcome.value, failure: null } : { value: null, failure: outcome.failure }
  /** The recommended version: the approved one it is compared with, else the latest. */
  const offeredOf = (known: FirmwareCompliance): string | null =>
    known.kind === 'unknown' ? null : (known.approved ?? known.latest)

  /** The download link of the newest release, for the organization's default build type. */
  async function fetchLink(mine: number, refresh: boolean): Promise<void> {
    const product = productOf(device.value.value, vendorId)
    const version = compliance.value.value ? offeredOf(compliance.value.value) : null
    if (product === null || version === null) return
    const answer = answered(await api.firmware.link({ ...product, version, buildType: null, refresh }))
    if (mine === round) firmwareLink.value = answer
  }
  async function fetchContent(mine: number): Promise<void> {
    const product = productOf(device.value.value, vendorId)
    if (product === null) return
    const answer = answered(await api.releaseNotes.get(product))
    if (mine === round) content.value = answer
  }
  async function fetchDefinition(): Promise<void> {
    definition.value = answered(await api.definitions.inUse({ refresh: false }))
  }

  async function open(wanted: string, vendor: number): Promise<void> {
    const mine = ++round
    vendorId = vendor
    id.value = wanted
    // Requested together; shown once the device itself is loaded.
    const request = api.firmware.compliance({ deviceId: wanted })
    const found = answered(await api.devices.get({ id: wanted }))
    if (mine !== round) return
    device.value = found
    compliance.value = firmwareLink.value = content.value = reported.value = none
    if (found.value === null) return
    if (definition.value.value === null) void fetchDefinition()
    void fetchContent(mine)
    const stands = await request
    if (mine !== round) return
    compliance.value = answered(stands)
    await fetchLink(mine, false)
  }
  /**
   * Reloads the open device without an indicator, because rows changed. If that fails, displayed data
   * remains.
   */
  async function again(): Promise<void> {
    const mine = round
    const wanted = id.value
    if (wanted === null) return
    const [found, stands] = await Promise.all([
      api.devices.get({ id: wanted }),
      api.firmware.compliance({ deviceId: wanted }),
    ])
    if (mine !== round || id.value !== wanted) return
    device.value =
      found.ok || device.value.value === null ? answered(found) : { ...device.value, failure: found.failure }
    compliance.value = answered(stands)
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
    const mine = round
    const wanted = id.value
    if (wanted === null || asking.value) return
    asking.value = true
    const answer = answered(await api.devices.firmware({ id: wanted }))
    asking.value = false
    if (mine !== round) return
    reported.value = answer
    await again()
  }
  /** null: removes the note. */
  async function writeNote(of: string, note: string | null): Promise<Failure | null> {
    const outcome = await api.devices.setNote({ id: of, note })
    if (!outcome.ok) return outcome.failure
    if (device.value.value?.id === of) device.value = answered(outcome)
    return null
  }
  async function retryLink(): Promise<void> {
    firmwareLink.value = none
    await fetchLink(round, true)
  }
  function close(): void {
    round += 1
    id.value = null
    device.value = none
  }

  return {
    id,
    device,
    compliance,
    firmwareLink,
    definition,
    content,
    reported,
    asking,
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
