import type { Json } from '../../contract/json.ts'
import { flagOf, innerObject, labelOf, membersOf, objectOf } from './members.ts'

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
 * Member names: those of a device's record (observed 4.2), because nothing is published about this response.
 * Never throws.
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
