// npm run --silent headroom -- …: the command line, built if needed. Standard output contains only the output
// of the command.
import { join } from 'node:path'
import { build } from './build.mjs'
import { prepare, programEnvironment, root, run } from './prepare.mjs'

// This script does not restart itself on Node 24; the command does, which saves a start.
const node = prepare()
await build(node)
process.exitCode = await run(
  node,
  ['--disable-warning=ExperimentalWarning', join(root, 'out', 'main', 'cli.js'), ...process.argv.slice(2)],
  {
    cwd: process.cwd(),
    env: programEnvironment(),
  },
)
