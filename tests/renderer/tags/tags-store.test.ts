import { describe, expect, it } from 'vitest'
import { tagNamed, useTags } from '../../../renderer/tags/tags-store.ts'
import { aCore } from '../open-page.ts'

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
  it('counts each tag within a selection by its filter, without those excepted', async () => {
    const core = aCore()
    const tags = useTags()
    const counts = await tags.within({ kind: 'matching', where: 'status:offline', except: ['D1'] }, [
      'spare',
      'board room kit',
    ])
    expect([...counts.keys()]).toEqual(['spare', 'board room kit'])
    expect(core.asked.map((one) => one.argument)).toEqual([
      { selection: { kind: 'matching', where: 'status:offline tag:="spare"', except: ['D1'] } },
      { selection: { kind: 'matching', where: 'status:offline tag:="board room kit"', except: ['D1'] } },
    ])
  })
  it('a change can be taken back as it was', async () => {
    aCore()
    const tags = useTags()
    const all = { kind: 'matching', where: '', except: [] } as const
    await tags.learn()
    const before = tags.known
    const done = await tags.change(all, ['new one'], ['spare'])
    expect(await tags.undo(done?.undo ?? '')).toBeNull()
    await tags.learn()
    expect(tags.known).toEqual(before)
  })
})
