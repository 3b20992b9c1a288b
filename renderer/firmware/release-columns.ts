import { ArrowLeftRight, Copy, Download } from '@lucide/vue'
import type { FirmwareRelease } from '../../electron/contract/api/firmware.ts'
import { actions, pillsOf, step, words, wordsAndBar, type Pill, type Step } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import type { RowValues } from '../lists/use-rows.ts'
import { text } from '../locales/i18n.ts'
import { formatBytes, formatCount, formatDay } from '../components/format.ts'

export type ReleaseColumn =
  | 'version'
  | 'marks'
  | 'yours'
  | 'changes'
  | 'actions'
  | 'file'
  | 'released'
  | 'size'
  | 'md5'
  | 'buildTypes'
  | 'bundle'

/** What the fleet has of a release: how many devices run it, and whether it is approved. */
export interface OfFleet {
  readonly devicesOn: (version: string) => number
  readonly approved: string | null
  /** Its changes for devices with another version; null: not requested. */
  readonly changesOf: (version: string) => Step | null
  /** The version it is compared with; null: none. */
  readonly from: (version: string) => string | null
}
export interface OfRelease {
  readonly copyLink: (release: FirmwareRelease) => void
  readonly download: (release: FirmwareRelease) => void
  readonly compare: (release: FirmwareRelease) => void
}

function marksOf(
  { version, latest, revoked, stage, stageStated }: FirmwareRelease,
  approved: string | null,
): readonly Pill[] {
  const marks: Pill[] = []
  if (version === approved) marks.push({ kind: 'accent', label: text('firmware.releases.approved') })
  if (latest) marks.push({ kind: 'ok', label: text('firmware.releases.latest') })
  if (revoked) marks.push({ kind: 'bad', label: text('firmware.releases.revoked') })
  if (stage) marks.push({ kind: stage.toLowerCase() === 'public' ? 'plain' : 'warn', label: stage })
  if (!stageStated) marks.push({ kind: 'plain', label: text('firmware.releases.noStage') })
  return marks
}
const notSaid = (): string => text('firmware.releases.notSaid')
const buildTypesOf = (one: FirmwareRelease): string | null => one.buildTypes.join(', ') || null
const bundleOf = ({ bundle }: FirmwareRelease): string | null =>
  [bundle?.name ?? bundle?.group, bundle?.version].filter(Boolean).join(' ') || null
const file = words<FirmwareRelease>((one) => one.fileName ?? notSaid(), { title: (one) => one.fileName })
const released = words<FirmwareRelease>((one) =>
  one.releasedAt === null ? notSaid() : formatDay(one.releasedAt),
)
const size = words<FirmwareRelease>((one) => (one.fileSize === null ? notSaid() : formatBytes(one.fileSize)))
const md5 = words<FirmwareRelease>((one) => one.md5, { title: (one) => one.md5, none: notSaid() })
const buildTypes = words<FirmwareRelease>((one) => buildTypesOf(one) ?? notSaid())
const bundle = words<FirmwareRelease>((one) => bundleOf(one) ?? notSaid())
const column = columnsOf<FirmwareRelease, ReleaseColumn>('firmware.releases')

/** In the order of the service: newest first. */
export const releaseColumns = (
  fleet: OfFleet,
  most: number,
  { copyLink, download, compare }: OfRelease,
): readonly GridColumn<FirmwareRelease, ReleaseColumn>[] => [
  column(
    'version',
    88,
    1,
    words((one) => one.version),
    { look: 'strong tabular-nums' },
  ),
  column(
    'marks',
    128,
    2,
    pillsOf((one) => marksOf(one, fleet.approved)),
    { full: 200 },
  ),
  column(
    'yours',
    124,
    3,
    wordsAndBar(
      (one) => formatCount(fleet.devicesOn(one.version)),
      (one) => (most === 0 ? 0 : fleet.devicesOn(one.version) / most),
    ),
    { look: 'tabular-nums' },
  ),
  column(
    'changes',
    150,
    3,
    step(({ version }) => fleet.changesOf(version) ?? { words: null, beside: null, title: '' }),
    { full: 190, fixed: true },
  ),
  column('file', 150, 7, file, { grow: 2 }),
  column('released', 104, 3, released, { look: 'end tabular-nums', time: true }),
  column('size', 88, 4, size, { look: 'end tabular-nums' }),
  column('md5', 110, 6, md5, { look: 'mono', full: 270 }),
  column('buildTypes', 110, 8, buildTypes),
  // The only difference between two bundles with one version.
  column('bundle', 160, 2, bundle),
  column(
    'actions',
    98,
    2,
    actions([
      {
        icon: Copy,
        label: ({ version }) => text('firmware.releases.copyLink', { version }),
        act: copyLink,
      },
      {
        icon: Download,
        label: ({ version }) => text('firmware.releases.download', { version }),
        isOffered: ({ revoked }) => !revoked,
        act: download,
      },
      {
        icon: ArrowLeftRight,
        label: ({ version }) =>
          text('firmware.releases.compare', { version, from: fleet.from(version) ?? '' }),
        isOffered: ({ version }) => fleet.from(version) !== null && fleet.changesOf(version) === null,
        act: compare,
      },
    ]),
    { fixed: true },
  ),
]
export const releaseValues = (fleet: OfFleet): RowValues<FirmwareRelease, ReleaseColumn> => ({
  version: (one) => one.version,
  marks: (one) =>
    marksOf(one, fleet.approved)
      .map(({ label }) => label)
      .join(', ') || null,
  yours: (one) => fleet.devicesOn(one.version),
  file: (one) => one.fileName,
  released: (one) => one.releasedAt,
  size: (one) => one.fileSize,
  md5: (one) => one.md5,
  buildTypes: buildTypesOf,
  bundle: bundleOf,
})
export const saysOf: Readonly<Record<ReleaseColumn, (one: FirmwareRelease) => boolean>> = {
  version: () => true,
  marks: () => true,
  actions: () => true,
  file: (one) => one.fileName !== null,
  released: (one) => one.releasedAt !== null,
  size: (one) => one.fileSize !== null,
  md5: () => true,
  yours: () => true,
  changes: () => true,
  buildTypes: (one) => one.buildTypes.length > 0,
  bundle: (one) => one.bundle !== null,
}
