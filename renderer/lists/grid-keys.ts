/** The active cell. Row -1: the headers. Column 0: the check box if there is one. */
export interface GridSpot {
  readonly row: number
  readonly column: number
}

export type GridWish =
  | { readonly kind: 'go'; readonly to: GridSpot }
  | { readonly kind: 'toggle' | 'extend' | 'all' | 'clear' | 'open' }
  | { readonly kind: 'sort'; readonly after: boolean }
  | { readonly kind: 'funnel' | 'pin' }
  | { readonly kind: 'move'; readonly by: 1 | -1 }
  | { readonly kind: 'widen'; readonly by: number }

/** Width change per key press (chosen, CSS pixels). */
const WIDENS_BY = 16

export interface KeyContext {
  readonly at: GridSpot
  readonly rows: number
  readonly columns: number
  /** Number of rows that Page Up and Page Down move. */
  readonly page: number
  /** The row that was active before the headers. */
  readonly leftRow: number
  readonly boxed: boolean
  readonly rightToLeft: boolean
}

/**
 * The effect of a key. In rows: arrows, Page Up and Down, Home, End (with Ctrl to the corners), Enter opens, Space selects, Shift+Space
 * selects a range, Ctrl+A all, Escape clears. Ctrl+Up, or Up from the first row, moves to the headers: Enter or Space sorts (with Shift as
 * a further key), Alt+Down and the menu key filter, Alt+arrows move, Shift+arrows resize, Alt+P pins. null: not handled.
 */
export function wishOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
  context: KeyContext,
): GridWish | null {
  const { at, boxed } = context
  const control = event.ctrlKey || event.metaKey
  if (boxed && control && !event.altKey && event.key.toLowerCase() === 'a') return { kind: 'all' }
  if (event.key === 'Escape' && !control && !event.altKey) return boxed ? { kind: 'clear' } : null
  return at.row < 0 ? inHeads(event, context, control) : inRows(event, context, control)
}

const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))
const sideways = (key: string, rightToLeft: boolean): 1 | -1 | 0 =>
  key === 'ArrowRight' ? (rightToLeft ? -1 : 1) : key === 'ArrowLeft' ? (rightToLeft ? 1 : -1) : 0

type Pressed = Parameters<typeof wishOf>[0]

function inRows(event: Pressed, context: KeyContext, control: boolean): GridWish | null {
  const { at, rows, columns, page, boxed } = context
  if (event.altKey) return null
  const go = (row: number, column = at.column): GridWish => ({
    kind: 'go',
    to: { row: within(row, rows), column: within(column, columns) },
  })
  const aside = sideways(event.key, context.rightToLeft)
  if (aside !== 0) return control ? null : go(at.row, at.column + aside)
  switch (event.key) {
    case 'ArrowDown':
      return go(at.row + 1)
    case 'ArrowUp':
      return control || at.row === 0 ? { kind: 'go', to: { row: -1, column: at.column } } : go(at.row - 1)
    case 'PageDown':
      return go(at.row + page)
    case 'PageUp':
      return go(at.row - page)
    case 'Home':
      return control ? go(0, 0) : go(0)
    case 'End':
      return control ? go(rows - 1, columns - 1) : go(rows - 1)
    case 'Enter':
      return control ? null : { kind: 'open' }
    case ' ':
      return boxed && !control ? { kind: event.shiftKey ? 'extend' : 'toggle' } : null
    default:
      return null
  }
}

function inHeads(event: Pressed, context: KeyContext, control: boolean): GridWish | null {
  const { at, rows, columns, leftRow, boxed, rightToLeft } = context
  if (control) return null
  const onBox = boxed && at.column === 0
  const go = (column: number): GridWish => ({ kind: 'go', to: { row: -1, column: within(column, columns) } })
  const aside = sideways(event.key, rightToLeft)
  if (aside !== 0) {
    if (event.altKey) return onBox ? null : { kind: 'move', by: aside }
    if (event.shiftKey)
      return onBox ? null : { kind: 'widen', by: event.key === 'ArrowRight' ? WIDENS_BY : -WIDENS_BY }
    return go(at.column + aside)
  }
  if (event.altKey) {
    if (onBox) return null
    return event.key === 'ArrowDown'
      ? { kind: 'funnel' }
      : event.key.toLowerCase() === 'p'
        ? { kind: 'pin' }
        : null
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'PageDown':
      return { kind: 'go', to: { row: within(leftRow, rows), column: at.column } }
    case 'Home':
      return go(0)
    case 'End':
      return go(columns - 1)
    case 'ContextMenu':
      return onBox ? null : { kind: 'funnel' }
    case 'Enter':
    case ' ':
      return { kind: 'sort', after: event.shiftKey }
    default:
      return null
  }
}
