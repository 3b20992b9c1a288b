import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const self = 'tests/build/references.test.ts'
const sources = globSync('{electron,renderer,build,tests,.github}/**/*.{ts,vue,js,mjs,cjs,css,yml,md}', {
  cwd: root,
})
  .map((path) => path.replaceAll('\\', '/'))
  // The rows of the specification are copied as they are published.
  .filter((path) => path !== self && path !== 'tests/contract/specification-rows.ts')
const pages = [...sources.filter((path) => path.endsWith('.md')), ...globSync('*.md', { cwd: root })]

const services = read('electron/contract/services.md')
const ids = [...services.matchAll(/<a id="(\w+)">/g)].map(([, id = '']) => id)
const headings = [...services.matchAll(/^## (.+)$/gm)].map(([, text = '']) =>
  text
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
)

/** Ways to cite a document that is not in the repository. A comment counts as one line. */
const citations = [
  /\bspecification,? part/i,
  /\b(?:part|section|note)s? \d/i,
  /\bquirks?\b/i,
  /\bobserved,? \(?\d/i,
  /\b[Bb]ehaviour,? section|\b[Cc]ommand line, [A-Z]/,
  /\bissue \d+/i,
  /\b(?:behaviour|targets|observed|specification|command-line|design)\.md\b/,
  /\btargets? [A-Z]\d/i,
  /(?:^|\s)\((?:[ABDFHINRSVW]\d{1,2}(?:, )?)+\)/,
  /['`][RDVSFHIN]\d{1,2}(?:, [A-Z]\d{1,2})*: /,
]

/** What cannot be found in the repository: ids that services.md lacks, and citations of other documents. */
function unresolved(text: string): string[] {
  const joined = text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
  return [
    ...[...joined.matchAll(/services\.md#([\w-]+)/g)]
      .filter(([, id = '']) => !ids.includes(id) && !headings.includes(id))
      .map(([reference]) => reference),
    ...citations.flatMap((citation) => citation.exec(joined)?.[0] ?? []),
  ]
}

test('every reference of the sources resolves in the repository', () => {
  expect(
    sources.flatMap((path) => unresolved(read(path)).map((reference) => `${path}: ${reference}`)),
  ).toEqual([])
})

test.each([
  ['/** Ten minutes (services.md#W99). */', 'services.md#W99'],
  ['/** 60 s (specification, part 8). */', 'specification, part'],
  ['/**\n * Longest wait (behaviour,\n * section 2).\n */', 'behaviour, section'],
  ['// May be null (observed, quirk B1).', 'quirk'],
  ['// The kind (observed 4.6).', 'observed 4'],
  ['/** Chosen (command line, Notes). */', 'command line, N'],
  ['/** Bytes of a file (issue 18). */', 'issue 18'],
  ['// Variants compare without case (A24).', ' (A24)'],
  ["test('R7: stops everything', () => {})", "'R7: "],
  ['// See design.md.', 'design.md'],
])('%j does not', (text, reference) => {
  expect(unresolved(text)).toContain(reference)
})

test('services.md has each id once, and something relies on each', () => {
  const cited = new Set(
    sources.flatMap((path) => [...read(path).matchAll(/services\.md#(\w+)/g)].map(([, id]) => id)),
  )
  expect([ids.filter((id, index) => ids.indexOf(id) !== index), ids.filter((id) => !cited.has(id))]).toEqual([
    [],
    [],
  ])
})

test('every link between pages leads to a file', () => {
  const broken = pages.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^\w+:/.test(link) && !existsSync(join(root, dirname(path), link)))
      .map((link) => `${path}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('READMEs are short: the first one has at most 80 lines, all together fewer than 23,500 words', () => {
  const words = pages
    .filter((path) => path.endsWith('README.md'))
    .map((path) => read(path).split(/\s+/).filter(Boolean).length)
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(80)
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThan(23_500)
})
