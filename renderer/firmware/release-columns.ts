import { Copy, Download } from '@lucide/vue'
import type { FirmwareRelease } from '../../electron/contract/api/firmware.ts'
import {
  actions,
  numberAndBar,
  pillsOf,
  side,
  step,
  words,
  type Pill,
  type Step,
} from '../lists/grid-cells.ts'
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
  /** The number of devices on the version that most of them run. */
  readonly most: number
  readonly approved: string | null
  /** What going to the target changes for the devices on a version. */
  readonly changesOf: (version: string) => Step
}
export interface OfRelease {
  readonly copyLink: (release: FirmwareRelease) => void
  readonly download: (release: FirmwareRelease) => void
  readonly showDevices: (release: FirmwareRelease) => void
}

function marksOf(
  { version, latest, revoked, stage, stageStated }: FirmwareRelease,
  approved: string | null,
): readonly Pill[] {
  const marks: Pill[] = []
  const best = [
    ...(latest ? [text('firmware.releases.latest')] : []),
    ...(version === approved ? [text('firmware.releases.approved')] : []),
  ]
  if (best.length > 0) marks.push({ kind: 'accent', label: best.join(', ') })
  if (revoked) marks.push({ kind: 'bad', label: text('firmware.releases.revoked') })
  if (stage && stage.toLowerCase() !== 'public') marks.push({ kind: 'warn', label: stage })
  if (!stageStated) marks.push({ kind: 'plain', label: text('firmware.releases.noStage') })
  return marks
}
const marksText = (one: FirmwareRelease, approved: string | null): string | null =>
  marksOf(one, approved)
    .map(({ label }) => label)
    .join(', ') || null
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
  { copyLink, download, showDevices }: OfRelease,
): readonly GridColumn<FirmwareRelease, ReleaseColumn>[] => [
  column(
    'version',
    140,
    1,
    side(
      words((one) => one.version),
      pillsOf((one) => marksOf(one, fleet.approved)),
    ),
    { look: 'strong tabular-nums', full: 210 },
  ),
  column(
    'marks',
    128,
    null,
    words((one) => marksText(one, fleet.approved)),
  ),
  column('released', 98, 2, released, { look: 'tabular-nums', time: true }),
  column(
    'yours',
    124,
    2,
    numberAndBar(
      (one) => formatCount(fleet.devicesOn(one.version)),
      (one) => (fleet.most === 0 ? 0 : fleet.devicesOn(one.version) / fleet.most),
      {
        label: ({ version }) =>
          text('firmware.releases.showDevices', {
            n: formatCount(fleet.devicesOn(version)),
            version,
          }),
        act: showDevices,
      },
    ),
    { look: 'tabular-nums' },
  ),
  column(
    'changes',
    168,
    2,
    step(({ version }) => fleet.changesOf(version)),
    { grow: 2, fixed: true },
  ),
  column('file', 150, 7, file, { grow: 2 }),
  column('size', 88, 4, size, { look: 'end tabular-nums' }),
  column('md5', 110, 6, md5, { look: 'mono', full: 270 }),
  column('buildTypes', 110, 8, buildTypes),
  // The only difference between two bundles with one version.
  column('bundle', 160, 2, bundle),
  {
    ...column(
      'actions',
      76,
      2,
      actions([
        {
          icon: Copy,
          label: ({ version }) => text('firmware.releases.copyLink', { version }),
          isOffered: ({ revoked }) => !revoked,
          act: copyLink,
        },
        {
          icon: Download,
          label: ({ version }) => text('firmware.releases.download', { version }),
          isOffered: ({ revoked }) => !revoked,
          act: download,
        },
      ]),
      { fixed: true, look: 'flex items-center' },
    ),
  },
]
export const releaseValues = (fleet: OfFleet): RowValues<FirmwareRelease, ReleaseColumn> => ({
  version: (one) => one.version,
  marks: (one) => marksText(one, fleet.approved),
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
