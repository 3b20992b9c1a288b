// The command line as a folder of its own: Node's runtime, the built program and its native modules, for one system.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { nodeFor, nodeVersion } from './node-runtimes.mjs'
import { remembered, root } from './prepare.mjs'
import { findProgram, trySystemPackage } from './system-packages.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The names of systems in packages of Node, and in those of the keychain's module. */
const keychains = { linux: 'linux', win: 'win32', mac: 'darwin' }
export const systems = Object.keys(keychains).flatMap((system) => [`${system}-x64`, `${system}-arm64`])
export const ownSystem = `${{ win32: 'win', darwin: 'mac' }[process.platform] ?? process.platform}-${process.arch}`
export const archiveName = (system) => `headroom-cli-${manifest.version}-${system}`

const placeholder = 'placeholder: node'

export const runtimeIn = (folder, system) =>
  join(folder, 'runtime', system.startsWith('win-') ? 'node.exe' : 'node')

/** What a written folder lacks, as reasons why its package is incomplete. */
export function missingIn(folder, system) {
  const runtime = readFileSync(runtimeIn(folder, system)).subarray(0, placeholder.length)
  return [
    ...(runtime.equals(Buffer.from(placeholder))
      ? [`Node ${nodeVersion} for ${system} could not be fetched`]
      : []),
    ...(system.startsWith('win-') && !existsSync(join(folder, 'bin', 'headroom.exe'))
      ? ['bin/headroom.exe needs a compiler (Debian: gcc-mingw-w64-x86-64-win32)']
      : []),
  ]
}

/** Writes the folder anew. `node`: runs the built command line, which writes its own completions and manual page. */
export async function writeCommandLine(node, system, folder) {
  rmSync(folder, { recursive: true, force: true })
  const isWindows = system.startsWith('win-')
  const at = (...path) => {
    const file = join(folder, ...path)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  if (isWindows) writeLauncherForWindows(at('bin', 'headroom.exe'))
  else copyExecutable(join(root, 'build', 'launchers', 'headroom.sh'), at('bin', 'headroom'))
  const runtime = runtimeIn(folder, system)
  mkdirSync(dirname(runtime), { recursive: true })
  const published = await nodeFor(system)
  if (published === null) writeFileSync(runtime, `${placeholder} ${nodeVersion} ${system}\n`)
  else copyExecutable(published, runtime)
  // The same on every system; what is fetched for some of them lacks it.
  copyFileSync(join(root, 'build', 'licences', 'node.txt'), at('LICENSE.node'))
  copyFileSync(join(root, 'LICENSE'), at('LICENSE'))
  const notices = 'third-party-notices.txt'
  copyFileSync(join(root, 'out', 'renderer', notices), at(notices))
  const says = (...words) => {
    const { status, stdout } = spawnSync(node, [join(root, 'out', 'main', 'cli.js'), ...words])
    if (status !== 0) throw new Error(`headroom ${words.join(' ')} ended with ${status}`)
    return stdout
  }
  writeFileSync(at('share', 'man', 'man1', 'headroom.1'), says('help', '--man'))
  const completions = {
    bash: 'headroom.bash',
    zsh: '_headroom',
    fish: 'headroom.fish',
    powershell: 'headroom.ps1',
  }
  for (const [shell, file] of Object.entries(completions))
    writeFileSync(at('share', 'completions', file), says('completion', shell))
  writeProgram(system, join(folder, 'program'))
}

/** From Debian's mingw-w64, or a runner's; the one for x64 also runs on arm64. */
function writeLauncherForWindows(file) {
  trySystemPackage('gcc-mingw-w64-x86-64-win32', 'a launcher for Windows is compiled')
  const compiler = ['x86_64-w64-mingw32-gcc', ...(process.platform === 'win32' ? ['gcc.exe'] : [])].find(
    (name) => findProgram(name) !== undefined,
  )
  if (compiler === undefined) return
  const source = join(root, 'build', 'launchers', 'headroom.c')
  // Without a library of C: it imports Windows itself and nothing else.
  const options = ['-Os', '-Wall', '-Wextra', '-Werror', '-nostdlib', '-ffreestanding', '-mconsole', '-s']
  const linked = ['-Wl,-e,start', '-Wl,--no-insert-timestamp', '-lkernel32']
  const { status } = spawnSync(compiler, [...options, source, '-o', file, ...linked], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`${compiler} ended with ${status}`)
}

/** Only what the command line needs: main.js is the window's. */
function writeProgram(system, program) {
  cpSync(join(root, 'out', 'main'), join(program, 'out', 'main'), {
    recursive: true,
    filter: (file) => file !== join(root, 'out', 'main', 'main.js'),
  })
  copyFileSync(join(root, 'out', 'commit'), join(program, 'out', 'commit'))
  const { name, version, type } = manifest
  writeFileSync(join(program, 'package.json'), JSON.stringify({ name, version, type }))
  const [os = '', arch = ''] = system.split('-')
  const kept = [
    ['@gnaudio/jabra-properties-definition'],
    ['keytar', 'package.json', 'LICENSE.md', 'lib', join('prebuilds', `${keychains[os]}-${arch}`)],
  ]
  for (const [module, ...parts] of kept)
    for (const part of parts.length === 0 ? [''] : parts)
      cpSync(join(root, 'node_modules', module, part), join(program, 'node_modules', module, part), {
        recursive: true,
      })
  writeSizes(system, program)
}

/**
 * `sizes.json` shows a file that was cut or lost. macOS signs a native module, which makes it longer, and then nothing beside it may change:
 * its size is not written.
 */
export function writeSizes(system, program) {
  const isMeasured = (file) => file !== 'sizes.json' && !(system.startsWith('mac-') && file.endsWith('.node'))
  const sizes = filesIn(program)
    .filter(isMeasured)
    .map((file) => [file, statSync(join(program, file)).size])
  writeFileSync(join(program, 'sizes.json'), JSON.stringify(Object.fromEntries(sizes)))
}

function copyExecutable(from, to) {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o755)
}

