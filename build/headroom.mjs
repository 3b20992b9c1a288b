// npm run --silent headroom -- …: the command line, built when needed. Standard output is the command's alone.
import { join } from 'node:path'
import { build } from './build.mjs'
import { prepare, programEnvironment, root, run } from './prepare.mjs'

// No second start of this script on Node 24: the command itself runs there, so the way to it stays short.
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
