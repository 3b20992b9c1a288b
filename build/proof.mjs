// npm run proof -- PART [--again]: what is too long for npm test, with every case; `all` runs every part. Exit codes: 0 everything ran and
// passed, 1 it did not, 2 bad input, 3 a part cannot run here, 130 interrupted. A part is a file of tests/proof.
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
const requested = given.filter((word) => word !== '--again')
const unknown = requested.filter((name) => name !== 'all' && !parts.includes(name))
if (requested.length === 0 || unknown.length > 0)
  giveUp(
    `${unknown.length > 0 ? `no such part: ${unknown.join(', ')}` : 'name a part to prove'}. There are: ${[...parts, 'all'].join(', ')}`,
    wrongUsage,
  )
await onNode24(import.meta.url)
const { prove } = await import(pathToFileURL(join(folder, 'runner', 'prove.ts')).href)
const temporary = testFolder()
process.env.TMPDIR = temporary
const names = parts.filter((name) => requested.includes('all') || requested.includes(name))
const code = await prove(names, given.includes('--again'))
rmSync(temporary, { recursive: true, force: true })
process.exit(code)
