import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { files } from '../../../electron/adapters/files.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { ExportJob } from '../../../electron/contract/api/exports.ts'
import type { ExportRequest } from '../../../electron/contract/api/exports.ts'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import { openExports, type Exports, type ExportsDeps } from '../../../electron/core/exports/exports.ts'
import type { ListedJob } from '../../../electron/core/jobs/jobs.ts'
import { FakeClock } from '../../fake-clock.ts'
import { parseCsv, readWorkbook } from './read-back.ts'

const whose = {
  organizationId: 'o',
  organizationName: 'Nordlys A/S',
  session: () => Promise.reject(new Error('no session')),
}
const now = Date.UTC(2026, 10, 21, 13, 2)

const row = (number: number, changes: Partial<DeviceRow> = {}): DeviceRow => ({
  id: `D${number}`,
  name: `Device ${number}`,
  serialNumber: `00A1D4F${number}`,
  productId: 0x24b3,
  variantType: '01-64',
  productName: 'Jabra Evolve2 65 Mono',
  firmwareVersion: '2.7.0',
  firmware: { word: 'behind', by: 2, latest: '2.9.2', why: null },
  groupId: null,
  status: 'online',
  lastSeenAt: now - 60_000,
  addedAt: null,
  observedAt: now,
  firmwareReadAt: null,
  gone: false,
  goneAt: null,
  room: { id: 'r', name: 'Aarhus 3', location: 'Aarhus' },
  userName: null,
  computerName: null,
  operatingSystem: null,
  ipAddress: null,
  macAddress: null,
  clientName: null,
  clientVersion: null,
  clientType: null,
  tags: ['spare', 'loan'],
  ...changes,
})

const line = (id: number, changes: Partial<JournalLine> = {}): JournalLine => ({
  id,
  organizationId: 'o',
  organizationName: 'Nordlys A/S',
  who: 'astrid',
  operation: 'UpdateDeviceSettings',
  target: { of: 'device', id: 'D1', name: 'Bar' },
  deviceIds: ['D1'],
  startedAt: now,
  endedAt: now + 640,
  outcome: 'accepted',
  status: 202,
  message: null,
  before: 'sidetone=4',
  after: 'sidetone=6',
  ...changes,
})

const locked = {
  kind: 'refused',
  call: { operation: 'RebootRoom', host: 'demo' },
  status: 403,
  message: 'The room is being updated.',
} as const
const item = (id: number, changes: Partial<JobItem> = {}): JobItem => ({
  id,
  jobId: 'job-1',
  target: { of: 'room', id: `room-${id}`, name: id === 1 ? 'Aarhus 1' : null },
  deviceIds: ['D1', 'D2'],
  state: 'ended',
  waitsFor: null,
  earliestAt: null,
  outcome: null,
  detail: null,
  failure: null,
  callsUsed: 3,
  startedAt: now,
  endedAt: now + 1_000,
  journalId: id,
  ...changes,
})

const request = (changes: Partial<ExportRequest> = {}): ExportRequest => ({
  subject: { of: 'devices', selection: { kind: 'matching', where: 'status:online', except: [] }, sort: [] },
  format: 'csv',
  columns: ['name', 'lastSeenAt', 'tags', 'roomName'],
  delimiter: ',',
  timeZone: 'Europe/Copenhagen',
  viewName: 'Behind on Evolve2',
  ...changes,
})

let folder: string
let exported: Exports
let saved: string | null
let shown: string[]
let rows: DeviceRow[]
/** Called after each batch. */
let between: () => void
const rebootJob: ListedJob = {
  id: 'job-1',
  organizationId: 'org',
  kind: 'reboot-rooms',
  who: '=lund',
  target: null,
  state: 'ended',
  changes: [],
  keepTrying: false,
  canary: false,
  startAt: null,
  window: null,
  asked: 4,
  counts: { done: 1, failed: 2, 'not-found': 0, 'not-supported': 0, unknown: 1 },
  unseen: 0,
  notSent: 0,
  underWay: 0,
  callsUsed: 9,
  callsPlanned: 12,
  watchingAtMost: 0,
  createdAt: now,
  startedAt: now,
  endedAt: null,
  retryOf: null,
  retryable: 2,
}

