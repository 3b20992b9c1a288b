import type { ChangeDraft } from '../changes/changes.ts'
import { identifyingWords, isSameWord, type DeviceRecord } from '../management/management.ts'

/** Rooms of a device before and after, as far as known. */
export interface DevicePlaces {
  readonly before: { readonly id: string; readonly name: string | null } | null
  readonly after: { readonly id: string; readonly name: string | null } | null
}

/**
 * The differences between two records of one device. "Unknown" is not an event: a missing status, version or
 * name says nothing about the device.
 */
export function deviceChanges(
  before: DeviceRecord,
  after: DeviceRecord,
  places: DevicePlaces,
): readonly ChangeDraft[] {
  const drafts: ChangeDraft[] = []
  if (!isSameWord(before.status, after.status)) {
    const kind = statusChange(before.status, after.status)
    if (kind) drafts.push({ kind, before: before.status, after: after.status })
  }
  if (before.firmwareVersion !== after.firmwareVersion && after.firmwareVersion !== null)
    drafts.push({ kind: 'firmware-changed', before: before.firmwareVersion, after: after.firmwareVersion })
  if (before.groupId !== after.groupId && places.before?.id !== places.after?.id)
    drafts.push({
      kind: 'moved-room',
      before: placeName(places.before, before.groupId),
      after: placeName(places.after, after.groupId),
    })
  if (before.name !== after.name && ownName(after) !== null)
    drafts.push({ kind: 'renamed', before: before.name, after: after.name })
  return drafts
}

/**
 * null: the service sent none, and the device is called by its product or id. One that is named like its
 * product has a name: only the record as received tells it.
 */
export function ownName({ name, productName, id, raw }: DeviceRecord): string | null {
  return [productName, id].includes(name) && identifyingWords(raw).name === null ? null : name
}

function statusChange(before: string, after: string): ChangeDraft['kind'] | null {
  if (before === 'unknown' || after === 'unknown') return null
  if (after === 'offline') return 'went-offline'
  if (after === 'rebooting') return 'rebooted'
  if (after === 'online')
    return before === 'rebooting' || before === 'offline' ? 'back-online' : 'status-changed'
  return 'status-changed'
}

/** The room's name, else its id; a group id without a known room is used itself. */
function placeName(place: DevicePlaces['before'], groupId: string | null): string | null {
  return place ? (place.name ?? place.id) : groupId
}
