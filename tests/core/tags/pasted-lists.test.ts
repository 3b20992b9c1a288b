import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { macIn, pastedWords } from '../../../electron/core/tags/pasted-words.ts'
import { aDevice } from '../../a-device.ts'
import { Workshop } from './a-workshop.ts'
import { failureOf } from '../../failure-of.ts'

let workshop: Workshop
const computer = (macAddress: string) => ({
  computer: { computerName: null, operatingSystem: null, userName: null, ipAddress: null, macAddress },
})

beforeAll(async () => {
  workshop = await Workshop.open('aarhus', 'berlin')
  await workshop.addDevices('aarhus', [
    aDevice(1, { serialNumber: 'Abc123', ...computer('00-1A-2b-3c-4D-5e') }),
    aDevice(2, { serialNumber: 'ABC124', ...computer('001A2B3C4D5F') }),
    aDevice(3, { serialNumber: null, ...computer('00:1a:2b:3c:4d:5f') }),
    aDevice(4, { serialNumber: 'SAME', computer: null }),
    aDevice(5, { serialNumber: 'same', computer: null }),
  ])
  await workshop.addDevices('aarhus', [aDevice(6, { serialNumber: 'OLD1', computer: null })], 5)
  await workshop.addDevices('berlin', [aDevice(7, { serialNumber: 'BERLIN1' })])
})
afterAll(() => workshop.close())

const look = (text: string) => workshop.tags.paste('aarhus', { text, keep: false, name: null })
const keep = (text: string, name: string | null = null) =>
  workshop.tags.paste('aarhus', { text, keep: true, name })
const found = async (text: string): Promise<string> =>
  (await look(text)).devices.map(({ id }) => id.slice(-1)).join('')

describe('pasted text finds', () => {
  it.each([
    ['a serial number in any case', 'aBC123', '1'],
    ['an id in any case', 'd00000002', '2'],
    ['a MAC with colons', '00:1A:2B:3C:4D:5E', '1'],
    ['a MAC with dashes', '00-1a-2b-3c-4d-5e', '1'],
    ['a MAC in fours', '001a.2b3c.4d5e', '1'],
    ['a MAC in sixes', '001a2b-3c4d5e', '1'],
    ['a bare MAC', '001A2B3C4D5E', '1'],
    ['every device of one computer', '00:1a:2b:3c:4d:5f', '23'],
    ['a device that is gone', 'old1', '6'],
    ['nothing of another organization', 'BERLIN1', ''],
    ['nothing for a part of a serial number', 'ABC12', ''],
    ['nothing for an empty text', ' \n,; ', ''],
    [
      'entries separated by line breaks, commas, semicolons, tabs and quotes',
      'abc123\r\nABC124,OLD1;"D00000004"\t\u201cD00000005\u201d',
      '12645',
    ],
    ['letters that SQL and JavaScript fold differently', 'ÅBC123 İ ß', ''],
  ])('%s', async (_, text, expected) => {
    expect(await found(text)).toBe(expected)
  })

  it('unknown entries, repeated entries and entries with several matches', async () => {
    expect(
      await look('Serial number\nABC123\naBC123\n00:1a:2b:3c:4d:5e nowhere NOWHERE same 001A2B3C4D5F abc124'),
    ).toEqual({
      name: null,
      found: 5,
      devices: [
        { word: 'ABC123', id: 'D00000001', name: 'Device 1 · Jabra PanaCast 50 · Abc123', gone: false },
        { word: 'same', id: 'D00000004', name: 'Device 4 · Jabra PanaCast 50 · SAME', gone: false },
        { word: 'same', id: 'D00000005', name: 'Device 5 · Jabra PanaCast 50 · same', gone: false },
        { word: '001A2B3C4D5F', id: 'D00000002', name: 'Device 2 · Jabra PanaCast 50 · ABC124', gone: false },
        { word: '001A2B3C4D5F', id: 'D00000003', name: 'Device 3 · Jabra PanaCast 50', gone: false },
      ],
      notFound: ['Serial', 'number', 'nowhere'],
      twice: ['aBC123', '00:1a:2b:3c:4d:5e', 'abc124'],
      several: [
        { word: 'same', count: 2 },
        { word: '001A2B3C4D5F', count: 2 },
      ],
      notRead: 0,
    })
  })

  it('the number of entries that were not parsed', async () => {
    const words = Array.from({ length: 10_003 }, (_, index) => `x${index}`)
    const { notRead, notFound } = await look([...words, 'ABC123'].join(' '))
    expect({ notRead, notFound: notFound.length }).toEqual({ notRead: 4, notFound: 10_000 })
  })
})

