import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import type { MethodName } from '../../electron/contract/rpc-client.ts'
import { callCore } from './core-behind.ts'
import { answerWith, saveTo } from './desktop-answers.ts'
import { startKeyring, type Keyring } from './keyring.ts'
import { openPage, pages } from './pages.ts'
import {
  expectCount,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'
import { putFault, regenerateKey } from './service-switches.ts'
import { pageCall } from '../page-call.ts'

/** Stored in the keychain before the program starts, so that they are never typed into the page. */
const primaryKey = 'feedc0de5e47e1e15e47e1e1feedc0de'
const secondaryKey = 'c0ffee005e47e1e25e47e1e2c0ffee00'
/** Text that the same search must find, which proves that the search works. */
const name = 'Sentinella A/S'

let home: Home
let program: Program
let service: Service
let keyring: Keyring
let id: string
/** All output of the program. */
let spoken = ''

test.beforeEach(async () => {
  home = newHome()
  keyring = await startKeyring()
  service = await startService(
    '--devices',
    '200',
    '--rooms',
    '12',
    '--key',
    primaryKey,
    '--secondary-key',
    secondaryKey,
  )
  prompt([
    'org',
    'add',
    name,
    '--preset',
    'custom',
    '--management-url',
    service.managementUrl,
    '--metadata-url',
    service.metadataUrl,
  ])
  prompt(['key', 'set', 'primary', '--stdin'], primaryKey)
  prompt(['key', 'set', 'secondary', '--stdin'], secondaryKey)
  // Bound to another host.
  const { organizations } = JSON.parse(prompt(['org', 'list', '--json'])) as {
    readonly organizations: readonly { readonly id: string }[]
  }
  id = organizations[0]!.id
  keyring.put(`${id}:secondary`, `${secondaryKey} https://elsewhere.example`)
  program = await startProgram(home, keyring.environment)
  spoken = ''
  for (const stream of [program.app.process().stdout, program.app.process().stderr])
    stream?.on('data', (piece: Buffer) => (spoken += piece.toString('utf8')))
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  await keyring.end()
  home.remove()
})

/** The command line on this home, with this keychain. */
function prompt(words: readonly string[], input = ''): string {
  return execFileSync(process.execPath, [resolve(import.meta.dirname, '../../out/main/cli.js'), ...words], {
    input,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...keyring.environment,
      HEADROOM_HOME: join(home.folder, 'home'),
      HEADROOM_KEY: '',
    },
  })
}

/** Calls of the contract as the page makes them, and every event; returns what crossed. */
async function cross(
  page: Page,
  questions: readonly (readonly [method: MethodName, argument?: unknown])[],
): Promise<string> {
  const answers: unknown[] = []
  for (const [channel, argument] of questions)
    answers.push([channel, await callCore(page, channel, argument)])
  return JSON.stringify(answers)
}

/** The page's whole memory as the browser exposes it. */
async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const pieces: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk))
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return pieces.join('')
}

/** How often a text contains the name and the keys. */
const hits = (text: string, keys: readonly string[]): { readonly name: boolean; readonly keys: number } => ({
  name: text.includes(name),
  keys: keys.filter(
    (key) => text.includes(key) || text.includes(Buffer.from(key).toString('base64').replace(/=+$/, '')),
  ).length,
})

