import MarkdownIt, { type Token } from 'markdown-it'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import type { NoteFormat } from '../../contract/api/release-notes.ts'

/** The intermediate form of all three formats: text, and elements by their HTML name. */
export type Markup =
  | string
  | {
      readonly tag: string
      readonly href: string | null
      readonly children: readonly Markup[]
    }

/**
 * A longer note is cut before it is parsed: with deep nesting, time grows with the square of the length.
 * Raise it if real notes are cut.
 */
export const longestNote = 64_000
/** Maximum nesting of elements; deeper ones are dropped. Raise it if real notes are cut. */
const deepestMarkup = 24

export interface ParsedMarkup {
  readonly markup: readonly Markup[]
  readonly cut: boolean
}

/** Never throws. */
export function markupOf(text: string, format: NoteFormat): ParsedMarkup {
  const read = text.slice(0, longestNote)
  const parsed =
    format === 'html' ? ofHtml(read) : format === 'markdown' ? ofMarkdown(read) : ofPlainText(read)
  return { markup: parsed.markup, cut: parsed.cut || read.length < text.length }
}

const element = (tag: string, children: readonly Markup[], href: string | null = null): Markup => ({
  tag,
  href,
  children,
})

const bullet = /^\s*[-*•·–]\s+/

/** A blank line ends a paragraph; lines that start with a bullet form a list. */
function ofPlainText(text: string): ParsedMarkup {
  const markup: Markup[] = []
  for (const part of text.split(/(?:\r\n?|\n)[^\S\n]*(?:\r\n?|\n)\s*/)) {
    let lines: string[] = []
    let items: string[] = []
    const end = (): void => {
      if (lines.length > 0) markup.push(element('p', [lines.join('\n')]))
      if (items.length > 0)
        markup.push(
          element(
            'ul',
            items.map((item) => element('li', [item])),
          ),
        )
      lines = []
      items = []
    }
    for (const line of part.split(/\r\n?|\n/)) {
      const isItem = bullet.test(line)
      if (isItem === lines.length > 0) end()
      if (isItem) items.push(line.replace(bullet, ''))
      else lines.push(line)
    }
    end()
  }
  return { markup, cut: false }
}

const markdown = new MarkdownIt({ html: false })

const hrefOf = (token: Token): string | null => {
  const href = token.attrGet('href')
  return typeof href === 'string' ? href : null
}

/** HTML within Markdown is text. */
function ofMarkdown(text: string): ParsedMarkup {
  const open: { readonly tag: string; readonly href: string | null; readonly children: Markup[] }[] = [
    { tag: '', href: null, children: [] },
  ]
  let cut = false
  const add = (one: Markup): void => void open.at(-1)?.children.push(one)
  const take = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.nesting === 1) open.push({ tag: token.tag, href: hrefOf(token), children: [] })
      else if (token.nesting === -1) {
        const ended = open.pop()
        if (ended !== undefined && open.length <= deepestMarkup) add(ended)
        else cut = true
      } else if (token.type === 'inline') take(token.children ?? [])
      else if (token.type === 'fence' || token.type === 'code_block')
        add(element('pre', [token.content.trimEnd()]))
      else if (token.type === 'code_inline') add(element('code', [token.content]))
      else if (token.type === 'hardbreak') add('\n')
      else if (token.type === 'softbreak') add(' ')
      // The alternative text of a picture.
      else add(token.content)
    }
  }
  take(markdown.parse(text, {}))
  return { markup: open[0]?.children ?? [], cut }
}

type Node = DefaultTreeAdapterTypes.ChildNode

/** Elements whose text is not for people. */
const withoutText = new Set(
  'script style template noscript iframe object embed applet svg math head title meta link base textarea select option input button audio video canvas frameset noframes noembed xmp plaintext'.split(
    ' ',
  ),
)

function ofHtml(text: string): ParsedMarkup {
  let cut = false
  const read = (nodes: readonly Node[], depth: number, isPre: boolean): Markup[] => {
    if (depth > deepestMarkup) {
      cut ||= nodes.length > 0
      return []
    }
    return nodes.flatMap((node): readonly Markup[] => {
      if (node.nodeName === '#text' && 'value' in node)
        return [isPre ? node.value : node.value.replace(/\s+/g, ' ')]
      if (!('tagName' in node) || withoutText.has(node.tagName)) return []
      const attribute = (name: string): string | null =>
        node.attrs.find((one) => one.name === name)?.value ?? null
      if (node.tagName === 'br') return ['\n']
      // The alternative text of a picture.
      if (node.tagName === 'img') return [attribute('alt') ?? '']
      const children = read(node.childNodes, depth + 1, isPre || node.tagName === 'pre')
      return [element(node.tagName, children, node.tagName === 'a' ? attribute('href') : null)]
    })
  }
  const markup = read(parseFragment(text).childNodes, 0, false)
  return { markup, cut }
}