describe('entries of a pasted text', () => {
  it('are the parts between separators, for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Za-z0-9:.\-]{1,20}$/), { maxLength: 50 }),
        fc.constantFrom(' ', '\n', ', ', ';', '\t', '","', '\u0000', '\u200b', ' \u200e'),
        (words, by) => {
          expect(pastedWords(words.join(by))).toEqual({ words, notRead: 0 })
        },
      ),
    )
  })

  it('are shortened when they are longer than any name', () => {
    const { words } = pastedWords('x'.repeat(2_000_000))
    expect(words.map((word) => word.length)).toEqual([200])
  })

  it.each([
    ['AA:BB:CC:DD:EE:FF', 'aabbccddeeff'],
    ['aa.bb.cc.dd.ee.ff', 'aabbccddeeff'],
    ['aabb:ccdd:eeff', 'aabbccddeeff'],
    ['aa:bb-cc:dd-ee:ff', null],
    ['aabbccddeef', null],
    ['aabbccddeeffa', null],
    ['gabbccddeeff', null],
    ['', null],
  ])('%j as a MAC address is %j', (text, mac) => {
    expect(macIn(text)).toBe(mac)
  })
})

describe('a list', () => {
  afterEach(async () => {
    for (const { name } of await workshop.tags.lists('aarhus')) await workshop.tags.removeList('aarhus', name)
  })

  test('is stored under its name, in any case, and replaces the previous one', async () => {
    expect((await keep('ABC123 ABC124', 'Visit')).name).toBe('Visit')
    await keep('OLD1', 'VISIT')
    expect({ lists: await workshop.tags.lists('aarhus'), marks: await workshop.marks('aarhus') }).toEqual({
      lists: [{ name: 'VISIT', count: 1, createdAt: workshop.clock.now() }],
      marks: ['list visit (VISIT): D00000006'],
    })
    expect(await workshop.tags.removeList('aarhus', 'visit')).toEqual([])
    expect(await workshop.marks('aarhus')).toEqual([])
  })

  test("without a name is named by the time in the technician's zone, with a number for the second", async () => {
    await workshop.workbook.setPreferences({ timeZone: 'Asia/Tokyo' })
    expect([(await keep('ABC123')).name, (await keep('ABC124')).name, (await keep('OLD1')).name]).toEqual([
      'Pasted 21 Nov 2026 23:02',
      'Pasted 21 Nov 2026 23:02 (2)',
      'Pasted 21 Nov 2026 23:02 (3)',
    ])
  })

  test('without matches is not stored, and replaces nothing', async () => {
    await keep('ABC123', 'Visit')
    expect((await keep('nowhere', 'Visit')).name).toBeNull()
    expect((await workshop.tags.lists('aarhus')).map(({ count }) => count)).toEqual([1])
  })

  test('that does not exist is reported', async () => {
    expect(await failureOf(workshop.tags.removeList('aarhus', 'nobody'))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'nobody',
    })
  })

  test('with a name that no filter accepts is rejected before anything is looked up', async () => {
    expect(await failureOf(keep('ABC123', 'a,b'))).toMatchObject({ kind: 'invalid', field: 'name' })
  })

  test('beyond the fiftieth is rejected, but one of the fifty can be replaced', async () => {
    for (let number = 1; number <= 50; number++) await keep('ABC123', `List ${number}`)
    expect(await failureOf(keep('ABC123', 'List 51'))).toEqual({
      kind: 'invalid',
      field: 'name',
      message: 'There are already 50 lists, which is the maximum. Remove one first.',
    })
    expect((await keep('ABC124', 'list 7')).name).toBe('list 7')
    expect(await workshop.tags.lists('berlin')).toEqual([])
  })
})
