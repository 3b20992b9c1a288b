import { describe, expect, it } from 'vitest'
import { isText, wordCount, wrongName } from '../../../renderer/filter/pasted-text.ts'
import { PASTED_AT_MOST, usePastedLists } from '../../../renderer/filter/paste-store.ts'
import { devicesOf, openCore, type TestCore } from '../core.ts'

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
  it('does not accept a spreadsheet', () => {
    expect({ archive: isText('PK\u0003\u0004\0\0'), table: isText('serial;name\n1;2') }).toEqual({
      archive: false,
      table: true,
    })
  })
})

describe('pasted lists', () => {
  const serialsOf = async (core: TestCore, count: number): Promise<readonly string[]> =>
    (await devicesOf(core, '!serial:""')).slice(0, count).map(({ serialNumber }) => serialNumber!)
  async function stored(): Promise<{ core: TestCore; others: readonly string[] }> {
    const core = await openCore()
    const others = (await serialsOf(core, 5)).slice(3)
    await core.handlers.lists.paste({ text: others.join(' '), keep: true, name: 'Berlin move' })
    return { core, others }
  }

  it('are looked up without being stored', async () => {
    const { core } = await stored()
    const [first = '', second = ''] = await serialsOf(core, 2)
    const store = usePastedLists()
    await store.look(`${first.toLowerCase()}, ${second}\n${first} nonsense`)
    await store.fetchLists()
    expect([
      store.looked?.found,
      store.looked?.notFound,
      store.looked?.twice,
      store.lists.map(({ name }) => name),
    ]).toEqual([2, ['nonsense'], [first], ['Berlin move']])
  })
  it('are stored under a name, removed, and restored unchanged', async () => {
    const { core } = await stored()
    const serials = await serialsOf(core, 3)
    const store = usePastedLists()
    const list = await store.keep(serials.join(' '), ' Spares ')
    const undo = await store.remove('Spares')
    const removed = store.lists.map(({ name }) => name)
    await undo?.()
    expect([list?.name, removed, store.lists.map(({ name, count }) => [name, count]).toSorted()]).toEqual([
      'Spares',
      ['Berlin move'],
      [
        ['Berlin move', 2],
        ['Spares', 3],
      ],
    ])
    expect((await devicesOf(core, 'list:=Spares')).map(({ serialNumber }) => serialNumber)).toEqual(serials)
  })
  it('are never sent when too long', async () => {
    const core = await openCore()
    await usePastedLists().look('x'.repeat(PASTED_AT_MOST + 1))
    expect(core.requested).toEqual([])
  })
})
