import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, constants, createReadStream, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import type { Sbom } from '../../build/sbom.mjs'
import { inFull } from '../setup/in-full.ts'
import { test } from './release.ts'

// The archive of the command line, unpacked into a clean root: no Node on PATH, no display, a home of its own; and the deb, as dpkg
// unpacks it.
const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const system = `linux-${process.arch}`
let folder = ''
/** The folder of the release. */
let packed = ''
let unpacked = ''
let deb = ''
/** The root into which the deb is unpacked. */
let installed = ''
/** What the archive holds, in its order. */
let listed: readonly string[] = []

test.skip(process.platform !== 'linux', 'it unpacks and runs the archive for Linux')
test.beforeAll(async ({ release }) => {
  packed = release
  folder = await mkdtemp(join(tmpdir(), 'headroom-archive-'))
  for (const name of ['home', 'work', 'root']) await mkdir(join(folder, name))
  const [archive = ''] = await archives()
  const { stdout } = await run('tar', ['-xvJf', join(packed, archive), '-C', folder])
  listed = stdout.trim().split('\n')
  unpacked = join(folder, archive.replace('.tar.xz', ''))
  installed = join(folder, 'root')
  const [debian] = await released(/\.deb$/)
  if (debian === undefined) return
  deb = join(packed, debian)
  await run('dpkg-deb', ['--extract', deb, installed])
})
test.afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const released = async (ending: RegExp): Promise<readonly string[]> =>
  (await readdir(packed)).filter((name) => ending.test(name))
const archives = (): Promise<readonly string[]> => released(/^headroom-cli-/)
const needsDeb = (): void => test.skip(deb === '', 'dpkg-deb is not installed')

interface Said {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

const environment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: join(folder, 'home'),
  PATH: join(unpacked, 'bin'),
  HEADROOM_DEMONSTRATION: '--devices 600 --rooms 90',
  // Each file is compiled once.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  GLIBC_TUNABLES: process.env['GLIBC_TUNABLES'] ?? '',
  ...more,
})

