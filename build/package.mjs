// npm run package: builds and packs Headroom for this system; arguments go to electron-builder. `-- --cli` packs the command line alone,
// `-- --cli --quick` with less compression, `-- --all` the command line of every system. `-- --validate` checks the configuration alone.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { build } from './build.mjs'
import { archiveName, nodeVersion, ownSystem, pack, systems, writeCommandLine } from './command-line.mjs'
import { onNode24, root, run, say } from './prepare.mjs'
import { removeOtherVersions, writeSums } from './release-files.mjs'
import { sbomOf } from './sbom.mjs'
import { packagesFile } from './third-party-notices.mjs'

const node = await onNode24(import.meta.url)
const configuration = join('build', 'electron-builder.yml')
const given = process.argv.slice(2)
const parsed = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const manifest = parsed('package.json')
/** `--to=FOLDER`, for the command line alone. */
const release = resolve(root, given.find((word) => word.startsWith('--to='))?.slice(5) ?? 'release')
/** The runtimes that were packed, as they are shipped. */
const runtimes = []

/** The folders of electron-builder, and what in them is Electron's. */
const inMac = join('Headroom.app', 'Contents')
const electronOfMac = join(inMac, 'Frameworks', 'Electron Framework.framework', 'Electron Framework')
const windows = [
  ['linux-unpacked', 'linux-x64', 'headroom-window.bin', 'resources'],
  ['linux-arm64-unpacked', 'linux-arm64', 'headroom-window.bin', 'resources'],
  ['win-unpacked', 'win-x64', 'Headroom.exe', 'resources'],
  ['win-arm64-unpacked', 'win-arm64', 'Headroom.exe', 'resources'],
  ['mac', 'mac-x64', electronOfMac, join(inMac, 'Resources')],
  ['mac-arm64', 'mac-arm64', electronOfMac, join(inMac, 'Resources')],
]
const runtimeName = (system) => (system.startsWith('win-') ? 'node.exe' : 'node')

/** A placeholder is none. */
function add(name, version, system, file) {
  const path = join(release, file)
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  if (bytes.length > 1024) runtimes.push({ name, version, license: 'MIT', system, bytes })
}

function writeBill() {
  const packages = JSON.parse(readFileSync(packagesFile(root), 'utf8'))
  const bill = sbomOf({ manifest, lock: parsed('package-lock.json'), packages, runtimes })
  const file = join(release, `headroom-${manifest.version}.cdx.json`)
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
}

async function packCommandLines(chosen, level) {
  for (const system of chosen) {
    const folder = join(release, archiveName(system))
    writeCommandLine(node, system, folder)
    add('node', nodeVersion, system, join(archiveName(system), 'runtime', runtimeName(system)))
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

if (given.includes('--validate')) await validate()
else {
  await build(node)
  removeOtherVersions(release, manifest.version)
  if (given.includes('--cli') || given.includes('--all'))
    await packCommandLines(given.includes('--all') ? systems : [ownSystem], given.includes('--quick') ? 0 : 6)
  else {
    process.exitCode = await packWindow(given)
    for (const [folder, system, program, resources] of windows) {
      add('electron', parsed('node_modules/electron/package.json').version, system, join(folder, program))
      add('node', nodeVersion, system, join(folder, resources, 'cli', 'runtime', runtimeName(system)))
    }
  }
  writeBill()
  await writeSums(release)
}
