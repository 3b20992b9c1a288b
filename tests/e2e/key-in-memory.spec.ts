import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { headroom } from './headroom.ts'
import { holdersIn } from './heap-holders.ts'
import { startKeyring, type Keyring } from './keyring.ts'
import { searchMemory, startedBy, wordsOf } from './process-memory.ts'
import { counted } from './counted.ts'
import {
  dataFolder,
  expectCount,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'

/** Stored in the keychain before the program starts. */
const key = 'feedc0de5e47e1e15e47e1e1feedc0de'
/** Text that the same search must find in every process with data. */
const product = 'Jabra PanaCast 50'
const texts = [key, product]
const isRoot = process.getuid?.() === 0
const script = resolve(import.meta.dirname, '../../out/main/cli.js')

let home: Home
let program: Program
let service: Service
let keyring: Keyring

test.skip(process.platform !== 'linux', 'memory of other programs is read from /proc')
test.beforeEach(async () => {
  home = newHome()
  keyring = await startKeyring()
  service = await startService('--devices', '200', '--rooms', '12', '--key', key)
  const { managementUrl, metadataUrl } = service
  const urls = ['--management-url', managementUrl, '--metadata-url', metadataUrl]
  const given = { environment: keyring.environment }
  await headroom(home, ['org', 'add', 'Nordlys', '--preset', 'custom', ...urls], given)
  await headroom(home, ['key', 'set', 'primary', '--stdin'], { ...given, input: key })
  program = await startProgram(home, keyring.environment)
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  await keyring.end()
  home.remove()
})

test('the memory of every process but the owner has no key, nor has that of a client', async () => {
  await expectCount(program.page, 'devices', 200)
  // More than a pipe holds: it stands still until somebody reads.
  const client = spawn(process.execPath, [script, 'devices', '--json'], {
    env: { ...process.env, ...keyring.environment, HEADROOM_HOME: dataFolder(home), HEADROOM_KEY: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(client.stdout, 'readable')
  const owner = program.app.process().pid!
  const kindOf = (id: number): string => {
    if (id === owner) return 'owner'
    if (id === client.pid) return 'client'
    return /--type=([\w-]+)/.exec(wordsOf(id))?.[1] ?? 'browser'
  }
  const unreadable: string[] = []
  const read = [...startedBy(owner), client.pid!].flatMap((id) => {
    const kind = kindOf(id)
    try {
      return [{ kind, ...searchMemory(id, texts) }]
    } catch (error) {
      // Chromium's own processes forbid it to everybody but root.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES' || isRoot) throw error
      unreadable.push(kind)
      return []
    }
  })
  client.stdout.resume()
  await once(client, 'exit')
  expect(read.filter(({ kind, found }) => kind !== 'owner' && found[0]! > 0).map(({ kind }) => kind)).toEqual(
    [],
  )
  // The search finds a key where one is, and what was read has the data of each process.
  const hasData = (kind: string): boolean => read.some((one) => one.kind === kind && one.found[1]! > 0)
  expect([
    read.some(({ kind, found }) => kind === 'owner' && found[0]! > 0),
    hasData('owner'),
    hasData('client'),
    hasData('renderer') || unreadable.includes('renderer'),
  ]).toEqual([true, true, true, true])
  expect(read.filter(({ bytes }) => bytes === 0)).toEqual([])
  counted(
    3,
    read.length,
    `memory: ${read.map(({ kind, bytes, found }) => `${kind} ${bytes} bytes, key ${found[0]}, data ${found[1]}`).join('; ')}; unreadable: ${unreadable.join(', ') || 'none'}`,
  )
})

test('the owner holds a key where it searches texts for it, where the keychain gave it, and for a call', async () => {
  await expectCount(program.page, 'devices', 200)
  const folder = mkdtempSync(join(tmpdir(), 'headroom-heap-'))
  try {
    const file = join(folder, 'owner.heapsnapshot')
    await program.app.evaluate((_, to) => {
      process.getBuiltinModule('node:v8').writeHeapSnapshot(to)
    }, file)
    const holders = holdersIn(readFileSync(file, 'utf8'), [key])
    // What searches texts for it, what the keychain gave, and a call that is being made.
    const known = /^KnownKeys\.#keys\.|^KeyStore\.#keys\.|\.headers\.Ocp-Apim-Subscription-Key\./
    expect([
      holders.filter((holder) => !known.test(holder)),
      holders.some((holder) => holder.startsWith('KnownKeys.#keys.')),
    ]).toEqual([[], true])
    counted(1, holders.length, `holders in the owner: ${holders.join(', ')}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