const start = (line: string, more: Readonly<Record<string, string>> = {}): ChildProcess =>
  spawn('/bin/sh', ['-c', `exec ${line}`], {
    cwd: more['PWD'] ?? join(folder, 'work'),
    env: environment(more),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function ended(child: ChildProcess): Promise<Said> {
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, output, errors }
}
const headroom = (words: string, more: Readonly<Record<string, string>> = {}): Promise<Said> =>
  ended(start(`headroom ${words}`, more))

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

test('the release has the archive of this version alone, sums of its files, and at most 45 MiB', async () => {
  const found = await archives()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(found).toEqual([`headroom-cli-${version}-${system}.tar.xz`])
  const summed = await released(/\.(cdx\.json|tar\.xz|deb|rpm|AppImage)$/)
  expect(summed).toEqual(expect.arrayContaining([...found, `headroom-${version}-${system}.cdx.json`]))
  expect(await readFile(join(packed, 'SHA256SUMS'), 'utf8')).toBe(
    summed
      .toSorted()
      .map((name) => `${sumOf(join(packed, name))}  ${name}\n`)
      .join(''),
  )
  expect(statSync(join(packed, found[0]!)).size).toBeLessThan(45 * 2 ** 20)
})

test('the archive holds the runtime as published, the built command line and what belongs to it, in order', async () => {
  const files = listed.map((path) => path.slice(path.indexOf('/') + 1))
  expect(files).toEqual(files.toSorted())
  const odd =
    /^(bin\/headroom|runtime\/node|LICENSE(\.node)?|third-party-notices\.txt|share\/man\/man1\/headroom\.1|share\/completions\/(headroom\.(bash|fish|ps1)|_headroom)|program\/(package\.json|sizes\.json|out\/commit|out\/main\/[\w-]+\.js|out\/main\/chunks\/[\w-]+\.js|node_modules\/@gnaudio\/.*|node_modules\/keytar\/.*))$/
  expect(files.filter((path) => !odd.test(path))).toEqual([])
  expect(files.filter((path) => path.endsWith('.node') && path.startsWith('program'))).toEqual([
    `program/node_modules/keytar/prebuilds/${system}/keytar.node`,
  ])
  expect(files.includes('program/out/main/main.js')).toBe(false)
  const published = readFileSync(join(root, `node_modules/node-${system}/bin/node`))
  expect(readFileSync(join(unpacked, 'runtime/node')).equals(published)).toBe(true)
})

test('the sizes of its files are known; the window has the same files', async () => {
  const program = join(unpacked, 'program')
  const sizes = JSON.parse(await readFile(join(program, 'sizes.json'), 'utf8')) as Record<string, number>
  const inArchive = listed.map((path) => path.slice(path.indexOf('/') + 1))
  const measured = inArchive.flatMap((path) => /^program\/(?!sizes\.json$)(.+)$/.exec(path)?.[1] ?? [])
  expect(Object.entries(sizes)).toEqual(
    measured.toSorted().map((path) => [path, statSync(join(program, path)).size]),
  )
  const inWindow = join(packed, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  const [window, archive] = await Promise.all(
    [join(inWindow, 'resources/cli'), unpacked].map(
      async (cwd) => (await run('find', ['.', '-type', 'f', '-printf', '%P %s %m\n'], { cwd })).stdout,
    ),
  )
  expect(window!.split('\n').toSorted()).toEqual(archive!.split('\n').toSorted())
})

test('the bill of materials names the packages of the notices and the runtime as it is shipped', async () => {
  const [name = ''] = (await readdir(packed)).filter((file) => file.endsWith('.cdx.json'))
  const { components } = JSON.parse(await readFile(join(packed, name), 'utf8')) as Sbom
  const notices = await readFile(join(unpacked, 'third-party-notices.txt'), 'utf8')
  const named = [...notices.matchAll(/^-{80}\n\n(\S+ \S+) \(/gm)].map(([, of]) => of)
  const [libraries, runtimes] = ['library', 'platform'].map((kind) =>
    components.filter(({ type }) => type === kind),
  )
  expect(libraries!.map((one) => `${one.name} ${one.version}`).toSorted()).toEqual(named.toSorted())
  expect(runtimes!.map(({ purl, hashes }) => [purl.split('?')[1], hashes[0]?.content])).toEqual([
    [`system=${system}`, sumOf(join(unpacked, 'runtime/node'))],
  ])
})

// The programs of a package on a person's PATH, its menu entry, and what belongs to the command line.

const links = {
  'usr/bin/headroom': 'bin/headroom',
  'usr/share/man/man1/headroom.1': 'share/man/man1/headroom.1',
  'usr/share/bash-completion/completions/headroom': 'share/completions/headroom.bash',
  'usr/share/zsh/vendor-completions/_headroom': 'share/completions/_headroom',
  'usr/share/fish/vendor_completions.d/headroom.fish': 'share/completions/headroom.fish',
}
test('the deb has the command line as headroom, with its manual page and completions', async () => {
  needsDeb()
  const led = await Promise.all(
    Object.keys(links).map(async (link) =>
      resolve(installed, link, '..', await readlink(join(installed, link))),
    ),
  )
  const files = Object.values(links).map((file) => join(installed, 'opt/Headroom/resources/cli', file))
  expect([led, led.filter((file) => !existsSync(file))]).toEqual([files, []])
})

test("the deb's window is headroom-window, for the menu and for links, and its profile names Electron's binary", async () => {
  needsDeb()
  const entry = await readFile(join(installed, 'usr/share/applications/headroom.desktop'), 'utf8')
  expect(entry.split('\n')).toEqual(
    expect.arrayContaining([
      'Exec=/opt/Headroom/headroom-window %U',
      'StartupWMClass=headroom',
      'MimeType=x-scheme-handler/headroom;',
    ]),
  )
  const { stdout } = await run('dpkg-deb', ['--ctrl-tarfile', deb], { encoding: 'buffer' })
  await writeFile(join(folder, 'control.tar'), stdout)
  const script = await run('tar', ['-xOf', join(folder, 'control.tar'), './postinst'])
  expect(script.stdout).toContain(
    "'/usr/bin/headroom-window' 'headroom-window' '/opt/Headroom/headroom-window'",
  )
  expect(existsSync(join(installed, 'opt/Headroom/headroom-window.bin'))).toBe(true)
  expect(await readFile(join(installed, 'opt/Headroom/resources/apparmor-profile'), 'utf8')).toContain(
    '"/opt/Headroom/headroom-window.bin"',
  )
})

test("the deb's files belong to root, and only root can change them", async () => {
  needsDeb()
  const { stdout } = await run('dpkg-deb', ['--contents', deb], { maxBuffer: 16 * 1024 * 1024 })
  const odd = stdout
    .trim()
    .split('\n')
    .filter((line) => !/^(d|-)rw[xs-]r-[x-]r-[x-] root\/root |^lrwxrwxrwx root\/root /.test(line))
  expect(odd).toEqual([])
})

test('the rpm has the same files as the deb, and its script keeps the link of a newer version', async () => {
  needsDeb()
  const [rpm] = await released(/\.rpm$/)
  test.skip(rpm === undefined, 'rpmbuild is not installed')
  const file = join(packed, rpm!)
  const { stdout } = await run('rpm', ['--query', '--list', '--package', file])
  // With the folders that are its own.
  const below = '( ! -type d -o -path ./opt/Headroom -o -path ./opt/Headroom/* )'.split(' ')
  const inDeb = await run('find', ['.', ...below, '!', '-name', 'readlink'], { cwd: installed })
  const names = (list: string): readonly string[] =>
    list
      .trim()
      .split('\n')
      .map((name) => name.replace(/^\./, '').replace('zsh/vendor-completions', 'zsh/site-functions'))
      .toSorted()
  expect(names(stdout)).toEqual(names(inDeb.stdout))
  const scripts = await run('rpm', ['--query', '--scripts', '--package', file])
  expect(scripts.stdout).toMatch(/postuninstall[^]*if \[ "\$1" = 0 \]; then[^]*update-alternatives --remove/)
})

test('the built files import only Node, each other and what lies beside them', async () => {
  const program = join(unpacked, 'program')
  const files = (await readdir(join(program, 'out/main'), { recursive: true })).filter((name) =>
    name.endsWith('.js'),
  )
  const imported = files.flatMap((name) =>
    [
      ...readFileSync(join(program, 'out/main', name), 'utf8').matchAll(
        /^import\b[^'"\n]*["']([^"'\n]+)["']|\bimport\(["']([^"']+)["']\)/gm,
      ),
    ].map(([, one, other]) => ({ name, to: one ?? other ?? '' })),
  )
  const lost = imported.filter(({ name, to }) => {
    if (to.startsWith('node:') || builtinModules.includes(to)) return false
    const at = to.startsWith('.')
      ? join(program, 'out/main', name, '..', to)
      : join(program, 'node_modules', to)
    return !existsSync(at)
  })
  expect([lost, imported.length > 20]).toEqual([[], true])
})

test('the version is that of the package and the commit, without a data folder', async () => {
  const { code, output } = await headroom('--version --json', { HEADROOM_HOME: '/proc/x' })
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: root })
  expect([code, JSON.parse(output)]).toEqual([
    0,
    {
      version: expect.any(String),
      commit: stdout.trim(),
      node: process.versions.node,
      contract: expect.any(Number),
    },
  ])
})

for (const words of ['--version', 'help', 'completion bash', 'help --man'])
  test(`${words} works with an unusable data folder and makes none`, async () => {
    const unusable = await headroom(words, { HEADROOM_HOME: '/proc/x' })
    const fresh = join(folder, 'never')
    const usable = await headroom(words, { HEADROOM_HOME: fresh })
    expect([unusable.code, unusable.output === usable.output, existsSync(fresh)]).toEqual([0, true, false])
  })

test('the launcher finds its place through symbolic links and hands on arguments and the exit code', async () => {
  await symlink(join(unpacked, 'bin/headroom'), join(folder, 'absolute'))
  await symlink('../absolute', join(folder, 'work/relative'))
  const said = await ended(
    start('./relative operations "a  b" "*"', { PATH: `${join(unpacked, 'bin')}:/usr/bin:/bin` }),
  )
  expect([said.code, said.errors.split('\n')[0]]).toEqual([2, 'operations does not take "a  b".'])
})

// What README says, in the order of README.

interface Expected {
  readonly code: number
  readonly first: RegExp
  /** Of a complete output; missing: its first line is all. */
  readonly whole?: (output: string) => boolean
  /** Sent when this was said. */
  readonly signal?: readonly [NodeJS.Signals, RegExp]
}
const nothing = /^$/
const lines =
  (atLeast: number) =>
  (output: string): boolean =>
    output.endsWith('\n') && output.trimEnd().split('\n').length >= atLeast
const json =
  (
    check: (document: {
      readonly length?: number
      readonly total?: number
      readonly devices?: readonly unknown[]
    }) => boolean,
  ) =>
  (output: string): boolean =>
    check(JSON.parse(output) as never)

const expected: Readonly<Record<string, Expected>> = {
  'headroom org add Try --preset demonstration': { code: 0, first: /^Added Try/ },
  // Nobody sits at a terminal.
  'headroom key set primary': { code: 2, first: nothing },
  'headroom sync': { code: 0, first: /^Complete\./, whole: lines(3) },
  'headroom devices --json': {
    code: 0,
    first: /^\{"asOf":\d+,"total":600,/,
    whole: json(({ total, devices }) => total === devices?.length),
  },
  'headroom devices --where "status:offline fw:behind" --sort -lastSeenAt': {
    code: 0,
    first: /^User or room +Product/,
    whole: lines(20),
  },
  'headroom devices --where "status:offline fw:behind"': {
    code: 0,
    first: /^User or room/,
    whole: lines(20),
  },
  'headroom devices --where tag:loan --csv --columns "name,serialNumber,roomName"': {
    code: 0,
    first: /^Name,Serial number,Room/,
  },
  'headroom devices --group-by productName --where location:Oslo': {
    code: 0,
    first: /^Value +Devices/,
    whole: lines(3),
  },
  'headroom rooms --where "health:trouble,down"': { code: 0, first: /^Room +Health/, whole: lines(3) },
  'headroom changes --since looked --where kind:gone': { code: 0, first: /^Nothing changed/ },
  'headroom releases 0x24B3': { code: 0, first: /^Jabra Evolve2 65 Mono/, whole: lines(5) },
  'headroom firmware link 2830/9395 latest': { code: 0, first: /^http:\/\/127\.0\.0\.1:\d+\/files\// },
  'headroom firmware download 0x24B3 latest --to FOLDER': {
    code: 0,
    first: /Jabra Evolve2 65 Mono [\d.]+\.zip$/,
    whole: lines(3),
  },
  'headroom firmware verify *.zip': { code: 0, first: /^known by ledger / },
  'headroom firmware diff 9395 2.7.2 2.9.2': { code: 0, first: /2\.7\.2 to 2\.9\.2/, whole: lines(10) },
  // No version of the product is approved.
  'headroom firmware update --where "product:PanaCast fw:behind" approved --canary --dry-run': {
    code: 3,
    first: nothing,
  },
  'headroom kit make --product 0x24B3 --to EMPTY': { code: 0, first: /kit/ },
  'headroom kit verify EMPTY': { code: 0, first: /\d+/ },
  'headroom offline prepare --dry-run': { code: 0, first: /requests of the metadata interface/ },
  'headroom definitions latest': { code: 0, first: /^Definition version in use: / },
  'headroom notes "Evolve2 65 Mono" --since 2.1.0': {
    code: 0,
    first: /^Jabra Evolve2 65 Mono$/,
    whole: lines(20),
  },
  'headroom settings get DEVICE': { code: 0, first: /^Setting +Label/, whole: lines(5) },
  'headroom settings set --where "product:PanaCast tag:hall" videoStiching=hybrid --yes --unlock': {
    code: 0,
    first: /^Nothing was sent\.$/,
  },
  'headroom settings drift "Meeting rooms"': { code: 3, first: nothing },
  'headroom room diff ROOM OTHER': { code: 0, first: /^\d+ differences?, \d+ unknown/, whole: lines(3) },
  'headroom reboot ROOM --dry-run': { code: 0, first: /devices? restarts?\.$/, whole: lines(3) },
  'headroom reboot ROOM --yes --unlock': { code: 0, first: /is rebooting: the service accepted it/ },
  // Stopped while it waits for the minute of the room.
  'headroom reboot ROOM --watch --yes --unlock': {
    code: 3,
    first: /was not rebooted\.$/,
    signal: ['SIGINT', /waiting until/],
  },
  // No app runs that would do it.
  'headroom reboot --where location:Aarhus --start-at 22:00 --detach --yes --unlock --count 12': {
    code: 3,
    first: nothing,
  },
  'headroom jobs': { code: 0, first: /^Id +Made/, whole: lines(2) },
  'headroom journal --where outcome:unconfirmed': { code: 0, first: /^No entries match/ },
  'headroom call GetFirmwareReleasesByProductId vendorId=2830 productId=9395': {
    code: 0,
    first: /^\[\{"version"/,
    whole: json(({ length = 0 }) => length > 2),
  },
  'headroom call GetTelemetry --cached': { code: 3, first: nothing },
  'headroom budget': { code: 0, first: /calls in the last second/, whole: lines(2) },
  'headroom demo --devices 10000 --json': {
    code: 0,
    first: /^\{.*"devices":10000/,
    signal: ['SIGTERM', /"devices":10000/],
  },
  'headroom help': { code: 0, first: /^headroom COMMAND \[options\]$/, whole: lines(30) },
}

/** The commands of a README's blocks, as somebody types them who has installed Headroom. */
const commandsOf = async (file: string): Promise<readonly string[]> =>
  [...(await readFile(join(root, file), 'utf8')).matchAll(/^```sh\n([^]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/^npm run --silent headroom -- /, 'headroom '))
    .filter((line) => line.startsWith('headroom '))
    .map((line) => line.replace(/\s+(?:#|> ).*$/, ''))

const readmes = ['electron/cli/README.md', 'README.md', 'build/setup.md']

test('the lines of README are read alike by sh, cmd and PowerShell', async () => {
  const all = (await Promise.all(readmes.map(commandsOf))).flat()
  const quoted = /"[^"]*"/g
  const odd = all.filter((line) => /['`$%^&|<>(){};@!\\]|,/.test(line.replaceAll(quoted, '')))
  const inner = all.filter((line) => (line.match(quoted) ?? []).some((words) => /['`$%!\\]/.test(words)))
  expect([odd, inner, all.length > 30]).toEqual([[], [], true])
})

test('every line of README runs from the archive', async () => {
  await runLines({}, Infinity)
})

// The archive is in the deb, so the rest of its lines are for the proof.
const inDeb = inFull ? Infinity : 3
test(`${inDeb === 3 ? 'the first lines' : 'every line'} of README run from the deb, as /usr/bin/headroom`, async () => {
  needsDeb()
  // Every Debian has it beside headroom, which is a link.
  await symlink('/usr/bin/readlink', join(installed, 'usr/bin/readlink'))
  for (const name of ['home-of-deb', 'work-of-deb']) await mkdir(join(folder, name))
  const more = {
    HOME: join(folder, 'home-of-deb'),
    PATH: join(installed, 'usr/bin'),
    PWD: join(folder, 'work-of-deb'),
  }
  await runLines(more, inDeb)
})

/** The first lines of the READMEs, or all of them. */
async function runLines(more: Readonly<Record<string, string>>, atMost: number): Promise<void> {
  const words: Record<string, string> = { FOLDER: '.', EMPTY: 'kit' }
  const results: Record<string, unknown> = {}
  const wanted: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const line of (await Promise.all(readmes.map(commandsOf))).flat()) {
    // A line of a second README that the first has, too.
    if (seen.has(line) || seen.size === atMost) continue
    seen.add(line)
    if (line.includes('DEVICE') && words['DEVICE'] === undefined) await chooseWords(words, more)
    const { code, first, whole = () => true, signal } = expected[line] ?? { code: NaN, first: nothing }
    const child = start(
      line.replaceAll(/\b[A-Z]{4,}\b/g, (word) => words[word] ?? word),
      more,
    )
    if (signal !== undefined) void sendWhenSaid(child, ...signal)
    const said = await ended(child)
    const [begins = ''] = said.output.split('\n')
    results[line] = {
      code: said.code,
      first: first.test(begins) || begins,
      whole: said.code !== code || whole(said.output),
      ...(said.code === code ? {} : { errors: said.errors }),
    }
    wanted[line] = { code, first: true, whole: true }
  }
  expect(results).toEqual(wanted)
}

/** Two rooms and a device of the demonstration that are online. */
async function chooseWords(
  words: Record<string, string>,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const of = async (line: string): Promise<{ devices: { id: string }[]; rooms: { id: string }[] }> =>
    JSON.parse((await headroom(line, more)).output) as never
  words['DEVICE'] = (await of('devices --where "status:online" --json')).devices[0]!.id
  const { rooms } = await of('rooms --where "health:ok" --json')
  Object.assign(words, { ROOM: rooms[0]!.id, OTHER: rooms[1]!.id })
}

async function sendWhenSaid(child: ChildProcess, signal: NodeJS.Signals, said: RegExp): Promise<void> {
  let heard = ''
  await new Promise<void>((wasSaid) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (piece: Buffer) => {
        heard += piece.toString()
        if (said.test(heard)) wasSaid()
      })
  })
  child.kill(signal)
}

test('the output is complete when the reader begins after the command stands still', async () => {
  const whole = (await headroom('completion fish')).output
  const pipe = join(folder, 'pipe')
  await run('mkfifo', [pipe])
  // Opened, so that the command begins, and not read.
  const held = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const child = start(`headroom completion fish > ${pipe}`)
  let before = ''
  await expect
    .poll(() => {
      const last = before
      // State and processor time.
      before = readFileSync(`/proc/${child.pid}/stat`, 'latin1').replace(/^.*\) /s, '')
      return before === last && before.startsWith('S')
    })
    .toBe(true)
  const late = createReadStream(pipe)
  await once(late, 'open')
  closeSync(held)
  const [read, { code }] = await Promise.all([text(late), ended(child)])
  // More than a pipe holds.
  expect([code, read === whole, whole.length > 65_536]).toEqual([0, true, true])
})

// Bad input: one sentence that says what and where, and 3.

const inPlace = (path: string): string => join(unpacked, path)
const head = (machine: number): Buffer => {
  const bytes = Buffer.alloc(64, 1)
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0])
  return bytes
}
const otherMachine = process.arch === 'arm64' ? 0x3e : 0xb7

const damages: readonly (readonly [
  what: string,
  path: string,
  damage: (file: string) => Promise<unknown>,
])[] = [
  ['the runtime is missing', 'runtime/node', async () => undefined],
  ['the runtime is empty', 'runtime/node', (file) => writeFile(file, '', { mode: 0o755 })],
  ['the runtime may not be executed', 'runtime/node', (file) => writeFile(file, head(0x3e), { mode: 0o644 })],
  [
    'the runtime is a placeholder',
    'runtime/node',
    (file) => writeFile(file, 'placeholder: node 24.21.0 mac-x64\n', { mode: 0o755 }),
  ],
  [
    'the runtime is for another processor',
    'runtime/node',
    (file) => writeFile(file, head(otherMachine), { mode: 0o755 }),
  ],
  ['the runtime is a folder', 'runtime/node', (file) => mkdir(file)],
  ['the built command line is missing', 'program/out/main/cli.js', async () => undefined],
  ['the built command line is empty', 'program/out/main/cli.js', (file) => writeFile(file, '')],
  ['a thread is missing', 'program/out/main/database-worker.js', async () => undefined],
  ['the demonstration is cut', 'program/out/main/demo.js', (file) => writeFile(file, 'import')],
  [
    'the native module is missing',
    `program/node_modules/keytar/prebuilds/${system}/keytar.node`,
    async () => undefined,
  ],
]

for (const [what, path, damage] of damages)
  test(`${what}: one sentence names it, and 3`, async () => {
    const kept = join(folder, 'kept')
    await rename(inPlace(path), kept)
    try {
      await damage(inPlace(path))
      const { code, output, errors } = await headroom('devices --json')
      expect([code, output, errors.split('\n').length, errors.includes(inPlace(path))]).toEqual([
        3,
        '',
        2,
        true,
      ])
    } finally {
      await rm(inPlace(path), { recursive: true, force: true })
      await rename(kept, inPlace(path))
    }
  })

for (const [what, home] of [
  ['below /proc', '/proc/x'],
  ['a file', 'file'],
  ['below a file', 'file/x'],
] as const)
  test(`a data folder that is ${what}: one sentence names it, and 3`, async () => {
    await writeFile(join(folder, 'file'), 'untouched')
    const path = resolve(folder, home)
    const { code, output, errors } = await headroom('devices', { HEADROOM_HOME: path })
    expect([code, output, errors.split('\n').length, errors.includes(path)]).toEqual([3, '', 2, true])
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('untouched')
  })

test("the window's launcher takes HEADROOM_KEY out of the environment and says so", async () => {
  const launcher = join(folder, 'headroom-window')
  await writeFile(launcher, await readFile(join(root, 'build/launchers/headroom-window.sh')))
  await writeFile(`${launcher}.bin`, '#!/bin/sh\necho "${HEADROOM_KEY-none} $*"\nexit 7\n')
  for (const file of [launcher, `${launcher}.bin`]) await chmod(file, 0o755)
  expect(await ended(spawn(launcher, ['a b'], { env: { HEADROOM_KEY: 'a key' } }))).toEqual({
    code: 7,
    output: 'none a b\n',
    errors: 'HEADROOM_KEY is for the command line only: the window does not use it.\n',
  })
  expect((await stat(join(root, 'build/launchers/headroom-window.sh'))).mode & 0o111).not.toBe(0)
})
