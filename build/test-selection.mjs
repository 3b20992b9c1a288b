// Which parts and files npm test runs: named ones, what a change can touch, or what failed last.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { remembered, root } from './prepare.mjs'
import { checks } from './test-steps.mjs'

export const parts = ['checks', 'unit', 'waits', 'stand-in', 'e2e', 'packaging']

/** The part that runs this test file; null: it is none. */
const partOfFile = (path) =>
  /^tests\/.*\.test\.ts$/.test(path)
    ? 'unit'
    : (/^tests\/(e2e|waits|stand-in|packaging)\/.*\.spec\.ts$/.exec(path)?.[1] ?? null)

/** What to run: each part with its files (none: all) or, for `checks`, with the checks. Null: a word is neither a part nor a test file. */
export function named(words, exists = (path) => existsSync(join(root, path))) {
  const selection = {}
  const unknown = []
  for (const word of words) {
    const part = parts.includes(word) ? word : exists(word) ? partOfFile(word) : null
    if (part === null) unknown.push(word)
    // A part that is named as a whole stays whole.
    else if (part === word) selection[part] = part === 'checks' ? checks : []
    else if (selection[part]?.length !== 0) selection[part] = [...(selection[part] ?? []), word]
  }
  return { selection, unknown }
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
const lines = ({ stdout }) => (stdout ?? '').split('\n').filter((line) => line !== '')

/** The files that differ from a revision, untracked ones included. Without one: from the last commit or, if nothing does, from the one before. */
export function changedFiles(revision) {
  const since = (from) => ({
    since: from,
    files: [
      ...lines(git('diff', '--name-only', '--relative', from)),
      ...lines(git('ls-files', '-o', '--exclude-standard')),
    ],
  })
  if (revision !== undefined)
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).status === 0
      ? since(revision)
      : null
  const uncommitted = since('HEAD')
  return uncommitted.files.length > 0 ? uncommitted : since('HEAD~1')
}

const imported = /(?:\bfrom\s+|\bimport\s*\(?\s*|\bnew URL\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g
/** Every source and test file with the files that it imports, loads or starts. */
function sources() {
  return new Map(
    ['electron', 'renderer', 'tests']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true }).map(
          (path) => `${folder}/${path.replaceAll('\\', '/')}`,
        ),
      )
      .filter((path) => /\.(ts|vue|mjs|cjs)$/.test(path))
      .map((path) => [
        path,
        [...readFileSync(join(root, path), 'utf8').matchAll(imported)].map(([, to]) =>
          posix.join(dirname(path), to),
        ),
      ]),
  )
}

/** Files are reached by a change over at most this many imports: further ones use nearly the whole program. */
const mostSteps = 2

/**
 * What a change can touch: all checks (components are linted only where they changed), the tests of the changed folders, and those that reach a
 * changed file over at most two imports. `left` says what is not run.
 */
export function touchedBy(changed, imports = sources()) {
  const importers = new Map()
  for (const [path, all] of imports)
    for (const one of all) importers.set(one, [...(importers.get(one) ?? []), path])
  const reaching = (from, steps) => {
    const reached = new Set(from)
    let last = from
    for (let step = 0; step < steps && last.length > 0; step++) {
      last = last.flatMap((path) => importers.get(path) ?? []).filter((path) => !reached.has(path))
      for (const path of last) reached.add(path)
    }
    return reached
  }
  const folders = changed
    .filter((path) => /^(electron|renderer|build)\//.test(path))
    .map((path) => `tests/${dirname(path).replace(/^electron\//, '')}/`)
  const tests = [...imports.keys()].filter((path) => partOfFile(path) !== null)
  const near = reaching(changed, mostSteps)
  // End-to-end tests run the built program: they import only types of it, and their own helpers.
  const helpers = reaching(
    changed.filter((path) => path.startsWith('tests/')),
    mostSteps,
  )
  const chosen = tests.filter((path) =>
    partOfFile(path) === 'unit'
      ? near.has(path) || folders.some((folder) => path.startsWith(folder))
      : helpers.has(path),
  )
  const all = reaching(changed, Infinity)
  const further = tests.filter(
    (path) => partOfFile(path) === 'unit' && all.has(path) && !chosen.includes(path),
  )
  const components = changed.filter((path) => path.endsWith('.vue') && imports.has(path))
  const selection = Object.groupBy(chosen, partOfFile)
  selection.checks = checks.flatMap((check) =>
    check.name !== 'lint-components'
      ? [check]
      : components.length === 0
        ? []
        : [{ ...check, args: check.args.flatMap((word) => (word === 'renderer' ? components : [word])) }],
  )
  const left = [
    ...(further.length > 0 ? [`${further.length} test files that reach the change over more imports`] : []),
    'other components’ lint, end-to-end tests, real waits and packaging (npm test runs everything)',
  ].join('; ')
  return { selection, left }
}

const record = join(remembered, 'failed.json')
/** What failed in the last red run, or null. */
export function failedLast(file = record) {
  if (!existsSync(file)) return null
  const { names, files, whole } = JSON.parse(readFileSync(file, 'utf8'))
  const { selection } = named([...whole, ...files.filter((path) => existsSync(join(root, path)))])
  const again = checks.filter(({ name }) => names.includes(name))
  if (again.length > 0) selection.checks = again
  return Object.keys(selection).length === 0 ? null : selection
}

/** Keeps what failed, for `failed`; a green run of everything or of what had failed clears it. */
export function keepFailed(results, complete, file = record) {
  const red = results.filter(({ failed }) => failed > 0)
  if (red.length === 0) return complete ? rmSync(file, { force: true }) : undefined
  const failing = ({ files = [] }) => files.filter(({ failed }) => failed).map(({ path }) => path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    JSON.stringify({
      names: red.map(({ name }) => name),
      // A part that failed outside its tests is repeated as a whole.
      whole: red
        .filter((one) => parts.includes(one.name) && failing(one).length === 0)
        .map(({ name }) => name),
      files: red.flatMap(failing),
    }),
  )
}
