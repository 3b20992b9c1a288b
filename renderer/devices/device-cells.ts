import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import {
  age,
  picture,
  pill,
  pills,
  side,
  status,
  step,
  words,
  wordsBeside,
  type Cell,
  type Pill,
  type Step,
} from '../lists/grid-cells.ts'
import { text } from '../locales/i18n.ts'
import { idBeside, nameOfDevice } from '../parts/device-name.ts'
import { formatCount, formatHex } from '../parts/format.ts'
import { statusShown } from '../parts/status-shown.ts'
import { serviceSentence, wordOfClientType } from './device-facts.ts'

/** Older than this a last-seen time is a question of its own (chosen). */
const SEEN_STALE_AFTER_IN_MS = 7 * 86_400_000

export interface Present {
  readonly now: () => number
  /** Observed longer ago than this is stale, in milliseconds. */
  readonly staleAfterInMs: () => number
}

const plainText: Readonly<Partial<Record<DeviceColumn, (row: DeviceRow) => string | null>>> = {
  roomName: ({ room }) => (room ? (room.name ?? room.id) : null),
  location: ({ room }) => room?.location ?? null,
  clientType: ({ clientType }) => (clientType === null ? null : wordOfClientType(clientType)),
  productId: ({ productId }) => (productId === null ? null : formatHex(productId)),
}
function wordsOf(row: DeviceRow, column: DeviceColumn): string | null {
  const own = plainText[column]
  const value: unknown = own ? own(row) : row[column as keyof DeviceRow]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

const kinds = { current: 'ok', behind: 'warn', revoked: 'bad', ahead: 'busy', unknown: 'plain' } as const

/** How the firmware stands: "2 behind", "revoked", "current". */
export function standingOf({ firmware }: Pick<DeviceRow, 'firmware'>): Pill {
  const word =
    firmware.word === 'behind' && firmware.by !== null
      ? text('devices.standing.behindBy', { n: formatCount(firmware.by) })
      : text(`devices.standing.${firmware.why ?? firmware.word}`)
  const { service } = firmware
  const compared =
    firmware.comparedWith !== undefined
      ? text('devices.standing.comparedWith', { version: firmware.comparedWith })
      : firmware.latest === null
        ? ''
        : text('devices.standing.latest', { latest: firmware.latest })
  const meaning = firmware.why === null ? compared : text(`devices.firmware.why.${firmware.why}`)
  return {
    kind: kinds[firmware.word],
    label: service === undefined ? word : text(`devices.standing.${service}`, { word }),
    title: [meaning, serviceSentence(firmware)].filter((part) => part !== '').join('. '),
  }
}

/** The version, and what it should be: `2.7.0 → 2.9.2`. A current one is plain text. */
function versionOf(row: DeviceRow): Step {
  const { word, comparedWith, latest } = row.firmware
  const { label, title = '' } = standingOf(row)
  const target = comparedWith ?? latest
  const beside =
    word === 'behind' && target !== null
      ? ({ words: `→ ${target}`, kind: 'warn' } as const)
      : word === 'current' || word === 'unknown'
        ? null
        : { words: label, kind: ({ behind: 'warn', revoked: 'bad', ahead: 'plain' } as const)[word] }
  return { words: row.firmwareVersion, beside, title: title === '' ? label : `${label}. ${title}` }
}

const approvedKinds = { yes: 'ok', no: 'warn', expired: 'bad' } as const

/** Whether it runs exactly the approved version; null: none is approved. */
function approvedOf({ firmware: { approved } }: DeviceRow): Pill | null {
  if (approved === undefined) return null
  const { word, version } = approved
  return {
    kind: approvedKinds[word],
    label: text(`devices.approved.${word}`),
    title: version === null ? '' : text('devices.approved.version', { version }),
  }
}

/** What draws the cells of a column. */
export function cellOf(column: DeviceColumn, { now, staleAfterInMs }: Present): Cell<DeviceRow> {
  switch (column) {
    case 'name':
      return side(
        picture((row) => formFactorOf(row.productName ?? row.name)),
        wordsBeside(nameOfDevice, idBeside),
      )
    case 'status':
      return status((row) => statusShown(row, now(), staleAfterInMs()))
    case 'firmwareVersion':
      return step(versionOf)
    case 'firmware':
      return pill(standingOf)
    case 'approved':
      return pill(approvedOf)
    case 'tags':
      return pills((row) => row.tags)
    case 'lastSeenAt':
      return age(
        (row) => row.lastSeenAt,
        now,
        () => SEEN_STALE_AFTER_IN_MS,
      )
    case 'observedAt':
      return age((row) => row.observedAt, now, staleAfterInMs)
    case 'addedAt':
      return age((row) => row.addedAt, now)
    default:
      return words((row) => wordsOf(row, column))
  }
}
