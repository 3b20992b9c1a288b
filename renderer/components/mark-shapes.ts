import type { StatusKind } from './status-kind.ts'

export interface MarkShape {
  /** Path in a 12 × 12 box. */
  readonly path: string
  readonly look: 'fill' | 'line' | 'dotted'
}

const circle = 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2z'

/**
 * Circle, crossed plug, dotted circle, bar, two bars, open ring, triangle, octagon, closed and open padlock: they differ without
 * colour, and none looks like a check box.
 */
export const markShapes: Readonly<Record<StatusKind, MarkShape>> = {
  ok: { path: circle, look: 'fill' },
  off: {
    path: 'M4.4 1.8v1.7M7.6 1.8v1.7M3 3.5h6v2.3a3 3 0 0 1-6 0zM6 8.8v1.8M1.6 10.6l8.8-9.2',
    look: 'line',
  },
  paused: { path: 'M4 2.4v7.2M8 2.4v7.2', look: 'line' },
  idle: { path: 'M2.6 6h6.8', look: 'line' },
  locked: { path: 'M3.8 5.4V3.8a2.2 2.2 0 0 1 4.4 0v1.6M2.5 5.4h7v4.9h-7z', look: 'line' },
  unlocked: { path: 'M3.8 5.4V3.8A2.2 2.2 0 0 1 8 3M2.5 5.4h7v4.9h-7z', look: 'line' },
  unknown: { path: circle, look: 'dotted' },
  busy: { path: 'M6 1.4a4.6 4.6 0 1 0 4.6 4.6', look: 'line' },
  warn: { path: 'M6 .6 11.4 10.2H.6z', look: 'fill' },
  bad: { path: 'M3.8 1h4.4L11 3.8v4.4L8.2 11H3.8L1 8.2V3.8z', look: 'fill' },
}
