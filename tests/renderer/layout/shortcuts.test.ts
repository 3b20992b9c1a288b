import { describe, expect, it } from 'vitest'
import { shortcutReader, type Key } from '../../../renderer/layout/shortcut-reader.ts'
import { keysOf, shortcutGroups, shortcuts } from '../../../renderer/layout/shortcuts.ts'
import { english } from '../../../renderer/locales/i18n.ts'

const press = (key: string, more: Partial<Key> = {}): Key => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
  timeStamp: 0,
  target: document.body,
  ...more,
})
const within = (html: string): Element => {
  document.body.innerHTML = html
  return document.body.querySelector('.here') ?? document.body
}
const read = (keys: readonly Key[], mac = false): (string | null)[] => {
  const reader = shortcutReader(() => mac)
  return keys.map((key) => reader(key)?.id ?? null)
}

describe('shortcuts', () => {
  it.each<[string, readonly Key[], (string | null)[]]>([
    ['Ctrl+K', [press('k', { ctrlKey: true })], ['palette']],
    ['Caps Lock and Ctrl+K', [press('K', { ctrlKey: true })], ['palette']],
    ['F5', [press('F5')], ['sync']],
    ['F5 held down', [press('F5', { repeat: true })], [null]],
    ['Ctrl+F5', [press('F5', { ctrlKey: true })], [null]],
    ['? with Shift', [press('?', { shiftKey: true })], ['sheet']],
    ['g then d', [press('g'), press('d', { timeStamp: 1_000 })], [null, 'devices']],
    ['g, too late d', [press('g'), press('d', { timeStamp: 2_000 })], [null, null]],
    ['g then ?', [press('g'), press('?', { timeStamp: 100, shiftKey: true })], [null, 'sheet']],
    [
      'g, Shift held, then d',
      [press('g'), press('Shift'), press('d', { timeStamp: 100 })],
      [null, null, 'devices'],
    ],
    ['k alone', [press('k')], [null]],
    ['Ctrl+Z', [press('z', { ctrlKey: true })], ['undo']],
    ['Ctrl+Shift+Z', [press('z', { ctrlKey: true, shiftKey: true })], [null]],
    ['Cmd+K elsewhere than on a Mac', [press('k', { metaKey: true })], [null]],
    ['a press another part used', [press('?', { defaultPrevented: true })], [null]],
    ['during an input method', [press('F5', { isComposing: true })], [null]],
  ])('%s', (_name, keys, found) => {
    expect(read(keys)).toEqual(found)
  })
  it('use Cmd instead of Ctrl on a Mac, where Ctrl belongs to the text field', () => {
    expect(read([press('k', { metaKey: true }), press('k', { ctrlKey: true })], true)).toEqual([
      'palette',
      null,
    ])
  })
  it.each([
    '<input class="here">',
    '<textarea class="here"></textarea>',
    '<select class="here"></select>',
    '<div contenteditable="true"><b class="here">x</b></div>',
    '<div role="dialog"><button class="here"></button></div>',
    '<div role="menu"><div class="here"></div></div>',
  ])('in %s are limited to keys that are not typed', (html) => {
    const target = within(html)
    const keys = [
      press('?', { target }),
      press('g', { target }),
      press('d', { target }),
      press('z', { target, ctrlKey: true }),
    ]
    expect(read(keys)).toEqual([null, null, null, null])
    expect(read([press('F5', { target }), press('k', { target, ctrlKey: true })])).toEqual([
      'sync',
      'palette',
    ])
  })
  it('act on a check box', () => {
    const target = within('<input type="checkbox" class="here">')
    expect(read([press('?', { target })])).toEqual(['sheet'])
  })
  it('have a name for every key that is not labelled with its own letters', () => {
    const { keys: names } = english['layout'] as { keys: Record<string, string> }
    const keys = new Set(shortcuts.flatMap(({ chords }) => chords.flatMap(keysOf).flat()))
    expect(
      [...keys].filter((key) => key.length > 1 && !/^f\d+$/.test(key) && key !== 'mod' && !(key in names)),
    ).toEqual([])
  })
  it('have unique keys, and a description in the sheet', () => {
    const acting = shortcuts.filter((one) => one.here).flatMap((one) => one.chords)
    expect(new Set(acting).size).toBe(acting.length)
    const { shortcuts: words, pages } = english['layout'] as {
      shortcuts: Record<string, Record<string, string>>
      pages: Record<string, string>
    }
    expect(
      shortcuts
        .filter((one) => (one.page ? !pages[one.page] : !words[one.group]?.[one.id]))
        .map((one) => one.id),
    ).toEqual([])
    expect(shortcutGroups.filter((group) => !words[group]?.['title'])).toEqual([])
  })
})
