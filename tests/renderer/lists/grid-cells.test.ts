import { expect, it } from 'vitest'
import {
  age,
  checkBox,
  picture,
  pill,
  pills,
  side,
  status,
  words,
  wordsBeside,
  type Cell,
} from '../../../renderer/lists/grid-cells.ts'

const DAY = 86_400_000
/** The content of a cell after each row, one after the other, in the same elements. */
function value<Row>(cell: Cell<Row>, ...rows: readonly Row[]): readonly string[] {
  const element = document.createElement('div')
  const write = cell(element)
  const first = [...element.querySelectorAll('*')]
  return rows.map((row) => {
    write(row)
    if (!first.every((one) => element.contains(one))) throw new Error('an element was made anew')
    return [...element.childNodes]
      .map((node) =>
        node.nodeType === 3 ? node.textContent : (node as Element).outerHTML.replace(/<svg.*?<\/svg>/g, ''),
      )
      .join('')
  })
}

it('an unknown or empty text is a dash; markup in it stays text', () => {
  expect(value(words<string | null>(String), '<b>Oslo</b>', 'Lab')).toEqual(['<b>Oslo</b>', 'Lab'])
  expect(
    value(
      words<string | null>((one) => one),
      null,
      '',
      'Lab',
      null,
    ),
  ).toEqual(['—', '—', 'Lab', '—'])
})
it('a secondary text is shown beside the first if there is one, and removed again', () => {
  const cell = wordsBeside<readonly [string, string | null]>(
    ([name]) => name,
    ([, id]) => id,
  )
  expect(value(cell, ['Desk', null], ['No name', '7d0c'], ['Lab', ''])).toEqual([
    'Desk<span class="grid-beside"></span>',
    'No name<span class="grid-beside"> 7d0c</span>',
    'Lab<span class="grid-beside"></span>',
  ])
})
it('a status is shape, colour and word; none is a dash', () => {
  const cell = status<string | null>((one) => (one === null ? null : { kind: one as 'ok', label: one }))
  expect(value(cell, 'ok', 'bad', null)).toEqual([
    '<span class="mark ok" title="ok"><span class="label">ok</span></span>',
    '<span class="mark bad" title="bad"><span class="label">bad</span></span>',
    '<span class="mark none"><span class="label">—</span></span>',
  ])
})
it('a pill has a background by its kind and a title with its meaning; none is a dash without background', () => {
  const cell = pill<string | null>((one) =>
    one === null ? null : { label: one, kind: 'warn', ...(one === 'behind' ? { title: 'Latest 2.9' } : {}) },
  )
  expect(value(cell, 'behind', 'old', null)).toEqual([
    '<span class="pill warn" title="Latest 2.9">behind</span>',
    '<span class="pill warn">old</span>',
    '<span class="">—</span>',
  ])
})
it('several pills are reused for fewer and more', () => {
  expect(
    value(
      pills<readonly string[]>((one) => one),
      ['a', 'b'],
      ['c'],
      [],
    ),
  ).toEqual([
    '<span class="grid-pills" title="a, b"><span class="pill plain">a</span><span class="pill plain">b</span></span>',
    '<span class="grid-pills" title="c"><span class="pill plain">c</span><span class="pill plain" hidden="">b</span></span>'.replace(
      '>b<',
      '><',
    ),
    '<span class="grid-pills"><span class="pill plain" hidden=""></span><span class="pill plain" hidden=""></span></span>',
  ])
})
it('an age shows its moment, is amber beyond its limit, and is a dash when unknown', () => {
  const cell = age<number | null>(
    (one) => one,
    () => 20 * DAY,
    () => 7 * DAY,
  )
  expect(value(cell, 19 * DAY, 2 * DAY, null).map((one) => one.replace(/title=".*?"/, 'title'))).toEqual([
    '<span class="grid-age" title>1 d</span>',
    '<span class="grid-age stale" title>18 d</span>',
    '<span class="grid-age">—</span>',
  ])
})
it('a picture is a class, hidden from screen readers; cells are side by side', () => {
  const cell = side(
    picture<string>((form) => form),
    words<string>((form) => form),
  )
  expect(value(cell, 'panel', 'dongle')).toEqual([
    '<span class="grid-part"><span class="picture panel" aria-hidden="true"></span></span><span class="grid-part">panel</span>',
    '<span class="grid-part"><span class="picture dongle" aria-hidden="true"></span></span><span class="grid-part">dongle</span>',
  ])
})
it('a box exposes what it selects and its state; null: unknown', () => {
  const cell = checkBox<boolean | null>(
    (on) => on,
    (on) => `Choose ${String(on)}`,
  )
  expect(value(cell, true, null).map((one) => one.replace(/title=".*?"/, 'title'))).toEqual([
    '<span class="grid-box" role="checkbox" aria-checked="true" aria-label="Choose true"></span>',
    '<span class="grid-box" role="checkbox" aria-checked="mixed" aria-label="Choose null" title></span>',
  ])
})
