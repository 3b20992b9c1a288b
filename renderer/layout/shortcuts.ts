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
  /** Also while typing: these produce no text. */
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
const told = (group: ShortcutGroup, id: string, ...chords: readonly string[]): Shortcut => ({
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

/** Every shortcut of the program. None is used by browsers or screen readers: single letters act outside fields only. */
export const shortcuts: readonly Shortcut[] = [
  everywhere('palette', ['mod+k'], true),
  told('everywhere', 'filter', '/'),
  everywhere('sync', ['f5'], true),
  everywhere('undo', ['mod+z']),
  everywhere('messages', ['g m']),
  everywhere('sheet', ['?']),
  told('everywhere', 'close', 'escape'),
  goTo('overview', 'o'),
  goTo('rooms', 'r'),
  goTo('devices', 'd'),
  goTo('firmware', 'f'),
  goTo('definitions', 'e'),
  goTo('compare', 'v'),
  goTo('release-notes', 'n'),
  goTo('changes', 'c'),
  goTo('jobs', 'b'),
  goTo('journal', 'j'),
  goTo('recovery', 'y'),
  goTo('telemetry', 't'),
  goTo('explorer', 'x'),
  goTo('webhooks', 'w'),
  goTo('organizations', 'a'),
  goTo('preferences', 'p'),
  goTo('connections', 'h'),
  goTo('golden-profiles', 'l'),
  told('lists', 'move', 'arrowup', 'arrowdown'),
  told('lists', 'sideways', 'arrowleft', 'arrowright'),
  told('lists', 'ends', 'home', 'end'),
  told('lists', 'open', 'enter'),
  told('lists', 'select', 'space'),
  told('lists', 'range', 'shift+space'),
  told('lists', 'all', 'mod+a'),
  told('lists', 'heads', 'mod+arrowup'),
  told('lists', 'filterColumn', 'alt+arrowdown'),
  told('lists', 'moveColumn', 'alt+arrowleft', 'alt+arrowright'),
  told('lists', 'widenColumn', 'shift+arrowleft', 'shift+arrowright'),
  told('lists', 'pinColumn', 'alt+p'),
  told('details', 'previous', 'alt+arrowup'),
  told('details', 'next', 'alt+arrowdown'),
  told('details', 'back', 'escape'),
]

/** The keys of a chord one by one, for display: `mod+k` is `mod`, `k`. */
export const keysOf = (chord: string): readonly (readonly string[])[] =>
  chord.split(' ').map((step) => step.split('+'))
