import { FolderOpen, Pause, Play, X } from '@lucide/vue'
import type { Download } from '../../electron/contract/api/downloads.ts'
import { actions, picture, side, status, words, type Cell, type Mark } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { failureText } from '../failures/failure-text.ts'
import { text } from '../locales/i18n.ts'
import { formatBytes, formatMoment, formatSpan } from '../components/format.ts'
import type { StatusKind } from '../components/status-kind.ts'
import type { useDownloads } from '../downloads/downloads-store.ts'
import { pictureClass } from '../pictures/pictures-store.ts'

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
  | 'actions'

const marks: Readonly<Record<Download['state'], StatusKind>> = {
  queued: 'idle',
  running: 'busy',
  paused: 'paused',
  done: 'ok',
  failed: 'bad',
  cancelled: 'off',
}
export function stateOf({ state, result, triesAgainAt }: Download): Mark {
  const label = result?.already === true ? 'already' : triesAgainAt === null ? `state.${state}` : 'broke'
  return { kind: triesAgainAt === null ? marks[state] : 'warn', label: text(`downloads.${label}`) }
}
/** In a row, where no drawer says why. */
function stateInRow(download: Download): Mark {
  const state = stateOf(download)
  const { failure } = download
  return failure === null ? state : { ...state, label: `${state.label}: ${failureText(failure).sentence}` }
}
export const isGoing = ({ state }: Download): boolean => state === 'running' || state === 'queued'
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
  bar.className = 'w-12 flex-none'
  const end = line.appendChild(document.createElement('span'))
  // At the end also without a bar.
  end.className = 'ms-auto'
  const figures = words<Download>(farOf)(end)
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

const file = side<Download>(
  picture(({ vendorId, productId, name }) => pictureClass(vendorId, productId, name)),
  plain('file'),
)
/** What can be done with a file without opening it. */
const actionsOn = (downloads: ReturnType<typeof useDownloads>): Cell<Download> =>
  actions([
    {
      icon: Pause,
      label: ({ file: name }) => text('downloads.pauseOf', { file: name }),
      isOffered: isGoing,
      act: ({ id }) => void downloads.pause(id),
    },
    {
      icon: Play,
      label: ({ file: name }) => text('downloads.resumeOf', { file: name }),
      isOffered: (one) => isOpen(one) && !isGoing(one),
      act: ({ id }) => void downloads.resume(id),
    },
    {
      icon: X,
      label: ({ file: name }) => text('downloads.cancelOf', { file: name }),
      isOffered: isOpen,
      act: ({ id }) => void downloads.cancel(id),
    },
    {
      icon: FolderOpen,
      label: ({ file: name }) => text('downloads.showOf', { file: name }),
      isOffered: ({ state }) => state === 'done',
      act: ({ id }) => void downloads.show(id),
    },
  ])

export const downloadColumns = (
  downloads: ReturnType<typeof useDownloads>,
): readonly GridColumn<Download, DownloadColumn>[] => [
  column('file', 234, 1, file, { full: 320, grow: 2, look: 'font-semibold' }),
  column('state', 154, 2, status(stateInRow), { full: 320, grow: 2 }),
  column('progress', 184, 3, progress, { full: 184, look: 'tabular-nums' }),
  column('left', 84, 5, words(left), { look: 'end tabular-nums' }),
  column('rate', 96, 6, words(rate), { look: 'end tabular-nums' }),
  column('name', 160, 8, plain('name'), { grow: 1, look: 'dim' }),
  column('version', 80, null, plain('version'), { look: 'tabular-nums' }),
  column('host', 160, 9, plain('host'), { grow: 1, look: 'dim' }),
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
  column('actions', 76, 4, actionsOn(downloads), { fixed: true, look: 'flex items-center' }),
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
