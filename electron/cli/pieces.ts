/**
 * Several pieces fit into a message even if JSON escapes every character. Change it with the longest message.
 */
const pieceAtMost = 64 * 1024

/** Splits a text into pieces that fit into a message; never splits a surrogate pair. */
export function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + pieceAtMost)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end -= 1
    yield text.slice(start, end)
    start = end
  }
}
