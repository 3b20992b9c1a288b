import type { NoteBlock, NoteSpan } from '../../contract/api/release-notes.ts'
import { withUnseenEscaped } from '../../contract/unseen.ts'

/**
 * A note as lines for a terminal and for searching. It contains no control characters except the line breaks
 * between its lines.
 */
export const noteText = (blocks: readonly NoteBlock[]): string =>
  linesOf(blocks).map(withUnseenEscaped).join('\n')

const linesOf = (blocks: readonly NoteBlock[]): readonly string[] =>
  blocks.flatMap((block, at) => [...(at === 0 ? [] : ['']), ...linesOfOne(block)])

function linesOfOne(block: NoteBlock): readonly string[] {
  if (block.kind === 'code') return block.text.split('\n').map((line) => `    ${line}`)
  if (block.kind === 'table')
    return block.rows.map(({ cells }) => cells.map((cell) => lineOf(cell).replaceAll('\n', ' ')).join(' | '))
  if (block.kind !== 'list') return lineOf(block.content).split('\n')
  return block.items.flatMap((item, at) => {
    const mark = block.ordered ? `${at + 1}. ` : '- '
    return item.flatMap(linesOfOne).map((line, row) => `${row === 0 ? mark : ' '.repeat(mark.length)}${line}`)
  })
}

const lineOf = (spans: readonly NoteSpan[]): string =>
  spans
    .map((span) => {
      if ('text' in span) return span.text
      const inside = lineOf(span.content)
      return span.kind === 'link' && span.url !== inside ? `${inside} (${span.url})` : inside
    })
    .join('')
