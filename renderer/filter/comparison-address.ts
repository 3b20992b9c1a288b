import type { Chosen } from './selection.ts'

/** The comparison of two selected rooms or devices, or of one with a second that is chosen there; null: other than one or two are selected. */
export function comparisonOf(
  of: 'rooms' | 'devices',
  chosen: Chosen,
): { readonly name: string; readonly params: { readonly a: string; readonly b?: string } } | null {
  const [a, b, ...more] = chosen.kind === 'picked' ? chosen.rows.keys() : []
  if (a === undefined || more.length > 0) return null
  return { name: `compare-${of}`, params: b === undefined ? { a } : { a, b } }
}
