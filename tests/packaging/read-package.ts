import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix } from 'node:path'
import { extractFile, getRawHeader, listPackage } from '@electron/asar'
import { fuseMark, packedPlaces } from '../../build/electron-folder.mjs'

export const questions = [
  'the keychain module of the system',
  "no system's runtime but its own",
  'what runs is there',
  'every import of the built files resolves inside',
  'fuses as configured',
  'the hash of the archive',
  'the window for Windows is for its processor',
  'sizes',
] as const
/** What is wrong with a packed program. */
export type Findings = Readonly<Record<(typeof questions)[number], readonly string[]>>

const fuses = {
  runAsNode: '0',
  cookieEncryption: '0',
  nodeOptions: '0',
  inspect: '0',
  asarIntegrity: '1',
  onlyAsar: '1',
  // As Electron has it.
  v8Snapshot: null,
  grantFileProtocol: '0',
}
const mustHave = [
  '/package.json',
  '/out/main/main.js',
  '/out/main/cli.js',
  '/out/main/demo.js',
  '/out/main/database-worker.js',
  '/out/main/schema-worker.js',
  '/out/preload/preload.cjs',
  '/out/renderer/index.html',
]
const mustNotHave =
  /^\/(electron|renderer|tests|build|\.ci|\.git)(\/|$)|\/node_modules\/(node-(linux|win|mac|darwin)-[^/]*|electron|vue|vite|typescript)$|\.map$/
/** In bytes. Raise one if what is added is worth it. */
const limits = { archive: 10 * 2 ** 20, nativeModules: 2 ** 20, program: 10 * 2 ** 20 }
const windows = { x64: 0x86_64, arm64: 0xaa_64 }
const linux = { x64: 0x3e, arm64: 0xb7 }
const mac = { x64: 0x0100_0007, arm64: 0x0100_000c }

/** The system that a binary is for, from its head. */
function systemOf(bytes: Buffer): string {
  const named = (os: string, machines: Readonly<Record<string, number>>, machine: number): string =>
    `${os}-${Object.keys(machines).find((arch) => machines[arch] === machine) ?? machine.toString(16)}`
  if (bytes.toString('latin1', 0, 4) === '\x7FELF') return named('linux', linux, bytes.readUInt16LE(18))
  if (bytes.toString('latin1', 0, 2) === 'MZ')
    return named('win', windows, bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4))
  if (bytes.readUInt32LE(0) === 0xfeed_facf) return named('mac', mac, bytes.readUInt32LE(4))
  return 'no system'
}

const filesIn = (folder: string): readonly string[] =>
  globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
const sizeOf = (folder: string): number =>
  filesIn(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)

/** The module of the system, alone, and its binary really is for it. */
function keychain(folder: string, system: string): readonly string[] {
  const keytars = { linux: 'linux', win: 'win32', mac: 'darwin' }
  const [os = '', arch] = system.split('-')
  const due = `node_modules/keytar/prebuilds/${keytars[os as keyof typeof keytars]}-${arch}/keytar.node`
  const found = filesIn(folder).filter((file) => file.endsWith('.node'))
  return [
    ...(found.includes(due) ? [] : [`${due} is missing`]),
    ...found.filter((file) => file !== due).map((file) => `${file} does not belong here`),
    ...found
      .map((file) => systemOf(readFileSync(join(folder, file))))
      .filter((its) => its !== system)
      .map((its) => `a module is for ${its}`),
  ]
}

/** Of the bundler's output: a statement is one line, and comments of packages contain examples. */
const importing =
  /^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];?$|\b(?:import|[Rr]equire)\(["']([^"'\n]+)["']\)/gm
const comment = /^\s*(?:\*|\/\/).*$/gm

