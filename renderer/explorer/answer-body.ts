import type { Json } from '../../electron/contract/json.ts'

/** A body read as JSON, or null when it is none: HTML of a gateway, plain text, an answer that was cut. */
export function jsonOf(body: string): { readonly value: Json } | null {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body
  if (text.trim() === '') return null
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

/** Bytes of a body as it travelled, without compression. */
export const bytesOf = (body: string): number => new TextEncoder().encode(body).length

export interface TextPiece {
  readonly text: string
  /** The number of the match it is; null: between matches. */
  readonly match: number | null
}

/** A text in pieces, those that hold the words apart; at most `most` matches are told apart. */
export function piecesWith(text: string, words: string, most: number): readonly TextPiece[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return [{ text, match: null }]
  const inLowerCase = text.toLowerCase()
  // A letter whose lower case is longer would move every place after it.
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
