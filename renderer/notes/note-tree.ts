import { h, type FunctionalComponent, type VNodeChild } from 'vue'
import type { NoteBlock, NoteSpan, ReleaseNote } from '../../electron/contract/api/release-notes.ts'
import OutsideLink from '../components/OutsideLink.vue'

/** A note as our own elements: service text is only text in them. */
export const NoteTree: FunctionalComponent<{ blocks: readonly NoteBlock[] }> = ({ blocks }) =>
  blocks.map(blockNode)
NoteTree.props = ['blocks']

function blockNode(block: NoteBlock): VNodeChild {
  switch (block.kind) {
    case 'heading':
      return h('p', { class: 'font-strong' }, spanNodes(block.content))
    case 'paragraph':
      return h('p', spanNodes(block.content))
    case 'code':
      return h('pre', { class: 'overflow-auto', tabindex: 0 }, block.text)
    case 'list':
      return h(
        block.ordered ? 'ol' : 'ul',
        block.items.map((item) => h('li', item.map(blockNode))),
      )
    case 'table':
      return h('div', { class: 'overflow-auto', tabindex: 0 }, [
        h('table', { class: 'table' }, [
          h(
            'tbody',
            block.rows.map(({ head, cells }) =>
              h(
                'tr',
                cells.map((cell) => h(head ? 'th' : 'td', spanNodes(cell))),
              ),
            ),
          ),
        ]),
      ])
  }
}

/** `Ctrl+K`, `F5` and `?` are keys. */
const key = /^(Ctrl\+\w|F\d{1,2}|[?/])$/
const spanNodes = (spans: readonly NoteSpan[]): VNodeChild[] => spans.map(spanNode)

function spanNode(span: NoteSpan): VNodeChild {
  switch (span.kind) {
    case 'text':
      return span.text
    case 'code':
      return h(key.test(span.text) ? 'kbd' : 'code', span.text)
    case 'strong':
      return h('strong', spanNodes(span.content))
    case 'emphasis':
      return h('em', spanNodes(span.content))
    case 'link':
      return span.offered
        ? h(OutsideLink, { look: 'link', url: span.url, label: span.host, title: span.url }, () =>
            spanNodes(span.content),
          )
        : [...spanNodes(span.content), ` (${span.url})`]
  }
}

const textOf = (spans: readonly NoteSpan[]): string =>
  spans.map((span) => ('text' in span ? span.text : textOf(span.content))).join('')

/** The text without a first line that only repeats the version, which is the heading of the note. */
export function bodyOf({ version, blocks: [first, ...rest], blocks }: ReleaseNote): readonly NoteBlock[] {
  if (version === null || (first?.kind !== 'heading' && first?.kind !== 'paragraph')) return blocks
  const words = textOf(first.content)
    .toLowerCase()
    .split(/[\s:]+/)
    .filter(Boolean)
  const isTitle =
    words.at(-1)?.replace(/^v/, '') === version.toLowerCase() &&
    words.slice(0, -1).every((word) => ['firmware', 'version', 'release'].includes(word))
  return isTitle ? rest : blocks
}
