import type { PageName } from '../router.ts'

export const shortcutGroups = ['everywhere', 'lists', 'details', 'pages'] as const
export type ShortcutGroup = (typeof shortcutGroups)[number]

/**
 * One line of the sheet. A chord is `mod+k` (Ctrl, on a Mac Cmd), `alt+arrowup`, `f5`, `?`; a space separates successive keys. `here`: the
 * app handles it. The others are handled by lists, drawers and boxes and are only listed here.
 */
export interface Shortcut {
  readonly id: string
  readonly group: ShortcutGroup
  readonly chords: readonly string[]
  readonly here: boolean
  /** Also works while typing, because these keys produce no text. */
  readonly whileTyping: boolean
  readonly page: PageName | null
}

const everywhere = (id: string, chords: readonly string[], whileTyping = false): Shortcut => ({
  id,
  group: 'everywhere',
  chords,
  here: true,
  whileTyping,
  page: null,
})
const listed = (group: ShortcutGroup, id: string, ...chords: readonly string[]): Shortcut => ({
  id,
  group,
  chords,
  here: false,
  whileTyping: false,
  page: null,
})
const goTo = (page: PageName, letter: string): Shortcut => ({
  id: page,
  group: 'pages',
  chords: [`g ${letter}`],
  here: true,
  whileTyping: false,
  page,
})

/** `g` and this letter open the page. Null: a page of one record, one that other pages open, or a part of another (page-icons.ts). */
const pageLetters: Readonly<Record<PageName, string | null>> = {
  overview: 'o',
  rooms: 'r',
  devices: 'd',
  firmware: 'f',
  definitions: 'e',
  'release-notes': 'n',
  changes: 'c',
  jobs: 'b',
  journal: 'j',
  recovery: 'y',
  explorer: 'x',
  organizations: 'a',
  preferences: 'p',
  connections: 'h',
  'golden-profiles': 'l',
  help: 'u',
  device: null,
  room: null,
  downloads: null,
  telemetry: null,
  compare: null,
  'compare-rooms': null,
  'compare-devices': null,
  webhooks: null,
  link: null,
  welcome: null,
}

/**
 * Every shortcut of the program. None is used by browsers or screen readers. Single letters work outside
 * fields only.
 */
export const shortcuts: readonly Shortcut[] = [
  everywhere('palette', ['mod+k'], true),
  listed('everywhere', 'filter', '/'),
  everywhere('sync', ['f5'], true),
  everywhere('undo', ['mod+z']),
  everywhere('messages', ['g m']),
  everywhere('toast', ['f8'], true),
  everywhere('sheet', ['?']),
  everywhere('help', ['f1'], true),
  listed('everywhere', 'close', 'escape'),
  ...Object.entries(pageLetters).flatMap(([page, letter]) =>
    letter === null ? [] : [goTo(page as PageName, letter)],
  ),
  listed('lists', 'move', 'arrowup', 'arrowdown'),
  listed('lists', 'sideways', 'arrowleft', 'arrowright'),
  listed('lists', 'ends', 'home', 'end'),
  listed('lists', 'open', 'enter'),
  listed('lists', 'select', 'space'),
  listed('lists', 'range', 'shift+space'),
  listed('lists', 'all', 'mod+a'),
  listed('lists', 'heads', 'mod+arrowup'),
  listed('lists', 'filterColumn', 'alt+arrowdown'),
  listed('lists', 'moveColumn', 'alt+arrowleft', 'alt+arrowright'),
  listed('lists', 'widenColumn', 'shift+arrowleft', 'shift+arrowright'),
  listed('lists', 'pinColumn', 'alt+p'),
  listed('details', 'previous', 'alt+arrowup'),
  listed('details', 'next', 'alt+arrowdown'),
  listed('details', 'back', 'escape'),
]

/** The keys of a chord one by one, for display: `mod+k` is `mod`, `k`. */
export const keysOf = (chord: string): readonly (readonly string[])[] =>
  chord.split(' ').map((step) => step.split('+'))
