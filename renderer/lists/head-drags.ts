import { isRightToLeft } from './column-places.ts'
import { NARROWEST } from './grid-columns.ts'

/** If the pointer moved less than this, in CSS pixels, it was a click and not a drag. */
const DRAGS_FROM = 5

/**
 * Dragging the edge of a header: `onWidth` gets the width at each move and at the end, and the previous width
 * on cancel.
 */
export function edgeDrag(
  edge: HTMLElement,
  head: HTMLElement,
  onWidth: (width: number, phase: 'drag' | 'end' | 'cancel') => void,
): void {
  edge.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.stopPropagation()
    const previous = head.getBoundingClientRect().width
    const way = isRightToLeft(head) ? -1 : 1
    const widthAt = (now: PointerEvent): number =>
      Math.max(NARROWEST, Math.round(previous + way * (now.clientX - event.clientX)))
    const ending = new AbortController()
    const { signal } = ending
    let moved = false
    const end = (width: number, phase: 'end' | 'cancel'): void => {
      ending.abort()
      // A click, or the first one of a double click, changes nothing.
      if (moved) onWidth(width, phase)
    }
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener(
      'pointermove',
      (now) => {
        moved ||= now.clientX !== event.clientX
        if (moved) onWidth(widthAt(now), 'drag')
      },
      { signal },
    )
    edge.addEventListener('pointerup', (now) => end(widthAt(now), 'end'), { signal })
    edge.addEventListener('pointercancel', () => end(previous, 'cancel'), { signal })
  })
}

/**
 * Dragging a header among the others: a line shows the target. Returns whether the next click ended a drag and is to be ignored. `moved`:
 * its new position among all headers.
 */
export function headDrag(
  button: HTMLElement,
  head: HTMLElement,
  host: {
    readonly others: () => readonly HTMLElement[]
    readonly drop: HTMLElement
    readonly moved: (to: number) => void
  },
): () => boolean {
  let dragged = false
  function placeAt(x: number): number {
    const backwards = isRightToLeft(head)
    return host.others().filter((other) => {
      const { left, width } = other.getBoundingClientRect()
      const middle = left + width / 2
      return backwards ? middle > x : middle < x
    }).length
  }
  function showDrop(to: number): void {
    const others = host.others()
    const bounds = host.drop.parentElement?.getBoundingClientRect()
    const [next, last] = [others[to]?.getBoundingClientRect(), others.at(-1)?.getBoundingClientRect()]
    if (!bounds || !last) return
    const at = isRightToLeft(head)
      ? bounds.right - (next ? next.right : last.left)
      : (next ? next.left : last.right) - bounds.left
    host.drop.style.insetInlineStart = `${at}px`
    host.drop.hidden = false
  }
  button.addEventListener('pointerdown', (event) => {
    dragged = false
    if (event.button !== 0) return
    const ending = new AbortController()
    const { signal } = ending
    const end = (): void => {
      ending.abort()
      host.drop.hidden = true
      head.classList.remove('dragged')
    }
    button.addEventListener(
      'pointermove',
      (now) => {
        // The pointer was released outside.
        if (now.buttons === 0) return end()
        if (!dragged && Math.abs(now.clientX - event.clientX) < DRAGS_FROM) return
        if (!dragged) {
          dragged = true
          button.setPointerCapture(event.pointerId)
          head.classList.add('dragged')
        }
        showDrop(placeAt(now.clientX))
      },
      { signal },
    )
    button.addEventListener(
      'pointerup',
      (now) => {
        end()
        if (dragged) host.moved(placeAt(now.clientX))
      },
      { signal },
    )
    button.addEventListener('pointercancel', end, { signal })
  })
  return () => {
    const was = dragged
    dragged = false
    return was
  }
}
