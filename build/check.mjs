// npm run check: types, lint, format, dead code and directions, without a test. `npm run check -- lint format` runs the named ones alone.
import { longFiles } from './long-files.mjs'
import { giveUp, onNode24, root, wrongUsage } from './prepare.mjs'
import { checking, checks, conclude, inOrder } from './test-steps.mjs'

const node = await onNode24(import.meta.url)
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0)
  giveUp(
    `no such check: ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}`,
    wrongUsage,
  )
const results = await inOrder(
  checking(
    node,
    checks.filter(({ name }) => requested.length === 0 || requested.includes(name)),
  ),
)
for (const { path, lines } of longFiles(root)) process.stdout.write(`over 400 lines: ${path} (${lines})\n`)
conclude(results)
