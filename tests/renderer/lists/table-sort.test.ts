import { describe, expect, it } from 'vitest'
import { sortedWith, type TableSort } from '../../../renderer/lists/table-sort.ts'

const textOf = (sort: TableSort<string>): string =>
  sort.map(({ column, descending }) => `${column}${descending ? '↓' : '↑'}`).join(' ')
const read = (text: string): TableSort<string> =>
  text
    .split(' ')
    .filter(Boolean)
    .map((entry) => ({ column: entry.slice(0, -1), descending: entry.endsWith('↓') }))

describe('a click on a column header', () => {
  it.each([
    ['name↑', 'name', false, 'name↓'],
    ['name↓', 'name', false, 'name↑'],
    ['name↑ seats↓', 'name', false, 'name↓'],
    ['name↑', 'status', false, 'status↑'],
    ['name↑', 'seats', false, 'seats↓'],
    ['name↑', 'status', true, 'name↑ status↑'],
    ['name↑', 'seats', true, 'name↑ seats↓'],
    ['name↑ status↑', 'status', true, 'name↑ status↓'],
    ['name↑ status↓', 'status', true, 'name↑'],
    ['name↑ seats↓', 'seats', true, 'name↑ seats↑'],
    ['name↑ seats↑', 'seats', true, 'name↑'],
    ['name↓', 'name', true, 'name↓'],
    ['', 'name', true, 'name↑'],
    ['a↑ b↑ c↑ d↑', 'e', true, 'a↑ b↑ c↑ e↑'],
  ])('in the order "%s", on %s (with Shift: %s), gives "%s"', (sort, key, after, expected) => {
    expect(textOf(sortedWith(read(sort), { key, descendingFirst: key === 'seats' }, after))).toBe(expected)
  })
})
