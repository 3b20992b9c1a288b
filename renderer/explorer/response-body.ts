import type { Json } from '../../electron/contract/json.ts'

/** A body parsed as JSON, or null if it is not JSON: HTML of a gateway, plain text, a truncated response. */
export function jsonOf(body: string): { readonly value: Json } | null {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body
  if (text.trim() === '') return null
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

/** Size of a body in bytes, without compression. */
export const bytesOf = (body: string): number => new TextEncoder().encode(body).length

export interface TextPiece {
  readonly text: string
  /** The index of its match; null: between matches. */
  readonly match: number | null
}

/** A text in pieces, with matches separate; at most `most` matches. */
export function piecesWith(text: string, words: string, most: number): readonly TextPiece[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return [{ text, match: null }]
  const inLowerCase = text.toLowerCase()
  // A letter whose lower case is longer would shift every position after it.
  if (inLowerCase.length !== text.length) return [{ text, match: null }]
  const pieces: TextPiece[] = []
  let end = 0
  let found = 0
  for (let at = inLowerCase.indexOf(wanted); at >= 0 && found < most; at = inLowerCase.indexOf(wanted, end)) {
    if (at > end) pieces.push({ text: text.slice(end, at), match: null })
    end = at + wanted.length
    pieces.push({ text: text.slice(at, end), match: found })
    found += 1
  }
  if (end < text.length) pieces.push({ text: text.slice(end), match: null })
  return pieces
}
