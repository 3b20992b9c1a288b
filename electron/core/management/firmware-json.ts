import type { Json } from '../../contract/json.ts'
import { idKey } from '../storage/record-ids.ts'
import { flagOf, innerObject, integerOf, labelOf, membersOf, objectOf, memberText } from './members.ts'

/** A device's own report about its firmware. */
export interface ParsedFirmware {
  /** null: the response has none. */
  readonly version: string | null
  /** null: not stated. */
  readonly updating: boolean | null
}

/** Objects of the response that may contain it. No shape is published; add one when it is observed. */
const wrappers = ['firmware', 'device', 'item', 'data', 'record']

/**
 * Member names: those of a device's record (services.md#B40), because nothing is published about this
 * response. Never throws.
 */
export function parseFirmware(json: Json): ParsedFirmware {
  const raw = objectOf(json)
  if (raw === null) return { version: null, updating: null }
  const own = membersOf(raw)
  const inner = wrappers.map((name) => innerObject(own(name))).filter((one) => one !== null)
  const readings = [raw, ...inner].map((record) => {
    const member = membersOf(record)
    return {
      version: labelOf(member('firmwareVersion')),
      updating: flagOf(member('firmwareUpdateInProgress')),
    }
  })
  return {
    version: readings.find(({ version }) => version !== null)?.version ?? null,
    updating: readings.find(({ updating }) => updating !== null)?.updating ?? null,
  }
}

/**
 * What a report says of itself if it is another device's, or another product's, than the one asked; null: it
 * is of this one, or does not say. Never throws.
 */
export function otherThanAsked(
  json: Json,
  asked: { readonly deviceId: string; readonly productId: number | null },
): string | null {
  const raw = objectOf(json)
  if (raw === null) return null
  const own = membersOf(raw)
  const device = innerObject(own('device'))
  const places = [raw, ...wrappers.map((name) => innerObject(own(name)))].filter((one) => one !== null)
  const ids = [
    ...places.map((one) => memberText(membersOf(one)('deviceId'))),
    device === null ? null : memberText(membersOf(device)('id')),
  ].filter((id) => id !== null)
  const otherId = ids.find((id) => idKey(id) !== idKey(asked.deviceId))
  if (otherId !== undefined) return `The service answered for another device: ${labelOf(otherId) ?? ''}.`
  const otherProduct = places
    .map((one) => integerOf(membersOf(one)('productId')))
    .find((id) => id !== null && asked.productId !== null && id !== asked.productId)
  return otherProduct == null || asked.productId === null
    ? null
    : `The device reports product ${otherProduct}, but it is known as product ${asked.productId}. Sync first.`
}