/** Makes the first batch of the next export wait for this. */
let until: Promise<void>

const sources: Pick<ExportsDeps, 'devices' | 'rooms' | 'changes' | 'journal' | 'jobs'> = {
  devices: {
    listed: async () => ({
      total: rows.length,
      batches: (async function* (first) {
        await first
        for (let start = 0; start < rows.length; start += 2) {
          yield rows.slice(start, start + 2)
          between()
        }
      })(until),
    }),
    totals: async () => ({ count: rows.length, asOf: now - 3_600_000 }),
    all: () => Promise.reject(new Error('not for files')),
  },
  rooms: {
    listed: async () => [],
    notOnline: async () => new Map(),
    totals: async () => ({ count: 0, asOf: null }),
    whole: () => Promise.reject(new Error('not for files')),
  },
  journal: {
    all: async () => ({
      total: 2,
      batches: (async function* () {
        yield [
          line(7),
          line(6, { outcome: 'refused', status: null, endedAt: null, before: '=1+1', message: 'offline' }),
        ]
      })(),
    }),
  },
  jobs: {
    jobs: async () => [rebootJob],
    items: async (_organizationId, { show }) => ({
      total: 2,
      batches: (async function* () {
        yield [
          item(1, { outcome: show === 'open' ? null : 'done', detail: 'back-online' }),
          item(2, { outcome: 'failed', failure: locked }),
        ]
      })(),
    }),
  },
  changes: {
    all: async () => ({
      total: 0,
      rows: (async function* () {
        yield* []
      })(),
    }),
  },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-export-'))
  saved = join(folder, 'out.csv')
  shown = []
  rows = [row(1), row(2), row(3)]
  between = () => undefined
  until = Promise.resolve()
  let ids = 0
  exported = openExports({
    ...sources,
    desktop: {
      saveAs: async (name) => (saved === null ? null : saved.replace('out.csv', name)),
      showFile: async (path) => void shown.push(path),
    },
    files,
    clock: new FakeClock(now),
    log: { write: () => undefined },
    newId: () => `job-${++ids}`,
  })
})
afterEach(async () => {
  await exported.close()
  rmSync(folder, { recursive: true })
})

/** Resolves when no export runs. */
const ended = (): Promise<readonly ExportJob[]> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (exported.list().every((job) => job.state !== 'running')) resolve(exported.list())
    }
    exported.onChange(look)
    look()
  })
const written = async (changes: Partial<ExportRequest>): Promise<Buffer> => {
  await exported.start(whose, request(changes))
  const [job] = await ended()
  return readFileSync(join(folder, job?.fileName ?? ''))
}

describe('a CSV file', () => {
  test('begins with organization, list and time, then the columns, then every row', async () => {
    const text = (await written({})).toString('utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(parseCsv(text.slice(1))).toEqual([
      [
        'Headroom: devices of Nordlys A/S · view Behind on Evolve2 · status:online · as of 2026-11-21T13:02:00+01:00 · exported 2026-11-21T14:02:00+01:00 (Europe/Copenhagen) · 3 rows',
      ],
      ['Name', 'Last seen', 'Tags', 'Room'],
      ['Device 1', '2026-11-21T14:01:00+01:00', 'spare, loan', 'Aarhus 3'],
      ['Device 2', '2026-11-21T14:01:00+01:00', 'spare, loan', 'Aarhus 3'],
      ['Device 3', '2026-11-21T14:01:00+01:00', 'spare, loan', 'Aarhus 3'],
    ])
  })

  test('without its first line begins with the columns', async () => {
    const text = (await written({ columns: ['name'], headLine: false })).toString('utf8')
    expect([text[0], parseCsv(text.slice(1))]).toEqual([
      '\uFEFF',
      [['Name'], ['Device 1'], ['Device 2'], ['Device 3']],
    ])
  })

  test.each(['=1+1', '+45 12 34', '-cmd', '@SUM(A1)', '\tx', '\rx'])(
    'a cell %j does not run as a formula',
    async (name) => {
      rows = [row(1, { name })]
      const text = (await written({ columns: ['name'] })).toString('utf8')
      expect(parseCsv(text.slice(1)).at(-1)).toEqual([`'${name}`])
    },
  )
})

