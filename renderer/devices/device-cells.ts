import type { ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { text } from '../locales/i18n.ts'
import { formatAge, formatCount, formatHex, formatMoment } from '../parts/format.ts'
import { idBeside, nameOfDevice } from '../parts/device-name.ts'
import { serviceSentence, wordOfClientType } from './device-facts.ts'
import { statusCell } from './status-cell.ts'

/** Older than this a last-seen time is a question of its own (chosen). */
const SEEN_STALE_AFTER_IN_MS = 7 * 86_400_000
const NONE = '—'

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

/** The words of a cell; what was not sent is a dash. */
export function wordsOf(row: DeviceRow, column: DeviceColumn): string {
  const own = plainText[column]
  const value: unknown = own ? own(row) : row[column as keyof DeviceRow]
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : NONE
}

function element(tag: string, className: string, words = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = words
  return made
}
function nameCell(row: DeviceRow): HTMLElement {
  const cell = element('span', '', nameOfDevice(row))
  const id = idBeside(row)
  if (id !== null) cell.append(' ', element('span', 'quiet', id))
  return cell
}
const waitingBar = (): HTMLElement => element('span', 'waiting-bar')

const kinds = { current: 'ok', behind: 'warn', revoked: 'bad', ahead: 'accent', unknown: 'plain' } as const

/** How the firmware stands, as a pill: "2 behind", "revoked", "current". */
export function standingCell({ firmware }: Pick<DeviceRow, 'firmware'>): HTMLElement {
  const word =
    firmware.word === 'behind' && firmware.by !== null
      ? text('devices.standing.behindBy', { n: formatCount(firmware.by) })
      : text(`devices.standing.${firmware.why ?? firmware.word}`)
  const { service } = firmware
  const pill = element(
    'span',
    `cell-pill ${kinds[firmware.word]}`,
    service === undefined ? word : text(`devices.standing.${service}`, { word }),
  )
  if (firmware.latest !== null) pill.title = text('devices.standing.latest', { latest: firmware.latest })
  if (firmware.why !== null) pill.title = text(`devices.firmware.why.${firmware.why}`)
  if (service !== undefined)
    pill.title = [pill.title, serviceSentence(firmware)].filter((part) => part !== '').join('. ')
  return pill
}
function tagCell({ tags }: Pick<DeviceRow, 'tags'>): HTMLElement {
  const cell = element('span', 'cell-tags')
  cell.append(...tags.map((tag) => element('span', 'cell-pill plain', tag)))
  cell.title = tags.join(', ')
  return cell
}

type Drawing = { readonly draw: (row: DeviceRow) => HTMLElement; readonly waiting: () => HTMLElement }

/** A text that a function answers goes through the grid's HTML parser, and names come from a service: a cell is always an element of ours. */
class DrawnCell implements ICellRendererComp<DeviceRow> {
  private gui: HTMLElement | null = null

  init({ data, draw, waiting }: ICellRendererParams<DeviceRow> & Drawing): void {
    this.gui = data ? draw(data) : waiting()
  }
  getGui(): HTMLElement {
    return this.gui ?? element('span', '')
  }
  refresh(): boolean {
    return false
  }
}
/** `waiting`: what stands there until the row has come. */
export const drawnBy = (
  draw: Drawing['draw'],
  waiting: Drawing['waiting'] = () => element('span', ''),
): ColDef<DeviceRow> => ({
  cellRenderer: DrawnCell,
  cellRendererParams: { draw, waiting } satisfies Drawing,
})

const age = (
  at: (row: DeviceRow) => number | null,
  present: Present,
  staleAfterInMs: () => number,
): ColDef<DeviceRow> => ({
  cellClassRules: {
    stale: ({ data }) => {
      const then = data ? at(data) : null
      return then !== null && present.now() - then > staleAfterInMs()
    },
  },
  ...drawnBy((row) => {
    const then = at(row)
    if (then === null) return element('span', '', NONE)
    const cell = element('span', 'age', formatAge(then, present.now()))
    cell.title = formatMoment(then)
    return cell
  }),
})

/** What a column draws beyond its plain words. */
export function cellOf(column: DeviceColumn, present: Present): ColDef<DeviceRow> {
  switch (column) {
    case 'name':
      return drawnBy(nameCell, waitingBar)
    case 'status':
      return drawnBy((row) => statusCell(row, present.now(), present.staleAfterInMs()))
    case 'firmware':
      return drawnBy(standingCell)
    case 'tags':
      return drawnBy(tagCell)
    case 'lastSeenAt':
      return age(
        (row) => row.lastSeenAt,
        present,
        () => SEEN_STALE_AFTER_IN_MS,
      )
    case 'observedAt':
      return age((row) => row.observedAt, present, present.staleAfterInMs)
    case 'addedAt':
      return age(
        (row) => row.addedAt,
        present,
        () => Number.POSITIVE_INFINITY,
      )
    default:
      return { valueGetter: ({ data }) => data && wordsOf(data, column) }
  }
}
