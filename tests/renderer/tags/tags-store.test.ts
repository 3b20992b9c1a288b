import { describe, expect, it } from 'vitest'
import { tagNamed, useTags } from '../../../renderer/tags/tags-store.ts'
import { devicesOf, openCore } from '../core.ts'

describe('tags of many devices', () => {
  it.each([
    [' spare ', 'spare'],
    ['', null],
    ['   ', null],
    ['a,b', null],
    ['say "x"', null],
    ['a\u0007b', null],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), null],
    ['Ærø 東京', 'Ærø 東京'],
  ])('the name %j is %j', (typed, name) => {
    expect(tagNamed(typed)).toBe(name)
  })
  it('are counted within a selection by its filter, without exceptions', async () => {
    const core = await openCore()
    const [first, second, third] = (await devicesOf(core, 'status:offline')).map(({ id }) => id)
    const [online] = (await devicesOf(core, 'status:online')).map(({ id }) => id)
    const { tags: made } = core.handlers
    for (const [name, ids] of [
      ['spare', [first!, second!, third!, online!]],
      ['board room kit', [first!]],
    ] as const)
      await made.change({ selection: { kind: 'picked', ids }, add: [name], remove: [] })
    const except = [first!]
    const counts = await useTags().within({ kind: 'matching', where: 'status:offline', except }, [
      'spare',
      'board room kit',
    ])
    expect([...counts]).toEqual([
      ['spare', 2],
      ['board room kit', 0],
    ])
    expect(core.argumentsOf('devices.selected')).toEqual([
      { selection: { kind: 'matching', where: 'status:offline tag:="spare"', except } },
      { selection: { kind: 'matching', where: 'status:offline tag:="board room kit"', except } },
    ])
  })
  it('can be undone', async () => {
    const { handlers } = await openCore()
    const offline = { kind: 'matching', where: 'status:offline', except: [] } as const
    await handlers.tags.change({ selection: offline, add: ['spare', 'loan'], remove: [] })
    const tags = useTags()
    const all = { kind: 'matching', where: '', except: [] } as const
    await tags.learn()
    const previous = tags.known
    const done = await tags.change(all, ['new one'], ['spare'])
    await tags.learn()
    const changed = tags.known?.map(({ name }) => name)
    expect(await tags.undo(done?.undo ?? '')).toBeNull()
    await tags.learn()
    expect([changed, tags.known]).toEqual([['loan', 'new one'], previous])
  })
})
