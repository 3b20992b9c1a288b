import { markShapes } from '../parts/mark-shapes.ts'
import type { MarkKind } from '../parts/status-kind.ts'
import { statusShown, type Observed } from '../parts/status-shown.ts'

const SVG = 'http://www.w3.org/2000/svg'
const made = new Map<MarkKind, HTMLElement>()

function shape(kind: MarkKind): HTMLElement {
  const known = made.get(kind)
  if (known) return known
  const mark = document.createElement('span')
  mark.className = `mark ${kind}`
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 12 12')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', markShapes[kind].path)
  path.setAttribute('class', markShapes[kind].look)
  svg.append(path)
  const label = document.createElement('span')
  label.className = 'label'
  mark.append(svg, label)
  made.set(kind, mark)
  return mark
}

/** The mark of StatusMark.vue without a component: a table draws thousands while it scrolls. */
export function statusCell(observed: Observed, nowAt: number, staleAfterInMs: number): HTMLElement {
  const { kind, label } = statusShown(observed, nowAt, staleAfterInMs)
  const cell = shape(kind).cloneNode(true) as HTMLElement
  ;(cell.lastChild as HTMLElement).textContent = label
  cell.title = label
  return cell
}
