import { expect, test } from 'vitest'
import type { ExportSubject } from '../../../electron/contract/api/exports.ts'
import type { DriftedDevice } from '../../../electron/contract/api/golden-profiles.ts'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import type { PlannedItem } from '../../../electron/contract/api/jobs.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import {
  exportTable,
  type ExportFor,
  type ExportSources,
} from '../../../electron/core/exports/export-rows.ts'
import { csvWriter } from '../../../electron/core/exports/exports.ts'
import { FakeClock } from '../../fake-clock.ts'
import { parseCsv } from './read-back.ts'

const now = Date.UTC(2026, 10, 21, 13, 2)

const drifted = (id: string, changes: Partial<DriftedDevice> = {}): DriftedDevice => ({
  id,
  name: 'Jabra PanaCast 50',
  serialNumber: `S-${id}`,
  status: 'online',
  variantType: null,
  firmwareVersion: '3.1.0',
  room: 'Aarhus 3',
  userName: null,
  productName: 'Jabra PanaCast 50',
  state: 'drifted',
  readAt: now,
  drift: [
    { name: '=zoom', reason: 'value', now: 'wide', wanted: 'narrow', refused: null },
    { name: 'language', reason: 'no-value', now: null, wanted: 'da', refused: null },
  ],
  ...changes,
})
/** More rows than one batch. */
const many = Array.from({ length: 1_200 }, (_, place) => drifted(`D${place}`))
const planned: readonly PlannedItem[] = [
  {
    target: { of: 'device', id: 'D1', name: '=Bar' },
    devices: [{ id: 'D1', name: 'Bar', status: 'online' }],
    earliestAt: now,
    changes: [
      { name: 'zoom', now: null, new: 'narrow', allowed: true, reason: null, restarts: null },
      { name: 'mute', now: 'on', new: 'loud', allowed: false, reason: 'Not one of on, off.', restarts: null },
    ],
    skipped: null,
  },
  {
    target: { of: 'device', id: 'D2', name: null },
    devices: [{ id: 'D2', name: 'Camera', status: 'online' }],
    earliestAt: null,
    changes: [],
    skipped: 'as-wanted',
  },
]
const whose: Pick<ExportFor, 'organizationId' | 'session'> = {
  organizationId: 'o',
  session: async () => ({
    definitions: { settingNames: async () => ({ labels: [['zoom', 'Zoom level']], groups: [] }) },
    goldenProfiles: {
      devices: async ({ state, start, count }) => {
        const found = state === 'not-read' ? [drifted('D9', { state, readAt: null, drift: [] })] : many
        return { rows: found.slice(start, start + count), total: found.length }
      },
      notAllowed: async () => ({
        rows: [
          drifted('D7', {
            drift: [
              {
                name: 'mute',
                reason: 'not-allowed',
                now: 'loud',
                wanted: null,
                refused: 'Not one of on, off.',
              },
            ],
          }),
        ],
        total: 1,
        devices: 1,
        read: 1,
        withoutModel: 0,
        oldestReadAt: now,
      }),
    },
    jobs: { planned: async () => ({ items: planned, total: planned.length }) },
    judgedWith: () => Promise.reject(new Error('not for these lists')),
  }),
}

/** The contents of a CSV file, as another program parses it, and its description. */
async function written(
  subject: ExportSubject,
  columns: readonly string[],
  {
    lines = [],
    session = whose.session,
  }: { lines?: readonly Partial<JournalLine>[]; session?: ExportFor['session'] } = {},
) {
  const journal = { all: async () => ({ total: lines.length, batches: [lines] }) }
  const sources = { clock: new FakeClock(now), journal } as unknown as ExportSources
  const { rows, asOf, total, batches } = await exportTable(
    sources,
    { ...whose, session },
    {
      subject,
      format: 'csv',
      columns,
      timeZone: 'UTC',
    },
  )
  const writer = csvWriter(',', false)
  let text = ''
  for await (const batch of batches) text += writer.rows(batch) as string
  return { rows, asOf, total, lines: parseCsv(text) }
}

test('exports the whole drift from a golden profile, without formulas', async () => {
  const profile = { id: 'g', state: 'drifted', setting: null } as const
  const file = await written({ of: 'drift', name: 'Drift from Rooms', profile }, [
    'userOrRoom',
    'state',
    'drift',
    'settings',
    'readAt',
  ])
  const line = [
    'Aarhus 3',
    'drifted',
    "'=zoom=wide (wanted narrow), language: not available",
    "'=zoom, Language",
    '2026-11-21T13:02:00+00:00',
  ]
  expect(file).toEqual({
    rows: 'drifted',
    asOf: now,
    total: 1_200,
    lines: Array.from({ length: 1_200 }, () => line),
  })
})

test.each([
  [{ id: 'g', state: 'not-read', setting: 'zoom' }, 'not-read · zoom', null, ['S-D9', '']],
  [null, '', now, ['S-D7', 'mute=loud is not allowed: Not one of on, off.']],
] as const)('describes in a drift file which devices it contains: %j', async (profile, rows, asOf, line) => {
  const subject = { of: 'drift', name: 'Drift', profile } as const
  expect(await written(subject, ['serialNumber', 'drift'])).toEqual({ rows, asOf, total: 1, lines: [line] })
})

test('exports what each item of a plan would do, and why one is skipped', async () => {
  const columns = ['name', 'devices', 'changes', 'settings', 'earliestAt', 'skipped']
  expect(await written({ of: 'plan', plan: 'p' }, columns)).toEqual({
    rows: '',
    asOf: now,
    total: 2,
    lines: [
      [
        "'=Bar",
        'Bar',
        'zoom: not known → narrow, mute: on → loud (Not one of on, off.)',
        'Zoom level, Mute',
        '2026-11-21T13:02:00+00:00',
        '',
      ],
      ['D2', 'Camera', '', '', '', 'as-wanted'],
    ],
  })
})

test.each<[string, ExportFor['session'], string]>([
  ['by their labels', whose.session, 'Zoom level, Mute'],
  [
    'in words if nothing of the organization can be read',
    () =>
      Promise.reject(
        new Failed({ kind: 'cache-unusable', file: 'store.sqlite', reason: 'damaged', message: '' }),
      ),
    'Zoom, Mute',
  ],
])('exports settings of a journal entry beside their API names: %s', async (_, session, names) => {
  const subject = { of: 'journal', where: '', subjectId: null } as const
  const lines = [
    { before: 'zoom=wide; mute=on', after: 'zoom=narrow; mute=off' },
    { before: null, after: null },
  ]
  expect((await written(subject, ['after', 'settings'], { lines, session })).lines).toEqual([
    ['zoom=narrow; mute=off', names],
    ['', ''],
  ])
})