test.each([
  [',', 'x;=1+1;y', "x;'=1+1;y"],
  [',', 'x; \t@SUM(A1)', "x;' \t'@SUM(A1)"],
  [',', 'x,=1+1', 'x,=1+1'],
  [',', 'x\n=1+1', "x\n'=1+1"],
  [',', ' =1+1', "' =1+1"],
  [';', 'x,=1+1,y', "x,'=1+1,y"],
  [';', 'x;=1+1', 'x;=1+1'],
  ['\t', 'x,-1;+1', "x,'-1;'+1"],
  [',', 'a;b', 'a;b'],
] as const)(
  'in a file separated by %j, neither does %j for any spreadsheet',
  async (delimiter, name, cell) => {
    rows = [row(1, { name })]
    const text = (await written({ columns: ['name'], delimiter })).toString('utf8')
    expect(parseCsv(text.slice(1), delimiter).at(-1)).toEqual([cell])
  },
)

test('JSON describes the file and contains every row with typed members', async () => {
  rows = [row(1)]
  expect(
    JSON.parse(
      (await written({ format: 'json', columns: ['id', 'behindBy', 'tags', 'goneAt'] })).toString('utf8'),
    ),
  ).toEqual({
    export: {
      organization: 'Nordlys A/S',
      of: 'devices',
      view: 'Behind on Evolve2',
      rows: 'status:online',
      asOf: '2026-11-21T13:02:00+01:00',
      exportedAt: '2026-11-21T14:02:00+01:00',
      timeZone: 'Europe/Copenhagen',
      total: 1,
    },
    rows: [{ id: 'D1', behindBy: 2, tags: ['spare', 'loan'], goneAt: null }],
  })
})

test('JSON Lines begin with a line about the file', async () => {
  const lines = (await written({ format: 'jsonl', columns: ['id'] }))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as Record<string, unknown>)
  expect(lines.slice(1)).toEqual([{ id: 'D1' }, { id: 'D2' }, { id: 'D3' }])
  expect(Object.keys(lines[0] ?? {})).toEqual(['export'])
})

test('an XLSX file opens: its parts, heading, text and numbers, and nothing in it is a formula', async () => {
  rows = [row(1, { name: '=HYPERLINK("x")<&>\u0007' })]
  const file = await written({ format: 'xlsx', columns: ['name', 'behindBy', 'goneAt', 'id'] })
  expect(readWorkbook(file)).toEqual({
    parts: [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ],
    rows: [
      [expect.stringContaining('A1=Headroom: devices of Nordlys A/S')],
      ['A2=Name', 'B2=Releases behind', 'C2=Gone since', 'D2=Device id'],
      ['A3==HYPERLINK("x")<&>\uFFFD', 'B3=2', 'D3=D1'],
    ],
  })
})

test('an XLSX file without its first line begins with the columns', async () => {
  rows = [row(1)]
  const file = await written({ format: 'xlsx', columns: ['name'], headLine: false })
  expect(readWorkbook(file).rows).toEqual([['A1=Name'], ['A2=Device 1']])
})

test('times use the time zone, across daylight saving time and half-hour offsets', async () => {
  rows = [row(1, { lastSeenAt: Date.UTC(2026, 6, 1, 12), addedAt: Date.UTC(2026, 0, 1, 12) })]
  const at = async (timeZone: string): Promise<unknown> =>
    parseCsv((await written({ timeZone, columns: ['lastSeenAt', 'addedAt'] })).toString('utf8').slice(1)).at(
      -1,
    )
  expect([await at('Europe/Copenhagen'), await at('Asia/Kolkata'), await at('UTC')]).toEqual([
    ['2026-07-01T14:00:00+02:00', '2026-01-01T13:00:00+01:00'],
    ['2026-07-01T17:30:00+05:30', '2026-01-01T17:30:00+05:30'],
    ['2026-07-01T12:00:00+00:00', '2026-01-01T12:00:00+00:00'],
  ])
})

