import type { Download } from '../../electron/contract/api/downloads.ts'
import { status, words, type Cell, type Mark } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { formatBytes, formatMoment, formatSpan } from '../components/format.ts'
import type { StatusKind } from '../components/status-kind.ts'

export type DownloadColumn =
  | 'file'
  | 'state'
  | 'progress'
  | 'left'
  | 'rate'
  | 'name'
  | 'version'
  | 'host'
  | 'startedAt'
  | 'endedAt'

const marks: Readonly<Record<Download['state'], StatusKind>> = {
  queued: 'idle',
  running: 'busy',
  paused: 'idle',
  done: 'ok',
  failed: 'bad',
  cancelled: 'idle',
}
export function stateOf({ state, result, triesAgainAt }: Download): Mark {
  const label = result?.already === true ? 'already' : triesAgainAt === null ? `state.${state}` : 'broke'
  return { kind: marks[state], label: text(`downloads.${label}`) }
}
export const isOpen = ({ state }: Download): boolean =>
  ['queued', 'running', 'paused', 'failed'].includes(state)
/** Its progress in bytes; null: it was removed. */
export function farOf({ bytes, size, result, state }: Download): string | null {
  if (state === 'cancelled') return null
  return result === null && size !== null
    ? text('downloads.of', { bytes: formatBytes(bytes), size: formatBytes(size) })
    : formatBytes(bytes)
}

/** A bar with the progress in figures, until it has ended. */
const progress: Cell<Download> = (cell) => {
  const { ownerDocument: document } = cell
  const line = cell.appendChild(document.createElement('span'))
  line.className = 'flex items-center justify-between gap-2'
  const bar = line.appendChild(document.createElement('progress'))
  bar.className = 'flex-1 min-w-0'
  const figures = words<Download>(farOf)(line.appendChild(document.createElement('span')))
  return (download) => {
    bar.hidden = !isOpen(download) || download.size === null
    bar.max = Math.max(1, download.size ?? 0)
    bar.value = download.bytes
    bar.setAttribute('aria-label', text('downloads.progress', { file: download.file }))
    figures(download)
  }
}
const rate = (download: Download): string | null =>
  download.rate === null ? null : text('downloads.rate', { rate: formatBytes(download.rate) })
const left = ({ secondsLeft }: Download): string | null =>
  secondsLeft === null ? null : formatSpan(secondsLeft * 1_000)
const column = columnsOf<Download, DownloadColumn>('downloads.columns')
const plain = (key: 'file' | 'name' | 'version' | 'host'): Cell<Download> =>
  words((one) => one[key], { title: (one) => one[key] })
const moment = (key: 'startedAt' | 'endedAt'): Cell<Download> =>
  words((one) => (one[key] === null ? null : formatMoment(one[key])))

export const downloadColumns = (): readonly GridColumn<Download, DownloadColumn>[] => [
  column('file', 200, 1, plain('file'), { grow: 3 }),
  column('state', 184, 2, status(stateOf)),
  column('progress', 190, 3, progress, { grow: 1, look: 'tabular-nums' }),
  column('left', 80, 4, words(left), { look: 'end tabular-nums' }),
  column('rate', 130, 6, words(rate), { look: 'end tabular-nums' }),
  column('name', 160, 7, plain('name'), { grow: 1, look: 'dim' }),
  column('version', 80, null, plain('version'), { look: 'tabular-nums' }),
  column('host', 160, 9, plain('host'), { look: 'dim' }),
  column('startedAt', 140, 8, moment('startedAt'), {
    look: 'tabular-nums',
    descendingFirst: true,
    time: true,
  }),
  column('endedAt', 140, null, moment('endedAt'), {
    look: 'tabular-nums',
    descendingFirst: true,
    time: true,
  }),
]
export const downloadValues = {
  file: (one: Download) => one.file,
  state: (one: Download) => stateOf(one).label,
  progress: (one: Download) => one.bytes,
  left: (one: Download) => one.secondsLeft,
  rate: (one: Download) => one.rate,
  name: (one: Download) => one.name,
  version: (one: Download) => one.version,
  host: (one: Download) => one.host,
  startedAt: (one: Download) => one.startedAt,
  endedAt: (one: Download) => one.endedAt,
}