/** The folder for one system that packages of the window take. */
export const stagedFolder = (system) => join(remembered, 'command-line', system)

/** Files below a folder, sorted by their path with slashes. */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()

/**
 * Packs the folder, which has the archive's name inside it; returns the file. `level`: of xz. Two packings of the
 * same folder are equal.
 */
export async function pack(folder, name, release, level) {
  const file = join(release, `${name}.${name.includes('-win-') ? 'zip' : 'tar.xz'}`)
  mkdirSync(release, { recursive: true })
  if (file.endsWith('.zip')) {
    const { zipSync } = await import('fflate')
    const entries = filesIn(folder).map((path) => [
      `${name}/${path}`,
      [readFileSync(join(folder, path)), { mtime: new Date(1980, 0, 1), level: 9 }],
    ])
    writeFileSync(file, zipSync(Object.fromEntries(entries)))
    return file
  }
  const xz = spawn('xz', ['--compress', '--stdout', '--threads=4', `-${level}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve, reject) => {
    xz.on('error', () => reject(new Error('xz is not installed: archives need it')))
    xz.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`xz ended with ${code}`))))
  })
  // The process's own error is reported.
  xz.stdin.on('error', () => undefined)
  const written = finished(xz.stdout.pipe(createWriteStream(file)))
  for (const path of filesIn(folder)) {
    const content = readFileSync(join(folder, path))
    xz.stdin.write(tarHead(`${name}/${path}`, content.length, statSync(join(folder, path)).mode))
    xz.stdin.write(content)
    xz.stdin.write(Buffer.alloc(-content.length & 511))
  }
  xz.stdin.end(Buffer.alloc(1024))
  await Promise.all([ended, written])
  return file
}

/** The head of a file in a tar archive (ustar), without an owner or a time of its own. */
function tarHead(path, size, mode) {
  const head = Buffer.alloc(512)
  const cut = path.length <= 100 ? 0 : path.indexOf('/', path.length - 101) + 1
  head.write(path.slice(cut), 0)
  head.write(path.slice(0, Math.max(0, cut - 1)), 345)
  const octal = (value, at, length) => head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  octal(mode & 0o111 ? 0o755 : 0o644, 100, 8)
  for (const at of [108, 116]) octal(0, at, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  head.write('0', 156)
  head.write('ustar\x0000', 257)
  head.fill(' ', 148, 156)
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return head
}
