// npm test: everything a change must pass. The last line is the count. CONTRIBUTING.md names the arguments.
import { build } from './build.mjs'
import { openShell } from './electron-binary.mjs'
import { giveUp, onNode24, wrongUsage } from './prepare.mjs'
import { needSystemPackages, trySystemPackage } from './system-packages.mjs'
import { changedFiles, failedLast, keepFailed, named, parts, touchedBy } from './test-selection.mjs'
import { browser, checking, conclude, inOrder, processorSecondsOfLast, suite, unit } from './test-steps.mjs'

const node = await onNode24(import.meta.url)
const words = process.argv.slice(2).filter((word) => word !== '--times')
const selection = selected()

const tested = Object.keys(selection).filter((part) => part !== 'checks')
if (tested.length > 0) needSystemPackages(['libsecret-1-0', 'gnome-keyring', 'dbus'], 'the test suite')
const inBrowser = tested.filter((part) => part !== 'unit')
const shell = inBrowser.length > 0 ? await openShell(node) : null
if (shell?.mode === 'stand-in') trySystemPackage('chromium-headless-shell', 'the test suite takes less time')

/** A project of Playwright, with parallel tests. */
const browsing = (part, processors, atOnce) => ({
  processors,
  run: async () => {
    await build(node)
    return suite(node, browser(part, shell, atOnce, selection[part]))
  },
})
/**
 * Work that waits most of its time begins at once, beside everything else. Then comes work for one processor, the longest first, so that
 * both end together, and then work for both.
 */
const work = {
  waits: () => [browsing('waits', 0, 6)],
  // Its files pack into the same folder.
  packaging: () => [browsing('packaging', 0, 1)],
  checks: () => checking(node, selection.checks),
  'stand-in': () => [browsing('stand-in', 1, 1)],
  unit: () => [{ processors: 2, run: () => suite(node, unit(selection.unit)) }],
  // An end-to-end test waits for its programs more than a third of its time: three keep two processors busy, and a fourth gains nothing.
  e2e: () => [browsing('e2e', 2, 3)],
}
const building = {
  processors: 1,
  run: async () => {
    await build(node)
    processorSecondsOfLast()
    return null
  },
}
const results = await inOrder([
  ...(inBrowser.length > 0 ? [building] : []),
  ...Object.entries(work).flatMap(([part, steps]) => (part in selection ? steps() : [])),
])
keepFailed(results, words.length === 0 || words[0] === 'failed')
conclude(results, process.argv.includes('--times') ? 10 : 0)

/** The parts to run, each with its files (none: all) or checks. */
function selected() {
  if (words.length === 0) return named(parts).selection
  if (words[0] === 'failed' && words.length === 1)
    return failedLast() ?? giveUp('no test failed last: there is nothing to run', wrongUsage)
  if (words[0] === 'changed' && words.length <= 2) {
    const change =
      changedFiles(words[1]) ?? giveUp(`git knows no revision "${words[1]}" to compare with`, wrongUsage)
    if (change.files.length === 0)
      giveUp(`nothing has changed since ${change.since}: there is nothing to run`, wrongUsage)
    const { selection: touched, left } = touchedBy(change.files)
    process.stdout.write(`${change.files.length} files changed since ${change.since}\nleft out: ${left}\n`)
    return touched
  }
  const { selection: chosen, unknown } = named(words)
  return unknown.length === 0
    ? chosen
    : giveUp(
        `no such part or test file: ${unknown.join(', ')}. There are ${parts.join(', ')}, changed, failed, and the files below tests/`,
        wrongUsage,
      )
}
