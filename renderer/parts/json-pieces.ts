export interface Piece {
  readonly kind: 'name' | 'word' | 'number' | 'sign'
  readonly text: string
}

const pattern = /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null)/g

/** One line of indented JSON in coloured pieces; joined, they are the line again. */
export function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) pieces.push({ kind: 'sign', text: line.slice(end, match.index) })
    pieces.push({
      kind: match[1] !== undefined ? 'name' : match[2] !== undefined ? 'word' : 'number',
      text: match[0],
    })
    end = match.index + match[0].length
  }
  if (end < line.length) pieces.push({ kind: 'sign', text: line.slice(end) })
  return pieces
}
