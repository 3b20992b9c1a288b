import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { isDeviceColumn } from './device-columns.ts'

/** What keys mean in the table beyond the grid's own. `onEscape` answers whether it was of use. */
export interface KeyDeeds {
  readonly focused: () => { readonly row: DeviceRow; readonly index: number } | null
  readonly onOpen: (id: string) => void
  readonly onToggle: (row: DeviceRow, index: number) => void
  readonly onExtend: (row: DeviceRow, index: number) => void
  readonly onAll: () => void
  readonly onHead: () => void
  readonly onEscape: () => boolean
  readonly onFunnel: (column: DeviceColumn, beside: HTMLElement) => void
}

/**
 * Space chooses the row, Shift+Space as far as here, Ctrl+A all that match, Enter opens, Esc lets go of everything.
 * On a head Alt+ArrowDown and the menu key open its filter. Heard before the grid, whose own selection is not used.
 * Answers the function that ends it.
 */
export function gridKeys(table: HTMLElement, deeds: KeyDeeds): () => void {
  const headOf = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('.ag-header-cell') : null
  function openFunnel(head: HTMLElement): boolean {
    const column = head.getAttribute('col-id') ?? ''
    if (!isDeviceColumn(column)) return false
    deeds.onFunnel(column, head.querySelector<HTMLElement>('.funnel') ?? head)
    return true
  }
  function onRow(event: KeyboardEvent): boolean {
    const at = deeds.focused()
    if (!at) return false
    if (event.key === ' ') {
      if (event.shiftKey) deeds.onExtend(at.row, at.index)
      else deeds.onToggle(at.row, at.index)
      return true
    }
    if (event.key !== 'Enter') return false
    deeds.onOpen(at.row.id)
    return true
  }
  function meant(event: KeyboardEvent): boolean {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a') {
      deeds.onAll()
      return true
    }
    if (event.ctrlKey || event.metaKey) return false
    if (event.key === 'Escape') return deeds.onEscape()
    const head = headOf(event)
    if (head === null) return !event.altKey && onRow(event)
    if (head.getAttribute('col-id') === 'box' && (event.key === ' ' || event.key === 'Enter')) {
      deeds.onHead()
      return true
    }
    return (event.altKey && event.key === 'ArrowDown') || event.key === 'ContextMenu'
      ? openFunnel(head)
      : false
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !meant(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  table.addEventListener('keydown', onKey, true)
  return () => table.removeEventListener('keydown', onKey, true)
}
