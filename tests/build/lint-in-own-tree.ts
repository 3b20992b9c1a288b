import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

/** Code by its file. */
export type Files = Readonly<Record<string, string>>

/** The reported rules by file, in the order of the report. A file without an error is absent. */
export type Findings = Readonly<Record<string, readonly string[]>>

/**
 * The output of the linter over these files in a tree and a process of their own, with the project's rules. Inside the test process
 * ESLint would share the compiler's state with other tests, and would choose another way to get types where CI is set.
 */
async function printed(
  files: Files,
  linter: string,
  options: readonly string[],
): Promise<{ readonly tree: string; readonly report: unknown }> {
  const tree = await realpath(await mkdtemp(join(tmpdir(), 'headroom-lint-')))
  const tsconfig =
    '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["**/*.ts", "**/*.vue"] }'
  const configured = { ...files, 'tsconfig.json': tsconfig, 'renderer/tsconfig.json': tsconfig }
  for (const [file, code] of Object.entries(configured)) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), `${code}\n`)
  }
  for (const own of [
    'build/eslint-component-parser.js',
    'build/eslint-local-rules.js',
    'eslint.config.js',
    '.oxlintrc.json',
    'package.json',
  ])
    await cp(join(root, own), join(tree, own))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  const command = [join(root, 'node_modules', linter), '--format=json', ...options]
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: tree,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error)
  return { tree, report: JSON.parse(stdout) }
}

const byFile = (findings: readonly (readonly [file: string, rule: string])[]): Findings =>
  Object.fromEntries(
    Object.entries(Object.groupBy(findings, ([file]) => file)).map(([file, own = []]) => [
      file,
      own.map(([, rule]) => rule),
    ]),
  )

/** What ESLint reports for these components. A component that cannot be read is reported as `unreadable`. */
export async function eslintIn(components: Files): Promise<Findings> {
  const { tree, report } = await printed(components, 'eslint/bin/eslint.js', ['renderer'])
  const results = report as readonly {
    readonly filePath: string
    readonly messages: readonly { readonly ruleId: string | null }[]
  }[]
  return byFile(
    results.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId }) => [relative(tree, filePath), ruleId ?? 'unreadable'] as const),
    ),
  )
}

/** What oxlint reports for these files. */
export async function oxlintIn(files: Files, ...options: readonly string[]): Promise<Findings> {
  const { report } = await printed(files, 'oxlint/bin/oxlint', options)
  const { diagnostics } = report as {
    readonly diagnostics: readonly { readonly filename: string; readonly code: string }[]
  }
  return byFile(
    diagnostics.map(({ filename, code }) => [
      filename,
      code.replace(/^(?:eslint\()?(.*?)\)?$/, '$1').replace('(', '/'),
    ]),
  )
}
