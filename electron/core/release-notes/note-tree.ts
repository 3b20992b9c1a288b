import type { NoteBlock, NoteFormat, NoteSpan } from '../../contract/api/release-notes.ts'
import { destinationOf } from '../metadata/metadata.ts'
import { markupOf, type Markup } from './note-markup.ts'

/** The remaining budget of elements, texts and cells; shared by the notes of one result. */
export interface NoteBudget {
  left: number
}

/** As much as a page can show without becoming slow. Raise it if pages remain fast. */
export const noteBudget = (): NoteBudget => ({ left: 20_000 })
const widestTable = 24

export interface NoteTree {
  readonly blocks: readonly NoteBlock[]
  readonly cut: boolean
}

const containers =
  'p div section article main header footer blockquote details summary dl dt dd figure figcaption center address fieldset form nav aside body html caption label legend tbody thead tfoot tr td th li'
const structured = 'h1 h2 h3 h4 h5 h6 ul ol menu table pre'
const blockTags = new Set(`${containers} ${structured}`.split(' '))

/**
 * A text of a service as a tree of Headroom's own node types. Never throws. Links are resolved against the
 * document; a link without a valid target becomes text.
 */
export function noteTree(
  text: string,
  format: NoteFormat,
  documentUrl: string,
  budget: NoteBudget,
): NoteTree {
  const { markup, cut } = markupOf(text, format)
  let isCut = cut

  const mayTake = (): boolean => {
    budget.left -= 1
    if (budget.left < 0) isCut = true
    return budget.left >= 0
  }

  const blocksOf = (nodes: readonly Markup[]): NoteBlock[] => {
    const blocks: NoteBlock[] = []
    let line: Markup[] = []
    const endLine = (): void => {
      const content = trimmed(spansOf(line))
      if (content.length > 0) blocks.push({ kind: 'paragraph', content })
      line = []
    }
    for (const node of nodes) {
      if (!isBlock(node)) {
        line.push(node)
        continue
      }
      endLine()
      if (mayTake()) blocks.push(...blockOf(node))
    }
    endLine()
    return blocks
  }

  const blockOf = ({ tag, children }: Exclude<Markup, string>): readonly NoteBlock[] => {
    if (/^h[1-6]$/.test(tag)) {
      const content = trimmed(spansOf(children))
      return content.length === 0 ? [] : [{ kind: 'heading', content }]
    }
    if (tag === 'pre')
      return [{ kind: 'code', text: withoutControls(textOf(children)).replace(/^\n|\s+$/g, '') }]
    if (tag === 'ul' || tag === 'ol' || tag === 'menu') {
      const items = itemsOf(children).filter((item) => item.length > 0)
      return items.length === 0 ? [] : [{ kind: 'list', ordered: tag === 'ol', items }]
    }
    if (tag !== 'table') return blocksOf(children)
    const rows = rowsOf(children, false).flatMap(({ cells, head }) => {
      if (!mayTake()) return []
      if (cells.length > widestTable) isCut = true
      return [{ head, cells: cells.slice(0, widestTable).map((cell) => trimmed(spansOf(cell))) }]
    })
    return rows.length === 0 ? [] : [{ kind: 'table', rows }]
  }

  /** Content between the items of a list belongs to the previous item. */
  const itemsOf = (nodes: readonly Markup[]): NoteBlock[][] => {
    const items: NoteBlock[][] = []
    for (const node of nodes) {
      if (typeof node === 'string' && node.trim() === '') continue
      const isItem = typeof node !== 'string' && node.tag === 'li'
      if (isItem && !mayTake()) break
      const blocks = isItem ? blocksOf(node.children) : blocksOf([node])
      const previous = items.at(-1)
      if (isItem || previous === undefined) items.push(blocks)
      else previous.push(...blocks)
    }
    return items
  }

  const spansOf = (nodes: readonly Markup[]): NoteSpan[] =>
    nodes.flatMap((node): readonly NoteSpan[] => {
      if (!mayTake()) return []
      if (typeof node === 'string') return node === '' ? [] : [{ kind: 'text', text: withoutControls(node) }]
      const { tag, children } = node
      if (/^(?:code|kbd|samp|tt)$/.test(tag))
        return [{ kind: 'code', text: withoutControls(textOf(children)) }]
      const content = spansOf(children)
      if (content.length === 0) return []
      if (tag === 'strong' || tag === 'b') return [{ kind: 'strong', content }]
      if (tag === 'em' || tag === 'i') return [{ kind: 'emphasis', content }]
      const link = node.href === null ? null : linkTo(node.href, documentUrl)
      return link === null ? content : [{ kind: 'link', ...link, content }]
    })

  return { blocks: blocksOf(markup), cut: isCut }
}

const isBlock = (node: Markup): node is Exclude<Markup, string> =>
  typeof node !== 'string' && (blockTags.has(node.tag) || node.children.some(isBlock))

interface Row {
  readonly head: boolean
  readonly cells: readonly (readonly Markup[])[]
}

const rowsOf = (nodes: readonly Markup[], isHead: boolean): readonly Row[] =>
  nodes.flatMap((node): readonly Row[] => {
    if (typeof node === 'string') return []
    if (node.tag !== 'tr') return rowsOf(node.children, isHead || node.tag === 'thead')
    const cells = node.children.filter((cell) => typeof cell !== 'string')
    const head = isHead || (cells.length > 0 && cells.every((cell) => cell.tag === 'th'))
    return cells.length === 0 ? [] : [{ head, cells: cells.map((cell) => cell.children) }]
  })

const textOf = (nodes: readonly Markup[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')

/** Control characters other than line breaks have no use in a line. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, ' ')

/** Adjacent texts are joined; blanks at both ends are removed. */
function trimmed(spans: readonly NoteSpan[]): readonly NoteSpan[] {
  const joined: NoteSpan[] = []
  for (const span of spans) {
    const previous = joined.at(-1)
    if (span.kind === 'text' && previous?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: previous.text + span.text }
    else joined.push(span)
  }
  return joined.flatMap((span, at) => {
    if (span.kind !== 'text') return [span]
    const begun = at === 0 ? span.text.trimStart() : span.text
    const text = (at === joined.length - 1 ? begun.trimEnd() : begun).replace(/ *\n */g, '\n')
    return text === '' ? [] : [{ kind: 'text', text }]
  })
}

function linkTo(
  href: string,
  documentUrl: string,
): { readonly url: string; readonly host: string; readonly offered: boolean } | null {
  const leads = destinationOf(href, documentUrl)
  if (leads === null || !/^https?:/i.test(leads.url)) return null
  const url = new URL(leads.url)
  return { url: url.href, host: url.host, offered: leads.offered }
}
