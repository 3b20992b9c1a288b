import { describe, expect, it, vi } from 'vitest'
import { commands, loneCommands } from '../../../electron/cli/run-command.ts'
import { parse } from '../../../electron/cli/grammar.ts'
import type { NoteBlock, NoteSpan } from '../../../electron/contract/api/release-notes.ts'
import { guideTopics } from '../../../renderer/guide/guide.ts'
import { english } from '../../../renderer/locales/i18n.ts'
import { settle } from '../core.ts'
import { openPage } from '../page.ts'

const pages = import.meta.glob<{ readonly title: string; readonly blocks: readonly NoteBlock[] }>(
  '../../../renderer/locales/en/guide/*.md',
  { eager: true, import: 'default' },
)

/** Every text of the window, each of its plural forms. */
function textsIn(messages: unknown): readonly string[] {
  if (typeof messages === 'string') return messages.split('|').map((form) => form.trim())
  return Object.values(messages as Readonly<Record<string, unknown>>).flatMap(textsIn)
}
const spansIn = (block: NoteBlock): readonly NoteSpan[] =>
  block.kind === 'list'
    ? block.items.flat().flatMap(spansIn)
    : block.kind === 'heading' || block.kind === 'paragraph'
      ? block.content
      : []
const named = (kind: 'strong' | 'code'): readonly string[] =>
  Object.values(pages)
    .flatMap(({ blocks }) => blocks.flatMap(spansIn))
    .flatMap((span) =>
      span.kind !== kind
        ? []
        : span.kind === 'code'
          ? span.text
          : span.kind === 'strong'
            ? span.content.map((one) => ('text' in one ? one.text : '')).join('')
            : [],
    )
/** The words of a line as a shell reads it: quotes keep words together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

describe('the guide', () => {
  it('names only buttons, pages and words that the window has', () => {
    const texts = new Set(textsIn(english))
    // Exit codes stand in bold, too.
    const names = named('strong').filter((name) => !/^\d$/.test(name))
    expect([names.filter((name) => !texts.has(name)), names.length > 40]).toEqual([[], true])
  })

  it('names only commands that exist, with their options', () => {
    const lines = named('code').filter((code) => code.startsWith('headroom '))
    const refused = lines.flatMap((line) => {
      const [first = '', ...rest] = wordsOf(line).slice(1)
      try {
        if (first !== 'help') parse([...commands, ...loneCommands], [first, ...rest])
        else if (rest.length > 0) parse([...commands, ...loneCommands], [...rest, '--help'])
        return []
      } catch (error) {
        return `${line}: ${(error as Error).message}`
      }
    })
    expect([refused, lines.length > 9]).toEqual([[], true])
  })

  it('has each of its ten pages in the list, and opens one by its address', async () => {
    const { page } = await openPage('/help/limits')
    const links = page.findAll('nav.topics a').map((link) => link.text())
    expect([links, page.get('article h2').text(), page.get('a[aria-current]').text()]).toEqual([
      guideTopics.map(({ title }) => title),
      'Limits',
      'Limits',
    ])
    expect(Object.keys(pages).length).toBe(links.length)
  })

  it('begins with its text, which a picture with its caption follows', async () => {
    const { page } = await openPage('/help')
    const [first, last] = page.findAll('.reading > *')
    expect([first?.classes(), last?.element.tagName, last?.get('figcaption').text()]).toEqual([
      expect.arrayContaining(['text']),
      'FIGURE',
      'Overview in the demonstration. Each underlined count opens its list.',
    ])
  })

  it('has keys as keys, and the next page at the end', async () => {
    const { page } = await openPage('/help')
    expect([
      page.findAll('.text kbd').map((one) => one.text()),
      page.get('article > :last-child').text(),
    ]).toEqual([['Ctrl+K', '?'], 'Next: Find a device or a room'])
  })

  it('leads to the next page, and after an unknown address begins with the first', async () => {
    const { page, button } = await openPage('/help/nonsense')
    const first = page.get('article h2').text()
    await button('Next: Find a device or a room').trigger('click')
    await settle()
    expect([first, page.get('article h2').text()]).toEqual(['Your first day', 'Find a device or a room'])
  })

  it('is printed whole, a sheet for each page', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { button } = await openPage('/help')
    await button('Print all pages').trigger('click')
    const sheets = [...document.querySelectorAll('.paper-sheet h1')].map((one) => one.textContent)
    const texts = new Set([...document.querySelectorAll('.paper-sheet')].map((one) => one.textContent.length))
    expect([print.mock.calls.length, sheets, texts.size]).toEqual([
      1,
      guideTopics.map(({ title }) => title),
      guideTopics.length,
    ])
  })
})
