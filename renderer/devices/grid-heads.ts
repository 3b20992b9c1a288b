import type { IHeaderComp, IHeaderParams } from 'ag-grid-community'
import type { DeviceColumn } from '../../electron/contract/api/devices.ts'
import { text } from '../locales/i18n.ts'

/** What the heads of the grid tell and ask. They are drawn without Vue, as cells are. */
export interface HeadDeeds {
  /** The heads on screen: painted when what they tell changes, never made anew, for a filter may stand beside its funnel. */
  readonly heads: Set<{ readonly paint: () => void }>
  readonly head: () => 'all' | 'none' | 'mixed'
  readonly onAll: () => void
  readonly isFiltered: (column: DeviceColumn) => boolean
  /** Asks for the filter of a column, beside its funnel. */
  readonly onFunnel: (column: DeviceColumn, beside: HTMLElement) => void
}
type Params = IHeaderParams & { readonly deeds: HeadDeeds }

/** A check box that the grid's own keys drive: it never takes the focus itself. `null`: nobody here can say. */
export function boxCell(name: string, chosen: boolean | null): HTMLElement {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.tabIndex = -1
  box.checked = chosen === true
  box.indeterminate = chosen === null
  box.setAttribute('aria-label', text('devices.selection.choose', { name }))
  if (chosen === null) box.title = text('devices.selection.otherFilter')
  // The click counts, not the box: it shows what is chosen.
  box.addEventListener('click', (event) => event.preventDefault())
  return box
}

/** The box above all rows: all that match, none, or some. */
export class BoxHead implements IHeaderComp {
  private readonly box = document.createElement('input')
  private deeds: HeadDeeds | null = null

  init(params: Params): void {
    this.deeds = params.deeds
    params.deeds.heads.add(this)
    this.box.type = 'checkbox'
    this.box.tabIndex = -1
    this.box.className = 'head-box'
    this.box.setAttribute('aria-label', text('devices.selection.all'))
    this.box.title = text('devices.selection.allTitle')
    // Not prevented: the browser would put the box back after what the click led to was painted.
    this.box.addEventListener('click', () => {
      this.deeds?.onAll()
      this.paint()
    })
    this.paint()
  }
  paint(): void {
    const now = this.deeds?.head() ?? 'none'
    this.box.checked = now === 'all'
    this.box.indeterminate = now === 'mixed'
  }
  getGui(): HTMLElement {
    return this.box
  }
  refresh(): boolean {
    this.paint()
    return true
  }
  destroy(): void {
    this.deeds?.heads.delete(this)
  }
}

const SVG = 'http://www.w3.org/2000/svg'
function funnel(): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 12 12')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', 'M1.2 2h9.6L7.2 6.4v3.8L4.8 9V6.4z')
  svg.append(path)
  return svg
}

/** A column's name and the funnel of its filter; the grid puts the arrow and its number beside. */
export class FunnelHead {
  private readonly gui = document.createElement('span')
  private readonly button = document.createElement('button')
  private readonly name = document.createElement('span')
  private params: Params | null = null

  init(params: Params): void {
    params.deeds.heads.add(this)
    this.gui.className = 'funnel-head'
    this.name.className = 'words'
    this.button.type = 'button'
    this.button.tabIndex = -1
    this.button.append(funnel())
    // A click on the funnel neither sorts nor drags the column.
    for (const kind of ['mousedown', 'touchstart', 'dblclick'] as const)
      this.button.addEventListener(kind, (event) => event.stopPropagation())
    this.button.addEventListener('click', (event) => {
      event.stopPropagation()
      this.params?.deeds.onFunnel(this.params.column.getColId() as DeviceColumn, this.button)
    })
    this.gui.append(this.name, this.button)
    this.refresh(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh(params: Params): boolean {
    this.params = params
    this.name.textContent = params.displayName
    this.paint()
    return true
  }
  paint(): void {
    const { params } = this
    if (!params) return
    const on = params.deeds.isFiltered(params.column.getColId() as DeviceColumn)
    this.button.className = on ? 'funnel on' : 'funnel'
    const label = text(on ? 'devices.columnFilter.openOn' : 'devices.columnFilter.open', {
      column: params.displayName,
    })
    this.button.setAttribute('aria-label', label)
    this.button.title = label
  }
  destroy(): void {
    this.params?.deeds.heads.delete(this)
  }
}
