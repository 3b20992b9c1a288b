import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedAtMost } from '../../../electron/contract/device.ts'
import { deviceVocabulary, roomVocabulary } from '../../../electron/contract/filter/filter-words.ts'
import {
  headOf,
  isChosen,
  isWithin,
  nothing,
  toContract,
  withRows,
  type Chosen,
} from '../../../renderer/filter/selection.ts'

const row = (id: string) => ({ id })
const all: Chosen = { kind: 'matching', where: 'status:offline', except: new Set() }

describe('what is chosen', () => {
  it('rows picked one by one are named, rows let go of a filter are excepted', () => {
    expect(toContract(withRows(nothing, [row('a'), row('b')], true) ?? nothing)).toEqual({
      kind: 'picked',
      ids: ['a', 'b'],
    })
    expect(toContract(withRows(all, [row('a')], false) ?? nothing)).toEqual({
      kind: 'matching',
      where: 'status:offline',
      except: ['a'],
    })
  })
  it('a row taken back in is no longer excepted', () => {
    const without = withRows(all, [row('a'), row('b')], false) ?? nothing
    expect(toContract(withRows(without, [row('a')], true) ?? nothing)).toEqual({
      kind: 'matching',
      where: 'status:offline',
      except: ['b'],
    })
  })
  it('never names more rows than the core takes', () => {
    const many = Array.from({ length: namedAtMost + 1 }, (_none, i) => row(String(i)))
    const most = many.slice(1)
    expect([
      withRows(nothing, many, true),
      withRows(all, many, false),
      withRows(nothing, most, true)?.kind,
      withRows(all, most, false)?.kind,
    ]).toEqual([null, null, 'picked', 'matching'])
  })
  it('under another filter nobody here says that a row is chosen, but what was excepted is known', () => {
    const but: Chosen = { kind: 'matching', where: 'status:offline', except: new Set(['a']) }
    expect([isChosen(but, 'a', false), isChosen(but, 'b', false), isChosen(but, 'b', true)]).toEqual([
      false,
      null,
      true,
    ])
  })
  it.each<[Chosen, string, string]>([
    [nothing, '', 'none'],
    [{ kind: 'picked', rows: new Map([['a', row('a')]]) }, '', 'mixed'],
    [all, 'status:offline', 'all'],
    [all, 'status:offline room:Oslo', 'all'],
    [all, '', 'mixed'],
    [{ kind: 'matching', where: '', except: new Set(['a']) }, '', 'mixed'],
  ])('the box above all rows: %#', (chosen, where, head) => {
    expect(headOf(chosen, where, deviceVocabulary)).toBe(head)
  })
  it.each([
    ['status:offline room:Oslo', 'status:offline', true],
    ['room:Oslo', '', true],
    ['', 'room:Oslo', false],
    ['room:"Oslo 3"', 'room:Oslo', false],
    ['status:offline gone:any', 'status:offline', false],
    ['gone:any anna', 'gone:any', true],
    ['status:online', 'status:offline', false],
    ['room:', 'room:', true],
    ['zzz:1', '', false],
  ])('"%s" lies within "%s": %s', (inner, outer, within) => {
    expect(isWithin(inner, outer, deviceVocabulary)).toBe(within)
  })
  it('reads a filter by the words of its list', () => {
    expect({
      rooms: isWithin('seats:>8 Oslo', 'seats:>8', roomVocabulary),
      devices: isWithin('seats:>8 Oslo', 'seats:>8', deviceVocabulary),
    }).toEqual({ rooms: true, devices: false })
  })
  it('choosing and letting go in any order ends with what was said last of each row', () => {
    const deeds = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 40 })
    fc.assert(
      fc.property(deeds, fc.boolean(), (list, byFilter) => {
        const start: Chosen = byFilter ? all : nothing
        const end = list.reduce<Chosen>(
          (chosen, [id, on]) => withRows(chosen, [row(id)], on) ?? chosen,
          start,
        )
        const last = new Map<string, boolean>(list)
        for (const id of ['a', 'b', 'c', 'd']) expect(isChosen(end, id, true)).toBe(last.get(id) ?? byFilter)
      }),
    )
  })
})
