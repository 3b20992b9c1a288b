/** Chosen: several fit into a message, whatever its signs become in JSON. */
const pieceAtMost = 64 * 1024

/** A text in pieces that fit into a message; no sign of two halves is cut. */
export function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + pieceAtMost)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end -= 1
    yield text.slice(start, end)
    start = end
  }
}