describe('an export', () => {
  test('reports progress and size, and shows its file', async () => {
    const reported: (readonly [string, number, number])[] = []
    exported.onChange(() =>
      reported.push(...exported.list().map((job) => [job.state, job.rowsWritten, job.rowsTotal] as const)),
    )
    await exported.start(whose, request())
    const [job] = await ended()
    await exported.show('job-1')
    expect(reported).toEqual([
      ['running', 0, 3],
      ['running', 2, 3],
      ['running', 3, 3],
      ['done', 3, 3],
    ])
    expect([job?.size, job?.fileName, shown]).toEqual([
      readFileSync(join(folder, job?.fileName ?? '')).length,
      'Nordlys A S devices Behind on Evolve2 2026-11-21 1402.csv',
      [join(folder, 'Nordlys A S devices Behind on Evolve2 2026-11-21 1402.csv')],
    ])
  })

  test('leaves no file behind when it is cancelled', async () => {
    between = () => void exported.cancel('job-1')
    await exported.start(whose, request())
    const [job] = await ended()
    expect([job?.state, job?.failure, readdirSync(folder)]).toEqual(['cancelled', null, []])
  })

  test('reports a failure and leaves an older file of that name as it was', async () => {
    saved = join(folder, 'nowhere', 'out.csv')
    await exported.start(whose, request())
    const [job] = await ended()
    expect([job?.state, job?.failure, readdirSync(folder)]).toEqual([
      'failed',
      {
        kind: 'invalid',
        field: 'file',
        message: 'The file cannot be written: the folder does not exist (ENOENT).',
      },
      [],
    ])
  })

  test('fails when its rows are gone at the end, because the file would contain too much', async () => {
    between = () => void rows.splice(0)
    await exported.start(whose, request())
    const [job] = await ended()
    expect([job?.state, job?.failure?.kind, job?.rowsWritten, job?.rowsTotal, readdirSync(folder)]).toEqual([
      'failed',
      'not-found',
      2,
      3,
      [],
    ])
  })

  test('at the same time as another one of the same name: each file is complete, the last one stays', async () => {
    await exported.start(whose, request())
    await exported.start(whose, request())
    const jobs = await ended()
    const [name = '', ...others] = readdirSync(folder)
    expect([jobs.map((job) => [job.state, job.size]), others]).toEqual([
      Array(2).fill(['done', readFileSync(join(folder, name)).length]),
      [],
    ])
  })

  test('is never removed from the list while it runs', async () => {
    let go = (): void => undefined
    until = new Promise<void>((resolve) => (go = resolve))
    await exported.start(whose, request())
    until = Promise.resolve()
    for (let count = 0; count < 60; count++) {
      await exported.start(whose, request({ viewName: `View ${count}` }))
      await expect.poll(() => exported.list()[0]?.state).toBe('done')
    }
    expect([exported.list().length, exported.list().at(-1)?.state]).toEqual([50, 'running'])
    go()
    expect((await ended()).at(-1)?.state).toBe('done')
  })

  test('does not begin when the save dialog is cancelled', async () => {
    saved = null
    expect([await exported.start(whose, request()), exported.list()]).toEqual([null, []])
  })
})

describe('an export rejected before the save dialog', () => {
  test.each<readonly [string, Partial<ExportRequest>, string]>([
    ['a column that does not exist', { columns: ['nmae'] }, 'columns'],
    ['no column', { columns: [] }, 'columns'],
    ['a time zone that does not exist', { timeZone: 'Europe/Atlantis' }, 'timeZone'],
  ])('%s', async (_name, changes, field) => {
    await expect(exported.start(whose, request(changes))).rejects.toMatchObject({
      failure: { kind: 'invalid', field },
    })
  })
})

