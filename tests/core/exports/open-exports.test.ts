import { beforeEach, describe, expect, test } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { ExportSubject, OpenRequest } from '../../../electron/contract/api/exports.ts'
import type { JudgedDevices } from '../../../electron/core/devices/devices.ts'
import type { ExportFor, ExportSources } from '../../../electron/core/exports/export-rows.ts'
import { openExportsOf, type OpenExports } from '../../../electron/core/exports/open-exports.ts'
import { aDevice } from '../../a-device.ts'
import { anOddService } from '../../an-odd-service.ts'
import { failureOf } from '../../failure-of.ts'
import { FakeClock } from '../../fake-clock.ts'

const whose = { organizationId: 'o', organizationName: 'Nordlys' } as ExportFor
const requestOf = (subject: ExportSubject, changes: Partial<OpenRequest> = {}): OpenRequest => ({
  subject,
  format: 'rows',
  columns: null,
  delimiter: ',',
  timeZone: 'UTC',
  viewName: null,
  ...changes,
})
/** A list of its page: one cell in each row. */
const cells = (...texts: string[]): OpenRequest =>
  requestOf({
    of: 'rows',
    name: 'Texts',
    columns: [{ key: 'text', label: 'Text', time: false }],
    rows: texts.map((text) => [text]),
  })
const devices = { of: 'devices', selection: { kind: 'picked', ids: [] }, sort: [] } as const

/** How many devices are counted at the beginning, and how many are still there. */
let counted: number
let stored: number
const sources = {
  clock: new FakeClock(0),
  devices: {
    totals: async () => ({ count: 9, asOf: 7 }),
    listed: async () => ({
      total: counted,
      batches: (async function* () {
        yield Array.from({ length: stored }, (_, id) => ({ id: `D${id}` })) as unknown as DeviceRow[]
      })(),
    }),
  },
} as unknown as ExportSources
const aClient = (): OpenExports => {
  let ids = 0
  return openExportsOf({ ...sources, newId: () => `${++ids}` })
}
let client: OpenExports
beforeEach(() => {
  client = aClient()
  counted = stored = 3
})

const piecesOf = async ({ next }: Pick<OpenExports, 'next'>, id: string): Promise<string[]> => {
  const pieces: string[] = []
  for (let piece = await next(id); piece !== null; piece = await next(id)) pieces.push(piece.text)
  return pieces
}
const textOf = async (request: OpenRequest): Promise<string> =>
  (await piecesOf(client, (await client.open(whose, request)).id)).join('')

describe('the text of an open export', () => {
  test.each<[string, readonly string[], readonly number[]]>([
    ['has at most 65,536 characters in a piece', ['x'.repeat(149_995)], [65_536, 65_536, 18_928]],
    [
      'joins short batches',
      Array.from({ length: 5_000 }, () => 'short'),
      // Batches of 500 rows have 5,000 characters.
      [35_000, 15_000],
    ],
  ])('%s', async (_, texts, lengths) => {
    const { id } = await client.open(whose, cells(...texts))
    const pieces = await piecesOf(client, id)
    expect(pieces.map(({ length }) => length)).toEqual(lengths)
    expect(pieces.join('')).toBe(texts.map((text) => `["${text}"]\n`).join(''))
  })

  test('is not split within a surrogate pair', async () => {
    // The pair is at the characters 65,536 and 65,537.
    const text = `${'x'.repeat(65_533)}😀${'y'.repeat(10)}`
    const { id } = await client.open(whose, cells(text))
    const pieces = await piecesOf(client, id)
    expect(pieces).toEqual([`["${'x'.repeat(65_533)}`, `😀${'y'.repeat(10)}"]\n`])
  })

  test.each<[string, Partial<OpenRequest>, string]>([
    ['CSV begins with its columns', { format: 'csv' }, 'Text\r\na\r\nb\r\n'],
    ['JSON Lines have the rows only', { format: 'jsonl' }, '{"text":"a"}\n{"text":"b"}\n'],
    [
      'JSON describes itself',
      { format: 'json' },
      '{"export":{"organization":"Nordlys","of":"Texts","view":null,"rows":"","asOf":"1970-01-01T00:00:00+00:00","exportedAt":"1970-01-01T00:00:00+00:00","timeZone":"UTC","total":2},"rows":[\n{"text":"a"},\n{"text":"b"}\n]}\n',
    ],
  ])('%s', async (_, changes, text) => {
    expect(await textOf({ ...cells('a', 'b'), ...changes })).toBe(text)
  })

  test('of a list without rows is empty', async () => {
    expect(await textOf(cells())).toBe('')
  })
})

test('an opened list of devices says how many match, how many there are, and from when they are', async () => {
  expect(await client.open(whose, requestOf(devices))).toEqual({
    id: '1',
    total: 3,
    all: 9,
    asOf: 7,
    unread: 0,
  })
})

describe('next refuses', () => {
  const notOpen = { kind: 'invalid', field: 'id', message: 'No list with this id is open. Open it again.' }
  test.each<[string, () => Promise<string>]>([
    ['an unknown id', async () => 'x'],
    [
      'an export that is complete',
      async () => {
        const { id } = await client.open(whose, cells('a'))
        await piecesOf(client, id)
        return id
      },
    ],
    ['an export of another client', async () => (await aClient().open(whose, cells('a'))).id],
    [
      'an export that failed',
      async () => {
        stored = 2
        const { id } = await client.open(whose, requestOf(devices))
        await failureOf(piecesOf(client, id))
        return id
      },
    ],
    [
      'an export whose client has gone',
      async () => {
        const { id } = await client.open(whose, cells('a'))
        await client.close()
        return id
      },
    ],
  ])('%s', async (_, idOf) => {
    expect(await failureOf(client.next(await idOf()))).toEqual(notOpen)
  })
})

