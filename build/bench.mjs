// npm run bench [name] [--short] [--json]: runs tests/bench/*.ts; each exports run(), which returns figures and
// ratios. --short: without those in real time, and with small fleets.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openShell } from './electron-binary.mjs'
import { giveUp, onNode24, root, say, wrongUsage } from './prepare.mjs'
import { needSystemPackages } from './system-packages.mjs'

const node = await onNode24(import.meta.url)
const folder = join(root, 'tests', 'bench')
const isShort = process.argv.includes('--short')
const given = process.argv.slice(2).filter((argument) => !['--json', '--short'].includes(argument))
const requested =
  isShort && given.length === 0
    ? ['call-budget', 'definitions', 'explorer', 'fleet', 'styles', 'view']
    : given
if (isShort) process.env['HEADROOM_DEVICES'] ??= '2000'
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
const unknown = requested.filter((name) => !names.includes(name))
if (unknown.length > 0)
  giveUp(`no such benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}`, wrongUsage)

// Some run the built app, some store keys.
needSystemPackages(['libsecret-1-0', 'gnome-keyring', 'dbus'], 'a benchmark')
await openShell(node)

/** Prints rows of plain values as a table, everything else unchanged. */
function show(value) {
  for (const [name, one] of Object.entries(value)) {
    const rows =
      Array.isArray(one) &&
      one.length > 0 &&
      one.every((row) => Object.values(row).every((cell) => typeof cell !== 'object'))
    if (rows) console.table(one)
    else console.dir({ [name]: one }, { depth: null })
  }
}

const figures = {}
for (const name of names.filter((n) => requested.length === 0 || requested.includes(n))) {
  say(`benchmark ${name}`)
  const { run } = await import(pathToFileURL(join(folder, `${name}.ts`)).href)
  if (typeof run !== 'function') continue
  figures[name] = await run()
  if (!process.argv.includes('--json')) {
    console.log(`\n${name}`)
    show(figures[name])
  }
}
// A single benchmark prints only its figures, in the last line.
if (process.argv.includes('--json'))
  console.log(JSON.stringify(requested.length === 1 ? figures[requested[0]] : figures))
process.exit(0)
