import type { ChangeRow } from './api/changes.ts'

/** The known facts of a device's identity; a missing member is not known. */
export interface DeviceIdentity {
  readonly id: string
  /** As the service sends it; most devices have the name of their product. */
  readonly name: string | null
  readonly userName?: string | null
  readonly room?: { readonly name: string | null } | null
  readonly productName?: string | null
  readonly serialNumber?: string | null
}

const known = (text: string | null | undefined): string | null => text?.trim() || null

/** A name that says more than the product or the id; null: it has none. */
export function ownNameOf({ id, name, productName }: DeviceIdentity): string | null {
  const own = known(name)
  return own === null || own === id || own === known(productName) ? null : own
}

/**
 * User or room, then product, then serial number: `Anne Müller`, `Evolve2 65`, `00A1D4F7657`. Never empty;
 * the id only if nothing else is known.
 */
function partsOf(device: DeviceIdentity): readonly [first: string, ...rest: string[]] {
  const own = ownNameOf(device)
  // The computer of a room is signed in with a generic account, such as `Skype`: the room says more.
  const place = known(device.room?.name) ?? known(device.userName)
  const [first, ...rest] = [
    place ?? own,
    // Without a product, its own name says what it is.
    known(device.productName) ?? (place === null ? null : own),
    known(device.serialNumber),
  ].filter((part) => part !== null)
  if (first === undefined) return [device.id]
  return rest.length === 0 && first === place ? [first, device.id] : [first, ...rest]
}

/** The room, else the user, else its own name, else the product: what a technician searches for. */
export const deviceTitle = (device: DeviceIdentity): string => partsOf(device)[0]
/** The text next to the title: product and serial number; null: neither is known. */
export const deviceDetail = (device: DeviceIdentity): string | null =>
  partsOf(device).slice(1).join(' · ') || null
/** Both in one line: `Anne Müller · Evolve2 65 · 00A1D4F7657`. */
export const deviceLabel = (device: DeviceIdentity): string => partsOf(device).join(' · ')
/** The parts of such a line; a room or user may contain the separator, product and serial number do not. */
export function partsOfLabel(label: string): {
  readonly title: string
  readonly product: string | null
  readonly serial: string | null
} {
  const parts = label.split(' · ')
  const last = parts.at(-1) ?? ''
  const serial = parts.length > 1 && /^(?=.*\d)[\w:-]{5,}$/.test(last) ? last : null
  const rest = serial === null ? parts : parts.slice(0, -1)
  const product = rest.length > 1 ? (rest.at(-1) ?? null) : null
  return { title: (product === null ? rest : rest.slice(0, -1)).join(' · '), product, serial }
}

/** Names of devices within their room: a device with the room's name is named by its product. */
export const devicesIn = <D extends DeviceIdentity>(room: {
  readonly name: string | null
  readonly devices: readonly D[] | null
}): readonly D[] =>
  (room.devices ?? []).map((device) =>
    known(device.productName) !== null && known(device.name) === known(room.name)
      ? { ...device, name: null }
      : device,
  )

/**
 * The room or device of a change: a device by its current data, or by its name at that time if it is unknown
 * now.
 */
export const subjectOf = (row: Omit<ChangeRow, 'productId' | 'own' | 'jobId'>): DeviceIdentity => ({
  ...(row.of === 'device' ? row : {}),
  id: row.subjectId,
  name: row.subjectName,
})
