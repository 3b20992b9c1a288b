import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NoteBlock, NoteFormat } from '../../../electron/contract/api/release-notes.ts'
import { formatOf } from '../../../electron/core/release-notes/note-json.ts'
import { longestNote } from '../../../electron/core/release-notes/note-markup.ts'
import { noteText } from '../../../electron/core/release-notes/note-text.ts'
import { noteBudget, noteTree } from '../../../electron/core/release-notes/note-tree.ts'
import { cases } from '../../setup/cases.ts'

const documentUrl = 'https://metadata.example.com/content/v/18/products.json'
const treeOf = (text: string, format: NoteFormat = formatOf(text)) =>
  noteTree(text, format, documentUrl, noteBudget())
const blocksOf = (text: string, format?: NoteFormat) => treeOf(text, format).blocks

const text = (words: string) => ({ kind: 'text', text: words }) as const
const paragraph = (words: string): NoteBlock => ({ kind: 'paragraph', content: [text(words)] })
const list = (ordered: boolean, ...items: readonly string[]): NoteBlock => ({
  kind: 'list',
  ordered,
  items: items.map((item) => [paragraph(item)]),
})
const row = (head: boolean, ...cells: readonly string[]) => ({ head, cells: cells.map((one) => [text(one)]) })

describe('a note becomes a tree of known node kinds', () => {
  it.each<[string, NoteFormat, string, readonly NoteBlock[]]>([
    [
      'plain: paragraphs keep their lines, bullets are a list',
      'plain',
      'New in 2.9.2\nFor all models\r\n\r\nFixes:\n- mute sync\n• <b>volume</b>\n',
      [
        paragraph('New in 2.9.2\nFor all models'),
        paragraph('Fixes:'),
        list(false, 'mute sync', '<b>volume</b>'),
      ],
    ],
    [
      'Markdown: headings, lists, tables, code',
      'markdown',
      '## Fixes\n\n- mute sync\n- volume\n\n1. one\n\n| Model | Version |\n|---|---|\n| 65 | 2.9.2 |\n\n```\nreset\n```',
      [
        { kind: 'heading', content: [text('Fixes')] },
        list(false, 'mute sync', 'volume'),
        list(true, 'one'),
        { kind: 'table', rows: [row(true, 'Model', 'Version'), row(false, '65', '2.9.2')] },
        { kind: 'code', text: 'reset' },
      ],
    ],
    [
      'Markdown: HTML within it is text',
      'markdown',
      'a <script>alert(1)</script> b',
      [paragraph('a <script>alert(1)</script> b')],
    ],
    [
      'HTML: headings, lists, tables, code',
      'html',
      '<h3>Fixes</h3><ul><li>mute sync<li><p>volume</p></ul><table><tr><th>Model<th>Version<tr><td>65<td>2.9.2</table><pre>\nreset  all\n</pre>',
      [
        { kind: 'heading', content: [text('Fixes')] },
        list(false, 'mute sync', 'volume'),
        { kind: 'table', rows: [row(true, 'Model', 'Version'), row(false, '65', '2.9.2')] },
        { kind: 'code', text: 'reset  all' },
      ],
    ],
    [
      'HTML: empty parts are left out, text between rows and in links without an address is kept',
      'html',
      '<h3> </h3><ul></ul><table>around<tr></tr></table><p><b></b><a>more</a></p>',
      [paragraph('around'), paragraph('more')],
    ],
    [
      'HTML: emphasis, code, breaks and white space',
      'html',
      '<div>  Fixes \n <b>mute</b> <em>sync</em>,<br> see <code>reset</code> </div>',
      [
        {
          kind: 'paragraph',
          content: [
            text('Fixes '),
            { kind: 'strong', content: [text('mute')] },
            text(' '),
            { kind: 'emphasis', content: [text('sync')] },
            text(',\nsee '),
            { kind: 'code', text: 'reset' },
          ],
        },
      ],
    ],
    ['HTML: paragraphs within a line', 'html', '<span>a<p>b</p></span>', [paragraph('a'), paragraph('b')]],
    [
      'HTML: the alternative text of a picture',
      'html',
      '<p>See <img src="https://images.example/x.png" onerror="x()" alt="the mute button"></p>',
      [paragraph('See the mute button')],
    ],
  ])('%s', (_, format, given, expected) => {
    expect(blocksOf(given, format)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['scripts', '<script>alert(1)</script>'],
    ['styles', '<style>*{display:none}</style>'],
    [
      'frames',
      '<iframe src="https://trap.example" srcdoc="x">x</iframe><frameset><frame src="x"></frameset>',
    ],
    ['drawings', '<svg><a href="https://trap.example"><text>x</text></a><script>x</script></svg>'],
    [
      'refreshes',
      '<meta http-equiv="refresh" content="0;url=https://trap.example"><base href="https://trap.example">',
    ],
    ['objects', '<object data="https://trap.example">x</object><embed src="x"><video src="x">x</video>'],
    [
      'content of a form',
      '<form action="https://trap.example"><input value="x"><button>x</button><textarea>x</textarea></form>',
    ],
    ['comments', '<!-- x --><!doctype html><?xml version="1.0"?>'],
  ])('without %s', (_, given) => {
    expect(blocksOf(`<p>a</p>${given}<p>b</p>`, 'html')).toEqual([paragraph('a'), paragraph('b')])
  })

  it.each<[string, string, object | null]>([
    [
      'https',
      'https://www.jabra.com/a',
      { url: 'https://www.jabra.com/a', host: 'www.jabra.com', offered: true },
    ],
    [
      'relative',
      '/a',
      { url: 'https://metadata.example.com/a', host: 'metadata.example.com', offered: true },
    ],
    [
      'http: shown, not offered',
      'http://a.example/',
      { url: 'http://a.example/', host: 'a.example', offered: false },
    ],
    ['script', 'javascript:alert(1)', null],
    ['script with a tab in it', 'java\tscript:alert(1)', null],
    ['data', 'data:text/html,x', null],
    ['files', 'file:///etc/passwd', null],
    ['an anchor in the page', '#/devices', null],
  ])('with a link: %s', (_, href, expected) => {
    const content = [text('x')]
    expect(blocksOf(`<p><a href="${href}">x</a></p>`, 'html')).toEqual([
      { kind: 'paragraph', content: expected === null ? content : [{ kind: 'link', ...expected, content }] },
    ])
  })

  it.each<[string, NoteFormat]>([
    ['Fixes mute < 3 and > 2', 'plain'],
    ['- one\n- two', 'markdown'],
    ['Fixes **mute**', 'markdown'],
    ['<p>Fixes</p>', 'html'],
    ['Fixes<br>mute', 'html'],
  ])('with %j as it looks', (given, expected) => {
    expect(formatOf(given)).toBe(expected)
  })
})

describe('limits', () => {
  const isCut = (given: string, format: NoteFormat): readonly [boolean, boolean] => {
    const { blocks, cut } = treeOf(given, format)
    return [blocks.length > 0, cut]
  }
  it.each<[string, string, NoteFormat]>([
    ['length', 'a '.repeat(longestNote), 'plain'],
    ['depth of HTML', `<p>a</p>${'<div>'.repeat(9_000)}b`, 'html'],
    ['depth of HTML in a line', `<p>a</p>${'<b>'.repeat(9_000)}b`, 'html'],
    ['depth of Markdown', `a\n\n${'> '.repeat(90)}b`, 'markdown'],
    ['width of a table', `<table><tr>${'<td>a'.repeat(3_000)}</table>`, 'html'],
    ['count', '<p>a'.repeat(12_000), 'html'],
  ])('of %s: shows what fits, and that it was cut', (_, given, format) => {
    expect(isCut(given, format)).toEqual([true, true])
  })

  it('are shared by the notes of one response', () => {
    const budget = noteBudget()
    const trees = ['<p>a</p>'.repeat(8_000), '<p>a</p>'.repeat(8_000)].map((given) =>
      noteTree(given, 'html', documentUrl, budget),
    )
    expect([trees.map(({ cut }) => cut), trees.reduce((sum, { blocks }) => sum + blocks.length, 0)]).toEqual([
      [false, true],
      10_000,
    ])
  })

  it('hold for any text of any format, which never throws and contains no link with another scheme', () => {
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</i>',
      '<table>',
      '<tr>',
      '<td>',
      '<a href="javascript:x">',
      '<a href=/x>',
      '</a>',
      '<li>',
      '<ul>',
      '# ',
      '- ',
      '|',
      '\n',
      '```',
      '**',
      '[x](',
      'https://a.example)',
      'data:x)',
      '<svg>',
      '<template>',
      '\u0000',
      '&#x202e;',
    )
    const anything = fc.array(fc.oneof(part, fc.string()), { maxLength: 40 }).map((parts) => parts.join(''))
    const format = fc.constantFrom<NoteFormat>('plain', 'markdown', 'html')
    fc.assert(
      fc.property(anything, format, (given, as) => {
        const found = [...JSON.stringify(blocksOf(given, as)).matchAll(/"kind":"link","url":"([^:]*):/g)]
        expect(found.map(([, scheme]) => scheme).filter((scheme) => !/^https?$/.test(scheme ?? ''))).toEqual(
          [],
        )
      }),
      { numRuns: cases(500) },
    )
  })
})

describe('a note as text', () => {
  it('has a line for each line, and terminal escapes as numbers', () => {
    const given =
      '<h2>Fixes\u001b[2J</h2><p>See <a href="https://a.example/x">this page</a></p><ul><li>one<ul><li>two</ul></ul><ol><li>three</ol><table><tr><td>a<td>b<br>c</table><pre>x\ny</pre>'
    expect(noteText(blocksOf(given, 'html')).split('\n')).toEqual([
      'Fixes [2J',
      '',
      'See this page (https://a.example/x)',
      '',
      '- one',
      '  - two',
      '',
      '1. three',
      '',
      'a | b c',
      '',
      '    x',
      '    y',
    ])
    expect(noteText([paragraph('a\u202eb')])).toBe('a\\u202eb')
  })
})
