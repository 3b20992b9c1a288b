// npm run package: builds and packs Headroom for this system, the window with its installers and the archive of the command line.
// `-- --all` packs all six systems, `-- --systems=win-x64,win-arm64` these; `--cli` the archive alone, `--dir` the program without
// installers; `--quick` with less compression, `--to=FOLDER` elsewhere. `--release` refuses what is incomplete, `--signed` what
// has no certificate. `--validate` checks the configuration alone.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { build } from './build.mjs'
import {
  archiveName,
  missingIn,
  ownSystem,
  pack,
  runtimeIn,
  systems,
  writeCommandLine,
} from './command-line.mjs'
import { findElectron } from './electron-binary.mjs'
import { electronVersion, packedPlaces, standInMark, writeElectronFolder } from './electron-folder.mjs'
import { nodeVersion } from './node-runtimes.mjs'
import { giveUp, onNode24, remembered, root, run, say, wrongUsage } from './prepare.mjs'
import { removeOtherVersions, writeSums } from './release-files.mjs'
import { sbomOf } from './sbom.mjs'
import { findProgram, trySystemPackage } from './system-packages.mjs'
import { packagesFile } from './third-party-notices.mjs'

const node = await onNode24(import.meta.url)
const configuration = join('build', 'electron-builder.yml')
const given = process.argv.slice(2)
const has = (word) => given.includes(word)
const valueOf = (name) => given.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
const chosen = has('--all') ? systems : (valueOf('--systems')?.split(',') ?? [ownSystem])
const wrong = [
  ...given.filter((word) => !/^--(all|cli|dir|quick|release|signed|validate|systems=.+|to=.+)$/.test(word)),
  ...chosen.filter((system) => !systems.includes(system)),
]
if (wrong.length > 0)
  giveUp(
    `not understood: ${wrong.join(' ')}. See the top of build/package.mjs; the systems are ${systems.join(', ')}`,
    wrongUsage,
  )
const parsed = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const manifest = parsed('package.json')
const release = resolve(root, valueOf('--to') ?? 'release')
/** The runtimes that were packed, as they are shipped. */
const runtimes = []
/** A sentence for each package that nobody may get. */
const incomplete = []

const standInReason = 'Electron is a stand-in'
const windowFor = (system) => `the window for ${system}`

/** Notes what a package ships of a runtime, and why it is incomplete. */
function look(name, system, commandLine, electron) {
  const reasons = missingIn(commandLine, system)
  const add = (of, version, file) =>
    runtimes.push({ name: of, version, license: 'MIT', system, bytes: readFileSync(file) })
  if (reasons.length === 0) add('node', nodeVersion, runtimeIn(commandLine, system))
  if (electron !== undefined) {
    if (readFileSync(electron).includes(standInMark)) reasons.push(standInReason)
    else add('electron', electronVersion(), electron)
    if (system.startsWith('mac-') && process.platform !== 'darwin')
      reasons.push('only macOS can sign it, and ends it unsigned')
  }
  if (reasons.length > 0) incomplete.push(`${name} is incomplete: ${reasons.join('; ')}`)
}

async function packCommandLine(system) {
  // Of the window, if it was packed: there its programs are signed.
  const inWindow = join(packedPlaces(release, system).resources, 'cli')
  const own = join(release, archiveName(system))
  const folder = has('--cli') ? own : inWindow
  if (folder === own) await writeCommandLine(node, system, own)
  look(archiveName(system), system, folder)
  const file = await pack(folder, archiveName(system), release, has('--quick') ? 0 : 6)
  rmSync(own, { recursive: true, force: true })
  say(`wrote ${relative(root, file)}`)
}

const installers = { linux: ['deb', 'rpm', 'AppImage'], win: ['nsis', 'msi'], mac: ['dmg', 'pkg'] }

let isOnline
/** Why an installer cannot be made here; null: it can. */
async function cannotMake(installer) {
  const needs = async (file, debian) => {
    trySystemPackage(debian, `an installer (${installer}) is made`)
    return findProgram(file) === undefined ? `${file} is not installed` : null
  }
  isOnline ??= fetch('https://github.com', { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  )
  const downloads = async () =>
    (await isOnline) ? null : 'electron-builder downloads its tools from github.com, which cannot be reached'
  return {
    deb: () => needs('dpkg-deb', 'dpkg'),
    rpm: () => needs('rpmbuild', 'rpm'),
    AppImage: downloads,
    nsis: downloads,
    msi: () => (process.platform === 'win32' ? downloads() : 'only Windows can make it'),
    dmg: () => (process.platform === 'darwin' ? null : 'only macOS can make it'),
    pkg: () => (process.platform === 'darwin' ? null : 'only macOS can make it'),
  }[installer]()
}

/** Returns electron-builder's exit code. */
async function packWindow(system) {
  const [os, arch] = system.split('-')
  const targets = []
  for (const installer of has('--dir') ? [] : installers[os]) {
    const reason = await cannotMake(installer)
    if (reason === null) targets.push(installer)
    else incomplete.push(`${system} has no ${installer}: ${reason}`)
  }
  const standIn = join(remembered, 'electron', system)
  if (findElectron() === undefined) writeElectronFolder(system, standIn)
  const code = await run(node, [
    join(root, 'node_modules', 'electron-builder', 'cli.js'),
    '--config',
    configuration,
    '--publish',
    'never',
    `--${os}`,
    ...(targets.length === 0 ? ['dir'] : targets),
    `--${arch}`,
    `-c.directories.output=${release}`,
    ...(findElectron() === undefined ? [`-c.electronDist=${standIn}`] : []),
    ...(has('--signed') ? ['-c.forceCodeSigning=true'] : []),
  ])
  if (code !== 0) return code
  const { electron, resources } = packedPlaces(release, system)
  look(windowFor(system), system, join(resources, 'cli'), electron)
  return 0
}

function writeBill() {
  const packages = JSON.parse(readFileSync(packagesFile(root), 'utf8'))
  const bill = sbomOf({ manifest, lock: parsed('package-lock.json'), packages, runtimes })
  const of = chosen === systems ? '' : `-${chosen.join('-')}`
  const file = join(release, `headroom-${manifest.version}${of}.cdx.json`)
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
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

async function packAll() {
  removeOtherVersions(release, manifest.version)
  mkdirSync(release, { recursive: true })
  if (has('--release') && !has('--cli') && findElectron() === undefined) {
    incomplete.push(...chosen.map((system) => `${windowFor(system)} is incomplete: ${standInReason}`))
    return ended()
  }
  await build(node)
  if (!has('--cli')) {
    await validate()
    process.env.CUSTOM_FPM_PATH = join(root, 'build', 'linux-package.mjs')
    if (has('--quick')) process.env.HEADROOM_PACKED_QUICKLY = '1'
    for (const system of chosen) {
      const code = await packWindow(system)
      if (code !== 0) return code
    }
  }
  if (!has('--dir')) for (const system of chosen) await packCommandLine(system)
  return ended()
}

/** Says what is incomplete, and finishes the release or refuses it. Returns the exit code. */
async function ended() {
  for (const sentence of incomplete) say(sentence)
  const list = join(release, 'INCOMPLETE')
  rmSync(list, { force: true })
  if (incomplete.length > 0) writeFileSync(list, incomplete.map((sentence) => `${sentence}\n`).join(''))
  if (has('--release') && incomplete.length > 0) {
    say('this is no release: the lines above name what is missing')
    rmSync(join(release, 'SHA256SUMS'), { force: true })
    return 1
  }
  writeBill()
  await writeSums(release)
  return 0
}

if (has('--validate')) await validate()
else process.exitCode = await packAll()
