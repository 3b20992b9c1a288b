import type { ChangeRow } from './api/changes.ts'

/** What is known of a device's identity; a member that is missing is not known here. */
export interface DeviceIdentity {
  readonly id: string
  /** As the service sends it; most devices are named like their product. */
  readonly name: string | null
  readonly userName?: string | null
  readonly room?: { readonly name: string | null } | null
  readonly productName?: string | null
  readonly serialNumber?: string | null
}

const known = (text: string | null | undefined): string | null => text?.trim() || null

/** A name that tells more than the product or the id does; null: it has none. */
export function ownNameOf({ id, name, productName }: DeviceIdentity): string | null {
  const own = known(name)
  return own === null || own === id || own === known(productName) ? null : own
}

/** Who or where, then what, then which: `Anne Müller`, `Evolve2 65`, `00A1D4F7657`. Never empty; the id only where it would be told by nothing else. */
function partsOf(device: DeviceIdentity): readonly [first: string, ...rest: string[]] {
  const own = ownNameOf(device)
  // The computer of a room is signed in with an account of its own, such as `Skype`: the room says more.
  const place = known(device.room?.name) ?? known(device.userName)
  const [first, ...rest] = [
    place ?? own,
    // Its own name tells what it is where no product does.
    known(device.productName) ?? (place === null ? null : own),
    known(device.serialNumber),
  ].filter((part) => part !== null)
  if (first === undefined) return [device.id]
  return rest.length === 0 && first === place ? [first, device.id] : [first, ...rest]
}

/** The room, else the user, else a name of its own, else the product: what a technician looks for. */
export const deviceTitle = (device: DeviceIdentity): string => partsOf(device)[0]
/** What stands beside the title: product and serial number; null: nothing more is known. */
export const deviceDetail = (device: DeviceIdentity): string | null =>
  partsOf(device).slice(1).join(' · ') || null
/** Both in one line: `Anne Müller · Evolve2 65 · 00A1D4F7657`. */
export const deviceLabel = (device: DeviceIdentity): string => partsOf(device).join(' · ')

/** Devices as they are named within their room: one that is called like the room is told by its product. */
export const devicesIn = <D extends DeviceIdentity>(room: {
  readonly name: string | null
  readonly devices: readonly D[] | null
}): readonly D[] =>
  (room.devices ?? []).map((device) =>
    known(device.productName) !== null && known(device.name) === known(room.name)
      ? { ...device, name: null }
      : device,
  )

/** The room or device that a change is about: a device by what is known of it now, and by its name of then where nothing is. */
export const subjectOf = (row: Omit<ChangeRow, 'own' | 'jobId'>): DeviceIdentity => ({
  ...(row.of === 'device' ? row : {}),
  id: row.subjectId,
  name: row.subjectName,
})
