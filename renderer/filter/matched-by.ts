import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { folded } from '../../electron/contract/filter/folded.ts'
import { parseFilter } from '../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { text } from '../locales/i18n.ts'

/** Fields that a word without a key searches (core/devices/text-conditions.ts), in display order. */
const searched = {
  userName: ({ userName }) => userName,
  roomName: ({ room }) => room?.name ?? null,
  name: ({ name }) => name,
  computerName: ({ computerName }) => computerName,
  productName: ({ productName }) => productName,
  serialNumber: ({ serialNumber }) => serialNumber,
  location: ({ room }) => room?.location ?? null,
  macAddress: ({ macAddress }) => macAddress,
  id: ({ id }) => id,
  groupId: ({ groupId }) => groupId,
} as const satisfies Partial<Record<DeviceColumn, (row: DeviceRow) => string | null>>

/** Words of a filter without a field. */
export const freeWordsOf = (where: string): readonly string[] =>
  parseFilter(where, deviceVocabulary)
    .terms.filter(({ key, negated }) => key === null && !negated)
    .flatMap(({ values }) => values)

/**
 * Why a row matches if no visible column shows it: `Computer: AALB-PC-12`, of an address the part that does; null: a column shows the match, or
 * no word was typed.
 */
export function matchedBy(
  row: DeviceRow,
  words: readonly string[],
  texts: readonly (string | null)[],
): string | null {
  const visible = folded(texts.join('\n'))
  for (const word of words.map(folded)) {
    if (visible.includes(word)) continue
    for (const [column, of] of Object.entries(searched)) {
      const value = of(row)
      if (value !== null && holds(value, word, column === 'macAddress'))
        return text('devices.matched', {
          column: text(`devices.columns.${column}`),
          value: value.split(', ').find((part) => holds(part, word, false)) ?? value,
        })
    }
  }
  return null
}

/** A MAC address matches with any separators. */
const bare = (mac: string): string => mac.replaceAll(/[\s:.-]/g, '')
const holds = (value: string, word: string, isMac: boolean): boolean =>
  folded(value).includes(word) || (isMac && /[\da-f]/.test(word) && bare(folded(value)).includes(bare(word)))
