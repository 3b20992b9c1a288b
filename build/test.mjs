// npm test: everything a change must pass. The last line is the count. `npm test -- e2e packaging` runs only the named parts.
import { build } from './build.mjs'
import { openShell } from './electron-binary.mjs'
import { giveUp, onNode24 } from './prepare.mjs'
import { browser, checking, conclude, inOrder, suite, unit } from './test-steps.mjs'
import { needSystemPackages } from './system-packages.mjs'

const node = await onNode24(import.meta.url)
const all = ['checks', 'unit', 'waits', 'stand-in', 'e2e', 'packaging']
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !all.includes(name))
if (unknown.length > 0) giveUp(`no such part: ${unknown.join(', ')}. There are: ${all.join(', ')}`)
const parts = requested.length === 0 ? all : all.filter((name) => requested.includes(name))

needSystemPackages(['libsecret-1-0', 'gnome-keyring', 'dbus'], 'the test suite')
const shell = await openShell(node)

/** A project of Playwright, with parallel tests. */
const browsing = (name, processors, atOnce) => ({
  processors,
  run: async () => {
    await build(node)
    return suite(node, browser(name, shell, atOnce))
  },
})
/**
 * Work for one processor comes first, so that both are used. Work that only waits runs in parallel with work
 * for both.
 */
const work = {
  checks: checking(node),
  'stand-in': [browsing('stand-in', 1, 1)],
  packaging: [browsing('packaging', 1, 1)],
  unit: [{ processors: 2, run: () => suite(node, unit) }],
  waits: [browsing('waits', 0, 6)],
  // An end-to-end test waits for its programs more than a third of its time: three keep two processors busy, and a fourth gains nothing.
  e2e: [browsing('e2e', 2, 3)],
}
const building = { processors: 1, run: () => build(node).then(() => null) }
const needsBuild = parts.some((part) => part !== 'checks' && part !== 'unit')
conclude(
  await inOrder([
    ...(needsBuild ? [building] : []),
    ...Object.entries(work)
      .filter(([name]) => parts.includes(name))
      .flatMap(([, some]) => some),
  ]),
)