/** Imports of the built files that lead nowhere; `files` have the paths of the archive. */
function lostImports(files: ReadonlySet<string>, read: (file: string) => string): readonly string[] {
  const folders = new Set(
    [...files].flatMap((file) => /^\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
  )
  const imports = [...files]
    .filter((file) => /^\/out\/(main|preload)\/.*\.c?js$/.test(file))
    .flatMap((file) =>
      [...read(file).replaceAll(comment, '').matchAll(importing)].map(([, one, other]) => ({
        file,
        to: one ?? other ?? '',
      })),
    )
  if (imports.length < 20) return ['hardly any import was found']
  return imports
    .filter(({ file, to }) => {
      if (to.startsWith('node:') || builtinModules.includes(to) || to === 'electron') return false
      if (to.startsWith('.')) return !files.has(posix.join(posix.dirname(file), to))
      return !files.has(`/node_modules/${to}`) && !folders.has(`/node_modules/${to}`)
    })
    .map(({ file, to }) => `${file} imports ${to}`)
}

function wrongFuses(binary: Buffer): readonly string[] {
  const at = binary.indexOf(fuseMark)
  if (at === -1) return ['the binary has no fuses']
  return Object.entries(fuses)
    .map(([name, due], index) => ({
      name,
      due,
      is: String.fromCharCode(binary[at + fuseMark.length + 2 + index] ?? 0),
    }))
    .filter(({ due, is }) => due !== null && is !== due)
    .map(({ name, is }) => `${name} is ${is}`)
}

/** Electron refuses an archive whose hash is not in the program; on Linux it has no place for it. */
function hashOfArchive(system: string, archive: string, electron: string): readonly string[] {
  if (system.startsWith('linux-')) return []
  const { headerString } = getRawHeader(archive)
  const hash = createHash('sha256').update(headerString).digest('hex')
  const file = system.startsWith('mac-') ? join(electron, '../../../Info.plist') : electron
  return readFileSync(file, 'latin1').includes(hash) ? [] : ['the hash of the archive is not in the program']
}

/** Reads the program of a system that was packed into `release`. */
export function readPackage(
  release: string,
  system: string,
): { readonly findings: Findings; readonly sizes: Readonly<Record<string, number>> } {
  const { electron, resources } = packedPlaces(release, system)
  const archive = join(resources, 'app.asar')
  const commandLine = join(resources, 'cli')
  const listed = listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/'))
  const runtime = readFileSync(join(commandLine, 'runtime', system.startsWith('win-') ? 'node.exe' : 'node'))
  const isPlaceholder = runtime.toString('latin1', 0, 12) === 'placeholder:'
  const sizes = {
    archive: statSync(archive).size,
    nativeModules: sizeOf(`${archive}.unpacked`),
    program: sizeOf(join(commandLine, 'program')),
    runtime: runtime.length,
  }
  const program = join(commandLine, 'program')
  const written = filesIn(program).map((file) => `/${file}`)
  const measured = JSON.parse(readFileSync(join(program, 'sizes.json'), 'utf8')) as Record<string, number>
  return {
    sizes,
    findings: {
      'the keychain module of the system': [
        ...keychain(`${archive}.unpacked`, system),
        ...keychain(program, system),
      ],
      "no system's runtime but its own": [
        ...listed.filter((file) => mustNotHave.test(file)),
        ...(isPlaceholder || systemOf(runtime) === system ? [] : [`the runtime is for ${systemOf(runtime)}`]),
      ],
      'what runs is there': [
        ...mustHave.filter((file) => !listed.includes(file)),
        ...(existsSync(join(commandLine, 'bin', system.startsWith('win-') ? 'headroom.exe' : 'headroom'))
          ? []
          : ['bin/headroom']),
        // It would be called damaged at start.
        ...Object.keys(measured).filter(
          (file) => statSync(join(program, file), { throwIfNoEntry: false })?.size !== measured[file],
        ),
      ],
      'every import of the built files resolves inside': [
        ...lostImports(new Set(listed), (file) => extractFile(archive, file.slice(1)).toString()),
        ...lostImports(new Set(written), (file) => readFileSync(join(program, file), 'utf8')),
      ],
      'fuses as configured': wrongFuses(readFileSync(electron)),
      'the hash of the archive': hashOfArchive(system, archive, electron),
      'the window for Windows is for its processor':
        system.startsWith('win-') && systemOf(readFileSync(electron)) !== system
          ? [`the window is for ${systemOf(readFileSync(electron))}`]
          : [],
      sizes: Object.entries(limits)
        .filter(([name, most]) => sizes[name as keyof typeof limits] > most)
        .map(([name]) => `${name} has ${sizes[name as keyof typeof limits]} bytes`),
    },
  }
}
