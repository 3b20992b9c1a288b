import { computed, type ComputedRef } from 'vue'
import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { freeWordsOf, matchedBy } from '../filter/matched-by.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { text } from '../locales/i18n.ts'
import { useTags } from '../tags/tags-store.ts'
import { useNow } from '../components/now.ts'
import { staleAfterInMs } from '../components/stale-limit.ts'
import { columnsIn } from './column-filter.ts'
import { columnFacts, isSortColumn } from './device-columns.ts'
import { deviceLabel, deviceTitle } from '../../electron/contract/device-name.ts'
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
import { pictureClass } from '../pictures/pictures-store.ts'
import { formatCount, formatMoment, formatHex } from '../components/format.ts'
import { markOfStatus, visibleStatus } from '../components/status-kind.ts'
import { serviceSentence, wordOfClientType } from './device-facts.ts'

/** A last-seen time older than this is marked. Change it if people want to know earlier or later. */
const SEEN_STALE_AFTER_IN_MS = 7 * 86_400_000

interface Present {
  readonly now: () => number
  /** Why a row matches if no visible column shows the match. */
  readonly matched: (row: DeviceRow) => string | null
  /** The vendor of the organization, because devices report none. */
  readonly vendorId: () => number | undefined
}

const kinds = { current: 'word', behind: 'warn', revoked: 'bad', ahead: 'busy', unknown: 'plain' } as const

/** The firmware status: "2 behind", "revoked", "current". */
function compliancePill({ firmware }: Pick<DeviceRow, 'firmware'>): Pill {
  const word =
    firmware.word === 'behind' && firmware.by !== null
      ? text('devices.compliance.behindBy', { n: formatCount(firmware.by) })
      : text(`devices.compliance.${firmware.why ?? firmware.word}`)
  const { service } = firmware
  const compared =
    firmware.comparedWith !== undefined
      ? text('devices.compliance.comparedWith', { version: firmware.comparedWith })
      : firmware.latest === null
        ? ''
        : text('devices.compliance.latest', { latest: firmware.latest })
  const meaning = firmware.why === null ? compared : text(`devices.firmware.why.${firmware.why}`)
  return {
    kind: kinds[firmware.word],
    label: service === undefined ? word : text(`devices.compliance.${service}`, { word }),
    title: [meaning, serviceSentence(firmware)].filter((part) => part !== '').join('. '),
  }
}

/** The version, and the expected one: `2.7.0 → 2.9.2`. A current one is plain text. */
function versionOf(row: DeviceRow): Step {
  const { word, comparedWith, latest } = row.firmware
  const { label, title = '' } = compliancePill(row)
  const target = comparedWith ?? latest
  const beside =
    word === 'behind' && target !== null
      ? ({ words: `→ ${target}`, kind: 'warn' } as const)
      : word === 'current' || word === 'unknown'
        ? null
        : {
            words: word === 'revoked' && target !== null ? `${label} → ${target}` : label,
            kind: ({ behind: 'warn', revoked: 'bad', ahead: 'plain' } as const)[word],
          }
  const reported =
    row.firmwareReadAt === null
      ? ''
      : text('devices.firmware.reportedAt', { when: formatMoment(row.firmwareReadAt) })
  return {
    words: row.firmwareVersion,
    beside,
    title: [label, title, reported].filter((part) => part !== '').join('. '),
  }
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

/** The function that draws the cells of a column. */
export function cellOf(column: DeviceColumn, { now, matched, vendorId }: Present): Cell<DeviceRow> {
  switch (column) {
    case 'userOrRoom':
      return side(
        picture((row) => pictureClass(vendorId(), row.productId, row.productName ?? row.name)),
        wordsBeside(
          deviceTitle,
          matched,
          (row) => [deviceLabel(row), matched(row)].filter(Boolean).join(' · '),
          // An account without a name stands out among names.
          (row) => /^\S+@\S+$/.test(deviceTitle(row)),
        ),
      )
    case 'status':
      return status(
        (row) => visibleStatus(row, now(), staleAfterInMs.value),
        // Outside a room a device is offline whenever it is not used.
        (row) => row.room === null && markOfStatus(row.status) === 'off',
      )
    case 'firmwareVersion':
      return step(versionOf)
    case 'firmware':
      return pill(compliancePill)
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
      return age(
        (row) => row.observedAt,
        now,
        () => staleAfterInMs.value,
      )
    case 'addedAt':
      return age((row) => row.addedAt, now)
    default:
      return words((row) => cellText(row, column))
  }
}

const special: Readonly<Partial<Record<DeviceColumn, (row: DeviceRow) => string | null>>> = {
  userOrRoom: deviceTitle,
  roomName: ({ room }) => (room ? (room.name ?? room.id) : null),
  location: ({ room }) => room?.location ?? null,
  clientType: ({ clientType }) => (clientType === null ? null : wordOfClientType(clientType)),
  productId: ({ productId }) => (productId === null ? null : formatHex(productId)),
}

/** The text of a column for a device; null: unknown, or no text. */
function cellText(row: DeviceRow, column: DeviceColumn): string | null {
  const own = special[column]
  const value: unknown = own ? own(row) : row[column as keyof DeviceRow]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** The columns of the device list; a match of the filter `applied` in a hidden column is shown with the name. */
export function useDeviceColumns(list: {
  readonly where: () => string
  readonly applied: () => string
  readonly visible: () => readonly DeviceColumn[]
}): {
  readonly columns: ComputedRef<readonly GridColumn<DeviceRow, DeviceColumn>[]>
  readonly repaintOn: ComputedRef<unknown>
} {
  const now = useNow()
  const appLayout = useLayoutStore()
  const tags = useTags()
  const freeWords = computed(() => freeWordsOf(list.applied()))
  const filtered = computed(() => columnsIn(list.where()))
  const present = {
    now: () => now.value,
    vendorId: () => appLayout.current?.vendorId,
    matched: (row: DeviceRow) =>
      freeWords.value.length === 0
        ? null
        : matchedBy(
            row,
            freeWords.value,
            list.visible().map((column) => cellText(row, column)),
          ),
  }
  const cells = columnFacts.map(({ column, ...fact }) => ({
    ...fact,
    column,
    cell: cellOf(column, present),
  }))
  return {
    columns: computed(() =>
      cells.map(({ column, ...drawn }) => ({
        ...drawn,
        key: column,
        // Without tags its room is for others.
        priority: column === 'tags' && !tags.known?.length ? null : drawn.priority,
        label: text(`devices.columns.${column}`),
        fixed: !isSortColumn(column),
        funnel: filtered.value.has(column) ? 'on' : 'off',
      })),
    ),
    repaintOn: computed(() => [freeWords.value, list.visible()]),
  }
}
