// npm run package: builds and packs Headroom for this system; arguments go to electron-builder. `-- --cli` packs the command line alone,
// `-- --cli --quick` with less compression, `-- --all` the command line of every system. `-- --validate` checks the configuration alone.
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { build } from './build.mjs'
import { archiveName, ownSystem, pack, systems, writeCommandLine } from './command-line.mjs'
import { onNode24, root, run, say } from './prepare.mjs'
import { removeOtherVersions, writeSums } from './release-files.mjs'

const node = await onNode24(import.meta.url)
const configuration = join('build', 'electron-builder.yml')
const given = process.argv.slice(2)
/** `--to=FOLDER`, for the command line alone. */
const release = resolve(root, given.find((word) => word.startsWith('--to='))?.slice(5) ?? 'release')
if (given.includes('--validate')) await validate()
else {
  await build(node)
  removeOtherVersions(release, createRequire(import.meta.url)('../package.json').version)
  if (given.includes('--cli') || given.includes('--all'))
    await packCommandLines(given.includes('--all') ? systems : [ownSystem], given.includes('--quick') ? 0 : 6)
  else process.exitCode = await packWindow(given)
  await writeSums(release)
}

async function packCommandLines(chosen, level) {
  for (const system of chosen) {
    const folder = join(release, archiveName(system))
    writeCommandLine(node, system, folder)
    const file = await pack(folder, archiveName(system), release, level)
    rmSync(folder, { recursive: true })
    say(`wrote ${relative(root, file)}`)
  }
}

async function packWindow(words) {
  await validate()
  return run(node, [
    join(root, 'node_modules', 'electron-builder', 'cli.js'),
    '--config',
    configuration,
    '--publish',
    'never',
    ...words,
  ])
}

/** Checks the configuration against electron-builder's own schema, without network or packing; throws with the errors. */
async function validate() {
  // electron-builder's own validator, so that this check and packaging give the same result.
  const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config')
  const { DebugLogger } = require('builder-util')
  await validateConfiguration(await getConfig(root, configuration, null), new DebugLogger(false))
  say(`${configuration} keeps to electron-builder's schema`)
}
