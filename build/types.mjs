// Types of every project: vue-tsc for the renderer, TypeScript's native compiler for the others, which read the declarations of components.
// `--quick` (npm run typecheck) leaves the tests of pages out.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { onNode24, root } from './prepare.mjs'
import { toItsEnd } from './test-steps.mjs'

const node = await onNode24(import.meta.url)
const tool = (...path) => join(root, 'node_modules', ...path)
const native = (...args) => [tool('typescript-native', 'bin', 'tsc'), ...args]

// The native compiler does not notice that the sentences changed, because they are JSON.
const contract = ['electron', 'contract']
const declarations = join(root, 'node_modules', '.cache', 'headroom', 'declarations', ...contract)
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (
  changedAt(join(root, ...contract, 'sentences', 'en.json')) >
  changedAt(join(declarations, 'sentences', 'sentences.d.ts'))
)
  rmSync(join(declarations, 'tsconfig.tsbuildinfo'), { force: true })

/** Each after the one before, because a project reads the declarations of those that it refers to; the commands of one step run in parallel. */
const steps = [
  [native('-b', 'electron/contract')],
  [[tool('vue-tsc', 'bin', 'vue-tsc.js'), '-p', 'renderer'], native('-b', 'electron/main', 'build', 'tests')],
  // Not built: it would build the renderer again, without components.
  ...(process.argv.includes('--quick') ? [] : [[native('-p', 'tests/renderer')]]),
]
for (const commands of steps) {
  const ended = await Promise.all(commands.map((args) => toItsEnd(node, args, {}, null)))
  process.stdout.write(ended.map(({ output }) => output).join(''))
  if (ended.some(({ code }) => code !== 0)) process.exit(1)
}
