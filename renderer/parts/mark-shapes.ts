import type { MarkKind } from './status-kind.ts'

export interface MarkShape {
  /** Path in a 12 × 12 box. */
  readonly path: string
  readonly look: 'fill' | 'line' | 'dotted'
}

const circle = 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2z'

/** Circle, hollow square, dotted circle, open ring, triangle, octagon: told apart without colour. */
export const markShapes: Readonly<Record<MarkKind, MarkShape>> = {
  ok: { path: circle, look: 'fill' },
  off: { path: 'M1.8 1.8h8.4v8.4H1.8z', look: 'line' },
  unknown: { path: circle, look: 'dotted' },
  busy: { path: 'M6 1.4a4.6 4.6 0 1 0 4.6 4.6', look: 'line' },
  warn: { path: 'M6 1.2 11.4 10.8H.6z', look: 'fill' },
  bad: { path: 'M3.8 1h4.4L11 3.8v4.4L8.2 11H3.8L1 8.2V3.8z', look: 'fill' },
}
