import type { Json } from '../../contract/json.ts'
import { isLoopback } from '../../contract/loopback.ts'

/** Whether a link may be offered: https, or http to this very computer (the demonstration). */
export function isOfferable(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return hostname !== '' && (protocol === 'https:' || isLoopback(hostname))
}

export const isHttps = (text: string): boolean => /^https:\/\//i.test(text) && URL.canParse(text) && new URL(text).hostname !== ''

/** A text and the names of the members on the way to it. */
export interface PlacedText {
  readonly path: readonly string[]
  readonly text: string
}

/** Every text in a JSON value in document order; nothing deeper than `depth`. */
export function textsWithin(json: Json, path: readonly string[] = [], depth = 16): readonly PlacedText[] {
  if (typeof json === 'string') return [{ path, text: json }]
  if (typeof json !== 'object' || json === null || depth === 0) return []
  return Object.entries(json as Record<string, Json>).flatMap(([name, value]) => textsWithin(value, [...path, name], depth - 1))
}
