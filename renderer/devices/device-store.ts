import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Change } from '../../electron/contract/change.ts'
import type { DefinitionInUse } from '../../electron/contract/definition.ts'
import type { Device } from '../../electron/contract/device.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import type { FirmwareLink, FirmwareStanding } from '../../electron/contract/firmware.ts'
import { link } from '../link.ts'

/** A value, or why there is none, or still to come. */
export interface Answer<T> {
  readonly value: T | null
  readonly failure: Failure | null
}
const none = { value: null, failure: null } as const

/** The device in the drawer and what belongs to it. Answers for a device that was left meanwhile are dropped. */
export const useDeviceStore = defineStore('device', () => {
  const id = ref<string | null>(null)
  const device = shallowRef<Answer<Device>>(none)
  const standing = shallowRef<Answer<FirmwareStanding>>(none)
  const firmwareLink = shallowRef<Answer<FirmwareLink>>(none)
  const buildType = ref<string | null>(null)
  const definition = shallowRef<Answer<DefinitionInUse>>(none)
  const history = shallowRef<Answer<readonly Change[]>>(none)
  let vendorId = 0

  const answered = <T>(outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }): Answer<T> =>
    outcome.ok ? { value: outcome.value, failure: null } : { value: null, failure: outcome.failure }

  const latestOf = (known: FirmwareStanding): string | null => (known.kind === 'unknown' ? null : known.latest)

  async function readDevice(wanted: string): Promise<void> {
    const answer = answered(await link.devices.get({ id: wanted }))
    if (id.value !== wanted) return
    // What was shown stays when a later reading fails.
    device.value = answer.failure && device.value.value ? { ...device.value, failure: answer.failure } : answer
  }
  async function readStanding(wanted: string): Promise<void> {
    const answer = answered(await link.firmware.standing({ deviceId: wanted }))
    if (id.value !== wanted) return
    standing.value = answer
  }
  /** The download link of the newest release; the build type is the first that answers have shown, else the first assumed one. */
  async function readLink(wanted: string, refresh: boolean): Promise<void> {
    const productId = device.value.value?.productId ?? null
    const version = standing.value.value ? latestOf(standing.value.value) : null
    if (productId === null || version === null) return
    if (buildType.value === null) {
      const types = await link.firmware.buildTypes()
      if (id.value !== wanted) return
      if (types.ok) buildType.value = (types.value.find((type) => type.source === 'seen') ?? types.value[0])?.name ?? null
    }
    if (buildType.value === null) return
    const answer = answered(await link.firmware.link({ vendorId, productId, version, buildType: buildType.value, refresh }))
    if (id.value !== wanted) return
    firmwareLink.value = answer
  }
  async function readHistory(wanted: string): Promise<void> {
    const answer = answered(await link.devices.history({ id: wanted }))
    if (id.value === wanted) history.value = answer
  }
  async function readDefinition(): Promise<void> {
    definition.value = answered(await link.definitions.inUse({ refresh: false }))
  }

  async function open(wanted: string, vendor: number): Promise<void> {
    vendorId = vendor
    id.value = wanted
    device.value = standing.value = firmwareLink.value = history.value = none
    buildType.value = null
    await Promise.all([readDevice(wanted), readStanding(wanted), readHistory(wanted), readDefinition()])
    if (id.value === wanted) await readLink(wanted, false)
  }
  /** Rows changed: what is open is read again, quietly. */
  async function again(): Promise<void> {
    const wanted = id.value
    if (wanted === null) return
    await Promise.all([readDevice(wanted), readStanding(wanted), readHistory(wanted)])
  }
  async function retryLink(): Promise<void> {
    const wanted = id.value
    if (wanted === null) return
    firmwareLink.value = none
    await readLink(wanted, true)
  }
  function close(): void {
    id.value = null
  }

  return { id, device, standing, firmwareLink, buildType, definition, history, open, again, retryLink, readDefinition, close }
})
