// npm test: everything a change must pass. The last line counts it. `npm test -- journeys packaging` runs the named parts alone.
import { build } from './build.mjs'
import { openShell } from './electron-binary.mjs'
import { giveUp, onNode24 } from './prepare.mjs'
import { allChecks, browser, conclude, suite, unit } from './steps.mjs'
import { needSystemPackages } from './system-packages.mjs'

const node = await onNode24(import.meta.url)
const all = ['checks', 'unit', 'waits', 'stand-in', 'journeys', 'packaging']
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) giveUp(`no such part: ${unknown.join(', ')}. There are: ${all.join(', ')}`)
const parts = asked.length === 0 ? all : all.filter((name) => asked.includes(name))

needSystemPackages(['chromium', 'libsecret-1-0', 'gnome-keyring', 'dbus'], 'the test suite')
const shell = await openShell(node)

const results = []
for (const part of parts) {
  if (part === 'checks') results.push(...(await allChecks(node)))
  else if (part === 'unit') results.push(await suite(node, unit))
  else {
    await build(node)
    results.push(await suite(node, browser(part, shell)))
  }
}
conclude(results)
