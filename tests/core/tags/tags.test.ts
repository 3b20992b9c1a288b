import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { unwatched } from '../../../electron/core/tasks.ts'
import { Workshop, picked } from './a-workshop.ts'
import { failureOf } from '../../failure-of.ts'

let workshop: Workshop
beforeEach(async () => {
  workshop = await Workshop.open('aarhus', 'berlin')
})
afterEach(() => workshop.close())

const put = (add: readonly string[], ...ids: readonly string[]) =>
  workshop.tags.change('aarhus', { selection: picked(...ids), add, remove: [] })
const take = (remove: readonly string[], ...ids: readonly string[]) =>
  workshop.tags.change('aarhus', { selection: picked(...ids), add: [], remove })
const undo = async (change: { readonly undo: string | null }) =>
  workshop.tags.undo('aarhus', change.undo ?? 'none')

describe('tags on devices', () => {
  test('that are partly added when cancelled can be undone', async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `D${index}`)
    const stop = new AbortController()
    const parts: unknown[] = []
    const change = await workshop.tags.change(
      'aarhus',
      { selection: picked(...ids), add: ['Spare'], remove: [] },
      {
        signal: stop.signal,
        step: (...reported) => {
          parts.push(reported)
          stop.abort()
        },
      },
    )
    const [tag] = await workshop.tags.list('aarhus')
    const { changed } = await workshop.tags.undo('aarhus', change.undo ?? 'none', unwatched)
    expect([parts, change.changed, tag, changed, await workshop.tags.list('aarhus')]).toEqual([
      [['writing', 0, 3]],
      1_000,
      { name: 'Spare', count: 1_000 },
      1_000,
      [],
    ])
  })

  test('are counted and listed by name in natural order', async () => {
    await put(['Spare', 'shelf 10', 'Shelf 9'], 'D1', 'D2')
    await put(['Spare'], 'D3')
    expect(await workshop.tags.list('aarhus')).toEqual([
      { name: 'Shelf 9', count: 2 },
      { name: 'shelf 10', count: 2 },
      { name: 'Spare', count: 3 },
    ])
  })

  test('in another case or with other accents are the same tag, which keeps its first spelling', async () => {
    await put(['Spåre'], 'D1')
    expect(await put(['SPARE', 'spare'], 'D1', 'D2')).toEqual({
      changed: 1,
      undo: expect.any(String) as string,
    })
    expect(await workshop.tags.list('aarhus')).toEqual([{ name: 'Spåre', count: 2 }])
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (Spåre): D1 D2'])
  })

  test('added and removed in one change count each device once', async () => {
    await put(['old'], 'D1', 'D2')
    const change = await workshop.tags.change('aarhus', {
      selection: picked('D1', 'D2', 'D2', 'D3'),
      add: ['new'],
      remove: ['old'],
    })
    expect(change.changed).toBe(3)
    expect(await workshop.marks('aarhus')).toEqual(['tag new (new): D1 D2 D3'])
  })

  test('without devices disappear', async () => {
    await put(['spare'], 'D1')
    await take(['Spare'], 'D1', 'D2')
    expect(await workshop.tags.list('aarhus')).toEqual([])
    expect(await workshop.marks('aarhus')).toEqual([])
  })

  test.each([
    ['a tag they have', () => put(['spare'], 'D1')],
    ['a tag removed that they do not have', () => take(['nothing'], 'D1')],
    ['no tag', () => put([], 'D1')],
    ['no device', () => put(['other'])],
  ])('that get %s do not change, and there is nothing to undo', async (_, change) => {
    await put(['spare'], 'D1')
    workshop.reported.length = 0
    expect(await change()).toEqual({ changed: 0, undo: null })
    expect(workshop.reported).toEqual([])
  })

  test('are reported once per change', async () => {
    await put(['a', 'b'], 'D1', 'D2')
    expect(workshop.reported).toEqual(['aarhus'])
  })

  test('belong to one organization', async () => {
    await put(['spare'], 'D1')
    expect(await workshop.tags.list('berlin')).toEqual([])
  })

  test('are rejected for a removed organization', async () => {
    await workshop.removeOrganization('aarhus')
    expect(await failureOf(put(['spare'], 'D1'))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'organization',
    })
  })
})

describe('a name', () => {
  it.each([
    ['', 'Enter a name.'],
    [' \t ', 'Enter a name.'],
    ['a'.repeat(61), 'A name can have at most 60 characters. This one has 61.'],
    ['two\nlines', 'A name cannot contain line breaks, tabs or other control characters.'],
    ['a\u0000b', 'A name cannot contain line breaks, tabs or other control characters.'],
    ['a\u2028b', 'A name cannot contain line breaks, tabs or other control characters.'],
    ['a,b', 'A name cannot contain a comma, because filters use it.'],
    ['a "b"', 'A name cannot contain a quotation mark, because filters use it.'],
    ['\u0301', 'A name needs at least one letter, digit or symbol.'],
    ['half \ud83d', 'A name needs at least one letter, digit or symbol.'],
  ])('%j is rejected with the reason', async (name, message) => {
    expect(await failureOf(put(['good', name], 'D1'))).toEqual({ kind: 'invalid', field: 'add', message })
    expect(await workshop.tags.list('aarhus')).toEqual([])
  })

  it.each([
    ['  spare  ', 'spare'],
    ['ø'.repeat(60), 'ø'.repeat(60)],
    ['😀'.repeat(60), '😀'.repeat(60)],
    ["Anna's shelf", "Anna's shelf"],
    ['to: fix!', 'to: fix!'],
  ])('%j is accepted as %j', async (typed, name) => {
    await put([typed], 'D1')
    expect(await workshop.tags.list('aarhus')).toEqual([{ name, count: 1 }])
  })

  it('cannot be added and removed at the same time', async () => {
    const change = workshop.tags.change('aarhus', {
      selection: picked('D1'),
      add: ['spare'],
      remove: ['SPARE'],
    })
    expect(await failureOf(change)).toEqual({
      kind: 'invalid',
      field: 'remove',
      message: '"spare" cannot be added and removed at the same time.',
    })
  })
})

