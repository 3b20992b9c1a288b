import { describe, expect, it } from 'vitest'
import { isText, wordCount, wrongName } from '../../../renderer/filter/pasted-text.ts'
import { PASTED_AT_MOST, usePastedLists } from '../../../renderer/filter/paste-store.ts'
import { aCore } from '../open-page.ts'

describe('pasted text', () => {
  it.each([
    ['', 0],
    ['  \n\t', 0],
    ['00A1;00A2,"00A3"\r\n00A4', 4],
    ['AA:BB:CC:00:44:01', 1],
  ])('%j has %i words', (text, count) => {
    expect(wordCount(text)).toBe(count)
  })
  it.each([
    ['', null],
    ['Berlin move', null],
    ['a, b', 'letters'],
    ['a "b"', 'letters'],
    ['x'.repeat(61), 'long'],
  ])('the name %j: %s', (name, wrong) => {
    expect(wrongName(name)).toBe(wrong)
  })
  it('a spreadsheet is no text', () => {
    expect({ archive: isText('PK\u0003\u0004\0\0'), table: isText('serial;name\n1;2') }).toEqual({
      archive: false,
      table: true,
    })
  })
})

describe('pasted lists', () => {
  async function known(count: number): Promise<readonly string[]> {
    const answer = await aCore().call('devices.window', { where: '!serial:""', sort: [], start: 0, count })
    return answer.ok
      ? (answer.value as { rows: { serialNumber: string }[] }).rows.map(({ serialNumber }) => serialNumber)
      : []
  }
  it('are looked at without being kept', async () => {
    const [first = '', second = ''] = await known(2)
    const store = usePastedLists()
    await store.look(`${first.toLowerCase()}, ${second}\n${first} nonsense`)
    await store.readLists()
    expect([
      store.looked?.found,
      store.looked?.notFound,
      store.looked?.twice,
      store.lists.map(({ name }) => name),
    ]).toEqual([2, ['nonsense'], [first], ['Berlin move']])
  })
  it('are kept under a name, removed, and put back as they were', async () => {
    const serials = await known(3)
    const store = usePastedLists()
    expect((await store.keep(serials.join(' '), ' Spares ')) === null).toBe(false)
    const undo = await store.remove('Spares')
    expect(store.lists.map(({ name }) => name)).toEqual(['Berlin move'])
    await undo?.()
    expect(store.lists.map(({ name, count }) => [name, count])).toContainEqual(['Spares', 3])
  })
  it('what is too long is never sent', async () => {
    const core = aCore()
    await usePastedLists().look('x'.repeat(PASTED_AT_MOST + 1))
    expect(core.asked).toEqual([])
  })
})