test('an export whose rows no longer exist fails at the end', async () => {
  stored = 2
  const { id } = await client.open(whose, requestOf(devices))
  expect(await failureOf(piecesOf(client, id))).toEqual({
    kind: 'not-found',
    call: null,
    what: 'some of the rows to export',
  })
})

describe('a client', () => {
  test('has at most eight open exports', async () => {
    for (let count = 0; count < 8; count++) await client.open(whose, cells('a'))
    expect(await failureOf(client.open(whose, cells('a')))).toEqual({
      kind: 'invalid',
      field: 'exports',
      message: '8 lists are open. Read one of them to its end first.',
    })
  })

  test('may open another one after one is complete', async () => {
    for (let count = 0; count < 8; count++) await client.open(whose, cells('a'))
    await piecesOf(client, '3')
    expect((await client.open(whose, cells('a'))).total).toBe(1)
  })

  test('does not count an export that was refused', async () => {
    for (let count = 0; count < 8; count++)
      await failureOf(client.open(whose, { ...cells('a'), format: 'csv', columns: ['nmae'] }))
    expect((await client.open(whose, cells('a'))).total).toBe(1)
  })

  test('that has gone opens none', async () => {
    await client.close()
    expect(await failureOf(client.open(whose, cells('a')))).toEqual({ kind: 'cancelled' })
  })
})

describe('devices compared with other stages', () => {
  const stages = ['Beta'] as const
  /** A session whose comparisons are counted until they end. */
  const judging = (until: Promise<void> = Promise.resolve()) => {
    let running = 0
    const judgedWith = async (): Promise<JudgedDevices> => {
      running++
      await until
      return {
        devices: sources.devices as JudgedDevices['devices'],
        unread: 2,
        end: async () => void running--,
      }
    }
    return {
      running: () => running,
      whose: { ...whose, session: async () => ({ judgedWith }) } as unknown as ExportFor,
    }
  }

  test('say how many products were never read', async () => {
    expect((await client.open(judging().whose, requestOf(devices, { stages }))).unread).toBe(2)
  })

  test.each<[string, (by: ExportFor) => Promise<unknown>]>([
    [
      'the list is complete',
      async (by) => piecesOf(client, (await client.open(by, requestOf(devices, { stages }))).id),
    ],
    [
      'it is refused',
      (by) => failureOf(client.open(by, requestOf(devices, { stages, format: 'csv', columns: ['nmae'] }))),
    ],
    [
      'the client goes',
      async (by) => {
        const { id } = await client.open(by, requestOf(devices, { stages }))
        await client.next(id)
        await client.close()
      },
    ],
  ])('are no longer stored after %s', async (_, work) => {
    const { running, whose: by } = judging()
    await work(by)
    expect(running()).toBe(0)
  })

  test('are no longer stored if the client goes while they are compared', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { running, whose: by } = judging(promise)
    const opening = client.open(by, requestOf(devices, { stages }))
    const closing = client.close()
    resolve()
    await Promise.all([opening, closing])
    expect(running()).toBe(0)
  })

  test('are the only rows that stages apply to', async () => {
    expect(await failureOf(client.open(judging().whose, { ...cells('a'), stages }))).toEqual({
      kind: 'invalid',
      field: 'stages',
      message: 'Only devices are compared with releases.',
    })
  })
})

describe('through the core', () => {
  const byName = requestOf({
    of: 'devices',
    selection: { kind: 'matching', where: '', except: [] },
    sort: [{ column: 'name', descending: false }],
  })
  const namesIn = (text: string): readonly string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as DeviceRow).id)

  test('rows and their order are those of the opening, although a sync changes them', async () => {
    const service = await anOddService()
    const listed = (...numbers: number[]) => ({
      MeetingRoom: numbers.map((number) => aDevice(number, { name: `Huddle ${number}` })),
      Personal: [],
    })
    service.devices = listed(2, 3, 4)
    const { exports, sync } = service.core.handlers
    await sync.run()
    const { id } = await exports.open(byName)
    service.devices = {
      MeetingRoom: [...listed(1, 2, 3).MeetingRoom, aDevice(4, { name: 'A huddle' })],
      Personal: [],
    }
    await sync.run()
    const next = async (open: string) => exports.next({ id: open })
    const before = await piecesOf({ next }, id)
    const after = await piecesOf({ next }, (await exports.open(byName)).id)
    await service.close()
    expect([before, after].map((pieces) => namesIn(pieces.join('')))).toEqual([
      ['D00000002', 'D00000003', 'D00000004'],
      ['D00000004', 'D00000001', 'D00000002', 'D00000003'],
    ])
  })

  test('an export ends with the client that opened it', async () => {
    const service = await anOddService()
    const own = service.core.connect({ organization: null, name: 'astrid' })
    const { id } = await own.handlers.exports.open(byName)
    await own.close()
    const failure = await failureOf(own.handlers.exports.next({ id }))
    await service.close()
    expect(failure).toMatchObject({ kind: 'invalid', field: 'id' })
  })
})
