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
  everywhere('sheet', ['?']),
  listed('everywhere', 'close', 'escape'),
  goTo('overview', 'o'),
  goTo('rooms', 'r'),
  goTo('devices', 'd'),
  goTo('firmware', 'f'),
  goTo('definitions', 'e'),
  goTo('release-notes', 'n'),
  goTo('changes', 'c'),
  goTo('jobs', 'b'),
  goTo('journal', 'j'),
  goTo('recovery', 'y'),
  goTo('explorer', 'x'),
  goTo('organizations', 'a'),
  goTo('preferences', 'p'),
  goTo('connections', 'h'),
  goTo('golden-profiles', 'l'),
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