test('the journal shows how each write ended, including unsent ones, and neutralizes spreadsheet formulas', async () => {
  const subject = { of: 'journal', where: 'of:device', subjectId: null } as const
  const file = parseCsv(
    (
      await written({
        subject,
        columns: ['line', 'startedAt', 'outcome', 'targetName', 'before', 'after', 'message', 'durationInMs'],
      })
    )
      .toString('utf8')
      .slice(1),
  )
  const [head, labels, ...lines] = file
  expect(head?.[0]).toContain(
    'Headroom: journal of Nordlys A/S · view Behind on Evolve2 · of:device · as of 2026-11-21T14:02:00+01:00',
  )
  expect(labels).toEqual(['Line', 'Started', 'Outcome', 'Name', 'Before', 'After', 'Message', 'Milliseconds'])
  expect(lines).toEqual([
    ['7', '2026-11-21T14:02:00+01:00', 'accepted', 'Bar', 'sidetone=4', 'sidetone=6', '', '640'],
    ['6', '2026-11-21T14:02:00+01:00', 'not-sent', 'Bar', "'=1+1", 'sidetone=6', 'offline', ''],
  ])
})

test('the list of jobs shows what each did and how it ended', async () => {
  const columns = [
    'kind',
    'target',
    'state',
    'asked',
    'failed',
    'unknown',
    'who',
    'createdAt',
    'endedAt',
    'id',
  ]
  const text = (await written({ subject: { of: 'jobs' }, columns })).toString('utf8')
  const [, labels, ...lines] = parseCsv(text.slice(1))
  expect([labels, ...lines]).toEqual([
    ['Kind', 'Only item', 'State', 'Items', 'Failed', 'Unknown', 'Who', 'Created', 'Ended', 'Job id'],
    ['reboot-rooms', '', 'ended', '4', '2', '1', "'=lund", '2026-11-21T14:02:00+01:00', '', 'job-1'],
  ])
})

test('the items of a job show how each ended, and why', async () => {
  const subject = { of: 'job', id: 'job-1', show: 'failed' } as const
  const columns = ['name', 'outcome', 'detail', 'failure', 'message', 'startedAt', 'callsUsed']
  const [head, labels, ...lines] = parseCsv((await written({ subject, columns })).toString('utf8').slice(1))
  expect(head?.[0]).toContain(
    'Headroom: job of Nordlys A/S · view Behind on Evolve2 · job job-1 · failed · as of 2026-11-21T14:02:00+01:00',
  )
  expect([labels, ...lines]).toEqual([
    ['Name', 'Outcome', 'Detail', 'Failure', 'Message', 'Started', 'Calls'],
    ['Aarhus 1', 'done', 'back-online', '', '', '2026-11-21T14:02:00+01:00', '3'],
    ['room-2', 'failed', '', 'refused', 'The room is being updated.', '2026-11-21T14:02:00+01:00', '3'],
  ])
})

test('a list held by its page is exported as shown: its columns, its order, its name', async () => {
  const subject = {
    of: 'rows',
    name: 'Releases Evolve2 65',
    columns: [
      { key: 'version', label: 'Version', time: false },
      { key: 'released', label: 'Released', time: true },
      { key: 'size', label: 'Size', time: false },
    ],
    rows: [
      ['2.9.2', Date.UTC(2026, 10, 21, 13, 2), 12],
      ['=cmd', null, 3],
    ],
  } as const
  const lines = parseCsv(
    (await written({ subject, columns: ['released', 'version'] })).toString('utf8').slice(1),
  )
  expect([lines[0]?.[0]?.split(' · ')[0], ...lines.slice(1)]).toEqual([
    'Headroom: Releases Evolve2 65 of Nordlys A/S',
    ['Released', 'Version'],
    ['2026-11-21T14:02:00+01:00', '2.9.2'],
    ['', "'=cmd"],
  ])
})
