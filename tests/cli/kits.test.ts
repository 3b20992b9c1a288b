import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { kitCommands, verifyKitCommand } from '../../electron/cli/commands/kits.ts'
import { parse, UsageError } from '../../electron/cli/grammar.ts'
import type { KitPart, MadeKit } from '../../electron/contract/api/kits.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { aKitFolder } from '../core/kits/a-kit-folder.ts'
import { aCore } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'
import { aHomeWith, homeFiles } from './prepared-home.ts'
import { grown, Programs } from './programs.ts'

let service: Demonstration
let programs: Programs
let folder = '/kit'

async function begin(): Promise<void> {
  service = await startDemonstration({ now: fromMorning(), devices: 20, rooms: 4 })
  onTestFinished(() => service.stop())
  const home = aHomeWith(await homeFiles(service))
  const { managementUrl, metadataUrl, key } = service
  programs = new Programs(home, { managementUrl, metadataUrl, key })
  folder = join(home, 'kit')
}

/** Some megabytes. */
const words = ['kit', 'make', '--product', '2830/9395', '--json', '--to'] as const

/** Runs the command in this process. */
async function verified(): Promise<readonly [number, unknown]> {
  const terminal = aTerminal()
  const code = await verifyKitCommand.runAlone(
    parse([verifyKitCommand], ['kit', 'verify', folder, '--json']),
    terminal,
  )
  return [code, JSON.parse(terminal.output)]
}

test('resumes a kit whose command was killed; the complete kit is verified without network or data folder', async () => {
  await begin()
  service.faults.set({ name: 'file-slow', rate: 1, times: null, operation: 'DownloadFile' })
  const running = programs.start([...words, folder])
  await grown(join(folder, 'firmware'), 200_000)
  running.child.kill('SIGKILL')
  await running.ended
  expect((await verified())[0]).toBe(4)
  service.faults.clear()
  const made = await programs.run([...words, 'kit'], { cwd: join(folder, '..') })
  expect([made.code, JSON.parse(made.output)]).toEqual([
    0,
    { folder, files: 3, bytes: expect.any(Number) as number, missing: [] },
  ])
  await service.stop()
  const elsewhere = new Programs(join(folder, '..', 'no-home'), {})
  const whole = await elsewhere.run(['kit', 'verify', folder, '--json'])
  expect([whole.code, JSON.parse(whole.output), existsSync(elsewhere.home)]).toEqual([
    0,
    { files: 3, ok: 3, changed: [], missing: [], extra: [], notIncluded: [] },
    false,
  ])
  writeFileSync(join(folder, 'index.html'), 'changed')
  expect(await verified()).toEqual([
    3,
    { files: 3, ok: 2, changed: ['index.html'], missing: [], extra: [], notIncluded: [] },
  ])
})

const kitMake = kitCommands[0]!
/** Runs the command in this process, with a core that makes no kit. */
function make(
  options: readonly string[],
  missing: readonly KitPart[] = [],
  terminal = aTerminal(),
): Promise<number> {
  const given = parse([kitMake], ['kit', 'make', ...options])
  const find = async (): Promise<object> => ({ vendorId: 2830, productId: 9395 })
  const core = aCore({
    handlers: {
      firmware: { find },
      kits: { make: async (): Promise<MadeKit> => ({ folder, files: 3, bytes: 1, missing }) },
    },
  })
  return kitMake.run(core, given, terminal)
}

test.each([
  ['nothing selected', ['--to', '/kit']],
  ['no folder', ['--product', '2830/9395']],
  ['an invalid version', ['--product', '2830/9395', '--version', '1.2', '--to', '/kit']],
])('rejects a kit with %s as wrong usage', async (_, given) => {
  await expect(make(given)).rejects.toThrow(UsageError)
})

test('ends with 4 for a kit with a missing part, and says so beside the output', async () => {
  const terminal = aTerminal()
  const missing = [{ what: 'A', reason: 'B' }]
  expect([await make(['--product', '2830/9395', '--to', '/kit'], missing, terminal), terminal.said]).toEqual([
    4,
    ['1 part of the kit is missing.'],
  ])
})

test.each([
  ['before anything is in its folder ends with 130', false, 130, 'Stopped before it was complete.'],
  [
    'after its folder was begun ends with 4, and says how to go on',
    true,
    4,
    'Stopped. The kit is not complete: run headroom kit make again.',
  ],
])('cut by Ctrl+C %s', async (_, isBegun, code, said) => {
  const terminal = aTerminal()
  const to = isBegun ? aKitFolder({ 'index.html': 'x' }, { complete: false }) : '/no such kit'
  const core = aCore({
    handlers: {
      firmware: { find: async () => ({ vendorId: 2830, productId: 9395 }) },
      kits: {
        make: async () => {
          terminal.interrupt()
          throw new Failed({ kind: 'cancelled' })
        },
      },
      // The owner may be lost at the same time.
      tasks: { cancel: () => Promise.reject(new Error('lost')) },
    },
  })
  const given = parse([kitMake], ['kit', 'make', '--product', '2830/9395', '--to', to])
  expect([await kitMake.run(core, given, terminal), terminal.output, terminal.said]).toEqual([
    code,
    '',
    [said],
  ])
})

test('verified, ends with 4 for a kit that lacks a part, and names it', async () => {
  const missing = [{ what: 'Firmware 2.9.2 of Bar', reason: 'The link is not published.' }]
  folder = aKitFolder({ 'index.html': 'x' }, { missing })
  expect(await verified()).toEqual([
    4,
    { files: 1, ok: 1, changed: [], missing: [], extra: [], notIncluded: missing },
  ])
})

test('says that a folder without a manifest is not a site kit', async () => {
  const terminal = aTerminal()
  const empty = mkdtempSync(join(tmpdir(), 'headroom-kits-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const given = parse([verifyKitCommand], ['kit', 'verify', empty])
  expect([await verifyKitCommand.runAlone(given, terminal), terminal.output]).toEqual([
    3,
    'This is not a site kit: it has no manifest.json.\n',
  ])
})

test('ends with 3 for a folder without a manifest, and the document explains why', async () => {
  const terminal = aTerminal()
  const given = parse(
    [verifyKitCommand],
    ['kit', 'verify', mkdtempSync(join(tmpdir(), 'headroom-kits-')), '--json'],
  )
  onTestFinished(() => rmSync(given.operands[0]!, { recursive: true }))
  expect([await verifyKitCommand.runAlone(given, terminal), JSON.parse(terminal.output)]).toEqual([
    3,
    { files: 0, ok: 0, changed: [], missing: ['manifest.json'], extra: [], notIncluded: [] },
  ])
})

test('a folder that is not there is not one to save to', async () => {
  const home = mkdtempSync(join(tmpdir(), 'headroom-kit-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const missing = join(home, 'kit')
  const { code, output, errors } = await new Programs(home, {}).run(['kit', 'verify', missing])
  expect([code, output, errors]).toEqual([
    3,
    '',
    `Cannot use ${missing}: it does not exist. Choose another folder, or correct this one and try again.\n`,
  ])
})

test('a folder with other content is refused as such', async () => {
  await begin()
  const full = mkdtempSync(join(tmpdir(), 'headroom-kit-'))
  onTestFinished(() => rmSync(full, { recursive: true }))
  writeFileSync(join(full, 'mine.txt'), 'mine')
  const { code, errors } = await programs.run([...words.slice(0, 4), '--to', full])
  expect([code, errors]).toEqual([
    3,
    expect.stringContaining(`Cannot use ${full}: something else is there already.`),
  ])
})
