import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedAtMost } from '../../../electron/contract/device.ts'
import { deviceVocabulary, roomVocabulary } from '../../../electron/contract/filter/vocabularies.ts'
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

describe('a selection', () => {
  it('lists picked rows, and exceptions from a filter', () => {
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
  it('removes the exception of a row that is selected again', () => {
    const without = withRows(all, [row('a'), row('b')], false) ?? nothing
    expect(toContract(withRows(without, [row('a')], true) ?? nothing)).toEqual({
      kind: 'matching',
      where: 'status:offline',
      except: ['b'],
    })
  })
  it('never lists more rows than the core accepts', () => {
    const many = Array.from({ length: namedAtMost + 1 }, (_none, i) => row(String(i)))
    const most = many.slice(1)
    expect([
      withRows(nothing, many, true),
      withRows(all, many, false),
      withRows(nothing, most, true)?.kind,
      withRows(all, most, false)?.kind,
    ]).toEqual([null, null, 'picked', 'matching'])
  })
  it('does not know under another filter which rows are selected, except its exceptions', () => {
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
  ])('decides that "%s" is within "%s": %s', (inner, outer, within) => {
    expect(isWithin(inner, outer, deviceVocabulary)).toBe(within)
  })
  it('parses a filter by the terms of its list', () => {
    expect({
      rooms: isWithin('seats:>8 Oslo', 'seats:>8', roomVocabulary),
      devices: isWithin('seats:>8 Oslo', 'seats:>8', deviceVocabulary),
    }).toEqual({ rooms: true, devices: false })
  })
  it('ends, in any order of selecting and deselecting, with the last action on each row', () => {
    const actions = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean()), { maxLength: 40 })
    fc.assert(
      fc.property(actions, fc.boolean(), (list, byFilter) => {
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