describe('renaming', () => {
  test('to another spelling changes the spelling alone', async () => {
    await put(['spare'], 'D1', 'D2')
    const change = await workshop.tags.rename('aarhus', { from: 'SPARE', to: 'Spare' })
    expect(change.changed).toBe(2)
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (Spare): D1 D2'])
    expect(await undo(change)).toEqual({ changed: 2, undo: expect.any(String) as string })
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (spare): D1 D2'])
  })

  test('to the same name changes nothing', async () => {
    await put(['spare'], 'D1')
    expect(await workshop.tags.rename('aarhus', { from: 'spare', to: ' spare ' })).toEqual({
      changed: 0,
      undo: null,
    })
  })

  test('to a new name moves every device, and back', async () => {
    await put(['spare'], 'D1', 'D2')
    const change = await workshop.tags.rename('aarhus', { from: 'spare', to: 'Reserve' })
    expect({ changed: change.changed, tags: await workshop.tags.list('aarhus') }).toEqual({
      changed: 2,
      tags: [{ name: 'Reserve', count: 2 }],
    })
    await undo(change)
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (spare): D1 D2'])
  })

  test('to the name of another tag merges the two, and undo separates them', async () => {
    await put(['spare'], 'D1', 'D2')
    await put(['Reserve'], 'D2', 'D3')
    const change = await workshop.tags.rename('aarhus', { from: 'spare', to: 'reserve' })
    expect(await workshop.marks('aarhus')).toEqual(['tag reserve (reserve): D1 D2 D3'])
    await undo(change)
    expect(await workshop.marks('aarhus')).toEqual([
      'tag reserve (Reserve): D2 D3',
      'tag spare (spare): D1 D2',
    ])
  })

  test('of a missing tag is reported', async () => {
    expect(await failureOf(workshop.tags.rename('aarhus', { from: 'nobody', to: 'x' }))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'tag "nobody"',
    })
  })
})

describe('undo', () => {
  test('restores exactly what changed: devices tagged before or since keep the tag', async () => {
    await put(['spare'], 'D1')
    const change = await put(['spare'], 'D1', 'D2', 'D3')
    await put(['spare', 'other'], 'D4')
    expect((await undo(change)).changed).toBe(2)
    expect(await workshop.marks('aarhus')).toEqual(['tag other (other): D4', 'tag spare (spare): D1 D4'])
  })

  test('restores a removed tag in its spelling', async () => {
    await put(['Spare'], 'D1', 'D2')
    const change = await workshop.tags.remove('aarhus', 'SPARE')
    expect({ changed: change.changed, tags: await workshop.tags.list('aarhus') }).toEqual({
      changed: 2,
      tags: [],
    })
    await undo(change)
    expect(await workshop.tags.list('aarhus')).toEqual([{ name: 'Spare', count: 2 }])
  })

  test('can be undone in turn', async () => {
    const again = await undo(await put(['spare'], 'D1'))
    await undo(again)
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (spare): D1'])
  })

  test('works once', async () => {
    const change = await put(['spare'], 'D1')
    await undo(change)
    expect(await failureOf(undo(change))).toEqual({ kind: 'not-found', call: null, what: 'the step to undo' })
  })

  test('works for the last 20 changes', async () => {
    const changes = []
    for (let number = 1; number <= 21; number++) changes.push(await put(['spare'], `D${number}`))
    expect(await failureOf(undo(changes[0]!))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'the step to undo',
    })
    expect((await undo(changes[1]!)).changed).toBe(1)
  })

  test('is rejected for another organization', async () => {
    const change = await put(['spare'], 'D1')
    expect(await failureOf(workshop.tags.undo('berlin', change.undo!))).toMatchObject({ kind: 'not-found' })
    expect((await undo(change)).changed).toBe(1)
  })

  test('does not change tags that were changed by hand since', async () => {
    const change = await put(['spare'], 'D1')
    await take(['spare'], 'D1')
    expect(await undo(change)).toEqual({ changed: 0, undo: null })
  })
})

test('restores 5,000 devices as one change, in the workbook and in the copy', async () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `D${String(index).padStart(5, '0')}`)
  const change = await put(['spare', 'shelf'], ...ids)
  expect(change.changed).toBe(5_000)
  const renamed = await workshop.tags.rename('aarhus', { from: 'shelf', to: 'cupboard' })
  expect(renamed.changed).toBe(5_000)
  const [row] = await workshop.store.database.query(
    'SELECT count(*) AS n, count(DISTINCT word) AS words FROM device_mark',
  )
  expect({ ...row }).toEqual({ n: 10_000, words: 2 })
  await undo(renamed)
  await undo(change)
  expect(await workshop.store.database.query('SELECT * FROM device_mark')).toEqual([])
})
