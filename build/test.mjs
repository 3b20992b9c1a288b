// npm test: everything a change must pass. The last line counts it.
import { build } from './build.mjs'
import { openShell } from './electron-binary.mjs'
import { onNode24 } from './prepare.mjs'
import { allChecks, browser, conclude, suite, unit } from './steps.mjs'
import { needSystemPackages } from './system-packages.mjs'

const node = await onNode24(import.meta.url)
needSystemPackages(['chromium', 'libsecret-1-0', 'gnome-keyring', 'dbus'], 'the test suite')
const shell = await openShell(node)

const results = await allChecks(node)
results.push(await suite(node, unit))
await build(node)
results.push(await suite(node, browser('stand-in', 'stand-in', shell)))
results.push(await suite(node, browser('journeys', 'journeys', shell)))
results.push(await suite(node, browser('packaging', 'packaging', shell)))
conclude(results)