test('the keys are in no file, log, export, result, event, output or page memory, through every page and failure', async () => {
  const { page } = program
  await expectCount(page, 'devices', 200)
  await saveTo(program.app, join(home.folder, 'devices.csv'))
  await page.evaluate(() => {
    const world = globalThis as unknown as {
      headroom: { subscribe(event: string, listener: (payload: unknown) => void): void }
      heard: unknown[]
    }
    world.heard = []
    for (const channel of [
      'app',
      'organizations',
      'devices',
      'rooms',
      'changes',
      'tags',
      'exports',
      'writes',
      'jobs',
      'journal',
    ])
      world.headroom.subscribe(`${channel}.changed`, (payload) => world.heard.push([channel, payload]))
  })

  for (const [address, there] of pages) {
    await openPage(page, address)
    await expect(page.locator(there).first()).toBeAttached()
  }
  const draft = { startAt: null, window: null, keepTrying: false, canary: false }
  const all = { kind: 'matching', where: '', except: [] }
  const crossed: string[] = []
  const plans = await cross(page, [
    ['jobs.plan', { ...draft, work: { kind: 'reboot-rooms', of: 'rooms', selection: all } }],
  ])
  const plan = /"id":"([^"]+)"/.exec(plans)?.[1] ?? ''
  await answerWith(program.app, 'Start')
  crossed.push(
    plans,
    await cross(page, [
      ['jobs.planned', { plan, start: 0, count: 100 }],
      [
        'jobs.start',
        { plan, unlock: true, typed: Number(/"typeNumber":(\d+)/.exec(plans)?.[1] ?? 0) || null },
      ],
      ['jobs.list', { start: 0, count: 20 }],
      [
        'exports.start',
        {
          subject: { of: 'devices', selection: all, sort: [] },
          format: 'csv',
          columns: null,
          delimiter: ',',
          timeZone: 'UTC',
          viewName: null,
        },
      ],
      ['explorer.run', pageCall('ListMeetingRooms')],
      ['explorer.history'],
      [
        'webhooks.read',
        {
          text: JSON.stringify({
            validationUrl: `${service.managementUrl}/validate?key=1`,
            validationCode: '1',
          }),
        },
      ],
      [
        'webhooks.validate',
        {
          text: JSON.stringify({
            validationUrl: `${service.managementUrl}/validate?key=1`,
            validationCode: '1',
          }),
        },
      ],
    ]),
  )

  const everything: readonly (readonly [MethodName, unknown?])[] = [
    ['app.about'],
    ['app.status'],
    ['app.preferences'],
    ['organizations.list'],
    ['sync.run'],
    ['sync.unreadable'],
    ['devices.slice', { where: '', sort: [], start: 0, count: 100 }],
    ['rooms.list', { where: '', sort: [], start: 0, count: 100 }],
    ['journal.list', { where: '', subjectId: null, start: 0, count: 100 }],
    ['jobs.list', { start: 0, count: 20 }],
    ['explorer.run', pageCall('ListMeetingRooms')],
    ['connections.list'],
    ['exports.list'],
    ['devices.get', { id: primaryKey.slice(0, 7) }],
  ]
  const secondary = { id, slot: 'secondary' }
  const { origin } = new URL(service.managementUrl)
  const binding = await cross(page, [
    ['organizations.checkKey', secondary],
    ['organizations.list'],
    ['organizations.setKey', { ...secondary, key: secondaryKey }],
    ['organizations.checkKey', secondary],
  ])
  expect(binding).toContain('"kind":"key-not-bound"')
  expect(keyring.entries()[`${id}:secondary`]).toBe(`${secondaryKey} ${origin}`)
  crossed.push(binding)
  for (const fault of ['html', 'truncated-json', 'error-in-200', 'refuse-400']) {
    await putFault(service, { name: fault, times: 2 }, primaryKey)
    crossed.push(await cross(page, everything))
  }
  // The service rejects the first key, then the second one too, then it is not reachable.
  const newKey = await regenerateKey(service, 'primary', primaryKey)
  crossed.push(await cross(page, everything))
  await regenerateKey(service, 'secondary', newKey)
  crossed.push(
    await cross(page, [
      ...everything,
      [
        'organizations.checkKey',
        { id: /"id":"([^"]+)","name"|/.exec(crossed[0] ?? '')?.[1] ?? 'x', slot: 'primary' },
      ],
      ['organizations.list'],
    ]),
  )
  await service.end()
  crossed.push(
    await cross(page, [
      ['devices.settings', { id: 'D1', refresh: true }],
      ['app.status'],
      ['journal.list', { where: '', subjectId: null, start: 0, count: 100 }],
    ]),
  )
  await openPage(page, 'organizations')
  await expect(page.getByRole('heading', { name: 'The service refused the key' })).toBeVisible()

  // Quitting asks for confirmation while a job runs.
  const job = /"jobs.start",.*?"id":"([^"]+)"/.exec(crossed.join('\n'))?.[1] ?? ''
  crossed.push(await cross(page, [['jobs.cancel', { id: job }]]))
  await expect.poll(() => cross(page, [['jobs.get', { id: job }]])).toContain('"state":"ended"')

  const keys = [primaryKey, secondaryKey]
  const heard = await page.evaluate(() =>
    JSON.stringify((globalThis as unknown as { heard: unknown[] }).heard),
  )
  expect(heard.length).toBeGreaterThan(100)
  expect(hits(crossed.join('\n'), keys)).toEqual({ name: true, keys: 0 })
  expect(hits(heard, keys).keys).toBe(0)
  expect(hits(await memoryOf(page), keys)).toEqual({ name: true, keys: 0 })
  expect(hits(await program.clipboard(), keys).keys).toBe(0)

  await program.close()
  expect(hits(spoken, keys).keys).toBe(0)
  const files = readdirSync(home.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const found = files.map((entry) => ({
    file: join(entry.parentPath, entry.name),
    ...hits(readFileSync(join(entry.parentPath, entry.name), 'latin1'), keys),
  }))
  expect(found.filter((one) => one.keys > 0)).toEqual([])
  const names = found.map(({ file }) => file.split('/').at(-1))
  expect(names).toEqual(expect.arrayContaining(['devices.csv', 'store.sqlite', 'workbook.sqlite']))
  expect(found.some((one) => one.name)).toBe(true)
})
