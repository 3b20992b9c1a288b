// npm run proof: whether Headroom works on this computer. `-- PART`: what is too long for npm test, with every case; `-- all` every part.
// `--again` begins anew, `--json` prints one document. Exit codes: 0 everything ran and passed, 1 it did not, 2 bad input, 3 a part cannot
// run here, 130 interrupted. A part is a file of tests/proof.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { giveUp, onNode24, root, wrongUsage } from './prepare.mjs'
import { testFolder } from './test-steps.mjs'

const folder = join(root, 'tests', 'proof')
const parts = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
const given = process.argv.slice(2)
const named = given.filter((word) => !['--again', '--json'].includes(word))
const requested = named.length === 0 ? ['computer'] : named
const unknown = requested.filter((name) => name !== 'all' && !parts.includes(name))
if (unknown.length > 0)
  giveUp(`no such part: ${unknown.join(', ')}. There are: ${[...parts, 'all'].join(', ')}`, wrongUsage)
await onNode24(import.meta.url)
const { prove } = await import(pathToFileURL(join(folder, 'runner', 'prove.ts')).href)
const temporary = testFolder()
process.env.TMPDIR = temporary
const names = parts.filter((name) => requested.includes('all') || requested.includes(name))
const code = await prove(names, given.includes('--again'), given.includes('--json'))
rmSync(temporary, { recursive: true, force: true })
process.exit(code)
