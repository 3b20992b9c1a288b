import type { FirmwareWord } from '../../electron/contract/api/devices.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'

const pills = { current: 'word', behind: 'warn', revoked: 'bad', ahead: 'busy', unknown: 'plain' } as const
export const pillOfFirmware = (word: FirmwareWord): (typeof pills)[FirmwareWord] => pills[word]

/**
 * The worst firmware status in a room as text: `2 behind` is the number of devices, behind and revoked ones
 * together.
 */
export function firmwareOf({ worstFirmware, behindCount }: RoomRow): string {
  if (worstFirmware === null) return text('rooms.firmware.none')
  return text(`rooms.firmware.${worstFirmware}`, { n: formatCount(behindCount ?? 0) })
}
