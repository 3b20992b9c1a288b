import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import {
  branchesOf,
  matchesOf,
  MATCHES_AT_MOST,
  openAtFirst,
  parentsOf,
  rowsOf,
  spokenPlace,
  valueAt,
} from '../../../renderer/components/json-tree.ts'
import { cases } from '../../setup/cases.ts'

const answer: Json = {
  devices: [
    { name: 'Reception', serial: 'A1', 'a/b': { '~x': null } },
    { id: 'd-2', online: true },
  ],
  continuationToken: null,
  total: 2,
}

describe('A response as a tree', () => {
  it('shows names, values, counts and the label of a folded record', () => {
    const rows = rowsOf(answer, new Set(['', '/devices']))
    expect(
      rows.map(({ id, depth, name, kind, text, count, called, open }) => ({
        id,
        depth,
        name,
        kind,
        text,
        count,
        called,
        open,
      })),
    ).toEqual([
      { id: '', depth: 0, name: null, kind: 'object', text: '', count: 3, called: null, open: true },
      {
        id: '/devices',
        depth: 1,
        name: 'devices',
        kind: 'array',
        text: '',
        count: 2,
        called: null,
        open: true,
      },
      {
        id: '/devices/0',
        depth: 2,
        name: 0,
        kind: 'object',
        text: '',
        count: 3,
        called: 'Reception',
        open: false,
      },
      { id: '/devices/1', depth: 2, name: 1, kind: 'object', text: '', count: 2, called: 'd-2', open: false },
      {
        id: '/continuationToken',
        depth: 1,
        name: 'continuationToken',
        kind: 'null',
        text: 'null',
        count: null,
        called: null,
        open: false,
      },
      {
        id: '/total',
        depth: 1,
        name: 'total',
        kind: 'number',
        text: '2',
        count: null,
        called: null,
        open: false,
      },
    ])
  })

  it.each<[string, Json]>([
    ['a text', 'plain'],
    ['null', null],
    ['an empty list', []],
    ['an empty record', {}],
  ])('%s is a tree of one line', (_name, value) => {
    expect(rowsOf(value, openAtFirst(value))).toHaveLength(1)
  })

  it('opens whole levels as long as they fit, and always the first', () => {
    expect([...openAtFirst({ rooms: [1, 2], more: { deep: {} } })]).toEqual([
      '',
      '/rooms',
      '/more',
      '/more/deep',
    ])
    expect([...openAtFirst({ devices: Array.from({ length: 500 }, () => ({})) })]).toEqual([''])
    expect([...openAtFirst(Array.from({ length: 500 }, () => 1))]).toEqual([''])
  })

  it('finds names and values in any case, in the order of the document', () => {
    expect(matchesOf(answer, 'RECEP')).toEqual(['/devices/0/name'])
    expect(matchesOf(answer, 'null')).toEqual(['/devices/0/a~1b/~0x', '/continuationToken'])
    expect(matchesOf(answer, 'serial')).toEqual(['/devices/0/serial'])
    expect(matchesOf(answer, 'nowhere')).toEqual([])
    expect(matchesOf(answer, '')).toEqual([])
  })

  it('stops counting at a limit of matches', () => {
    expect(
      matchesOf(
        Array.from({ length: MATCHES_AT_MOST + 10 }, () => 'x'),
        'x',
      ),
    ).toHaveLength(MATCHES_AT_MOST)
  })

  it('formats a path and finds its value again', () => {
    const id = '/devices/0/a~1b/~0x'
    expect(spokenPlace(answer, id)).toBe('devices[0]["a/b"]["~x"]')
    expect(spokenPlace([{ room: 1 }], '/0/room')).toBe('[0].room')
    expect(valueAt(answer, id)).toBeNull()
    expect(valueAt(answer, '/devices/7')).toBeUndefined()
    expect(valueAt(answer, '/total/deeper')).toBeUndefined()
    expect(parentsOf(id)).toEqual(['', '/devices', '/devices/0', '/devices/0/a~1b'])
  })

  it('shows and searches a response nested deeper than the stack', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}"core"${']'.repeat(20_000)}`) as Json
    expect(matchesOf(deep, 'core')).toHaveLength(1)
    expect(rowsOf(deep, new Set(['', '/0']))).toHaveLength(3)
  })

  it('treats members such as __proto__ like others', () => {
    const odd = JSON.parse('{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}') as Json
    expect(rowsOf(odd, branchesOf(odd)).map(({ name }) => name)).toEqual([
      null,
      '__proto__',
      'x',
      'constructor',
      'hasOwnProperty',
    ])
    expect(valueAt(odd, '/__proto__/x')).toBe(1)
  })

  it('finds the value of every line of any open tree by its path', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json
        for (const row of rowsOf(json, branchesOf(json))) {
          const here = valueAt(json, row.id)
          expect(row.count === null ? JSON.stringify(here) : typeof here).toBe(
            row.count === null ? row.text : 'object',
          )
        }
      }),
      { numRuns: cases(200) },
    )
  })
})
