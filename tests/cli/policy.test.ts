import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/app.ts'
import { settle } from '../fake-clock.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import { tell } from '../../electron/cli/job-run.ts'
import { aCore } from './a-core.ts'
import { aJob } from './a-job.ts'
import { aTerminal } from './a-terminal.ts'
import { nobody } from '../core/jobs/asking-a-program.ts'
import { demonstrationTemplates, openSyncedCore, type ConnectedCore } from '../connected-core.ts'
import { FakePolicy } from '../fake-policy.ts'
import { runOn, type Said } from './run-on.ts'

const { file } = FakePolicy
let connected: ConnectedCore
let core: Core
let room: string
let device: string
beforeEach(async () => {
  connected = await openSyncedCore({ devices: 60, rooms: 6 }, { templates: demonstrationTemplates })
  ;({ core } = connected)
  const rooms = await core.handlers.rooms.list({ where: 'online:>0', sort: [], start: 0, count: 2 })
  room = rooms.rows[0]!.id
  device = (
    await core.handlers.devices.slice({
      where: '',
      sort: [{ column: 'name', descending: false }],
      start: 0,
      count: 1,
    })
  ).rows[0]!.id
  return connected.close
})

/** The administrator writes this policy while the program runs. */
async function become(document: object | string | null): Promise<void> {
  ;(connected.platform.policySource as FakePolicy).become(document)
  await settle()
}
const placed = (words: readonly string[]): readonly string[] =>
  words.map((word) => (word === 'ROOM' ? room : word === 'DEVICE' ? device : word))
const headroom = (...words: readonly string[]): Promise<Said> => runOn(core, placed(words))
/** The document of one room or device says that it was refused, too. */
const failureOf = ({ code, output, errors }: Said): unknown => [
  code,
  /^\{"(?:room|device)":/.test(output) ? '' : output,
  JSON.parse(errors.split('\n')[0]!),
]
const sentOf = (): number =>
  ['RebootRoom', 'UpdateDeviceSettings', 'UpdateDeviceFirmware']
    .flatMap((operation) => Object.values(connected.service.counts().arrivals[operation] ?? {}))
    .reduce((sum, count) => sum + count, 0)

describe('headroom policy', () => {
  it.each<[string, object | string | null, unknown]>([
    ['none', null, { file, state: 'none', problem: null, settings: [] }],
    [
      'applied',
      { mostItems: 20, proxy: 'direct', newerVersions: false },
      {
        file,
        state: 'applied',
        problem: null,
        settings: [
          { name: 'mostItems', value: 20 },
          { name: 'proxy', value: 'direct' },
          { name: 'newerVersions', value: false },
        ],
      },
    ],
    [
      'locked',
      '{"policy": 1,\n"unheardOf": true, "lookOnly": true}',
      {
        file,
        state: 'locked',
        problem: `${file}, line 2: "unheardOf" is not known to this version.`,
        settings: [{ name: 'lookOnly', value: true }],
      },
    ],
  ])('prints the state %s and ends with 0', async (_, document, expected) => {
    await become(document)
    const { code, output } = await headroom('policy', '--json')
    expect([code, JSON.parse(output)]).toEqual([0, expected])
  })
  it('is a text for people', async () => {
    await become({ allowedHosts: ['api.example.com'] })
    expect(await headroom('policy')).toEqual({
      code: 0,
      output: [
        `Policy: ${file}`,
        'It is applied.',
        'Member        Value',
        'allowedHosts  ["api.example.com"]',
        '',
      ].join('\n'),
      errors: '',
    })
  })
})

const locked = {
  kind: 'policy',
  rule: 'locked',
  file,
  detail: `${file}, line 1: the document is incomplete.`,
}

describe('while the policy is locked', () => {
  beforeEach(() => become('{'))
  it.each([
    ['reboot', 'ROOM', '--yes', '--unlock'],
    ['reboot', 'ROOM', '--dry-run'],
    ['settings', 'set', 'DEVICE', 'videoStiching=hybrid', '--yes', '--unlock'],
    ['tags', 'add', 'loan', 'DEVICE'],
    ['org', 'add', 'Other', '--preset', 'demonstration'],
    ['org', 'use', 'Nordlys'],
    ['org', 'remove', 'Nordlys', '--yes'],
    ['key', 'check'],
    ['offline', 'prepare'],
    ['cache', 'clear'],
    ['demo'],
    ['call', 'RebootRoom', 'groupId=x', '--yes', '--unlock'],
  ])('headroom %s %s ends with 3, names file and line, and changes nothing', async (...words) => {
    const before = await core.handlers.organizations.list()
    const said = await headroom(...words, ...(words[0] === 'demo' ? [] : ['--json']))
    const errors = words[0] === 'demo' ? JSON.stringify(locked) : said.errors
    expect([
      failureOf({ ...said, errors }),
      said.errors.includes('line 1'),
      sentOf(),
      await core.handlers.organizations.list(),
    ]).toEqual([[3, '', locked], true, 0, before])
  })
  it.each([
    ['devices'],
    ['device', 'DEVICE'],
    ['rooms'],
    ['room', 'ROOM'],
    ['sync'],
    ['changes'],
    ['journal'],
    ['jobs'],
    ['products'],
    ['org', 'list'],
    ['connections'],
    ['policy'],
    ['help'],
    ['call', 'ListDevices', 'deviceClientType=MeetingRoom'],
  ])('headroom %s %s goes on', async (...words) => {
    expect((await headroom(...words)).code).toBe(0)
  })
})

describe('each member of a policy', () => {
  const refusals: readonly (readonly [
    string,
    object,
    readonly (readonly string[])[],
    { readonly rule: string; readonly detail?: string | null },
  ])[] = [
    [
      'allowedHosts',
      { allowedHosts: ['api.example.com'] },
      [['sync']],
      { rule: 'host', detail: '127.0.0.1' },
    ],
    [
      'allowedHosts, with another organization',
      { allowedHosts: ['api.example.com'] },
      [
        [
          'org',
          'add',
          'Other',
          '--management-url',
          'https://api.example.com',
          '--metadata-url',
          'https://cdn.example.com',
        ],
      ],
      { rule: 'host', detail: 'cdn.example.com' },
    ],
    [
      'an empty allowedHosts',
      { allowedHosts: [] },
      [['call', 'GetTelemetry']],
      { rule: 'host', detail: '127.0.0.1' },
    ],
    [
      'demonstration',
      { demonstration: false },
      [['org', 'add', 'Try', '--preset', 'demonstration']],
      { rule: 'demonstration' },
    ],
    [
      'lookOnly',
      { lookOnly: true },
      [
        ['reboot', 'ROOM', '--yes', '--unlock'],
        ['settings', 'set', 'DEVICE', 'automaticZoomMode=fullScreen', '--yes', '--unlock'],
      ],
      { rule: 'look-only' },
    ],
    [
      'mostItems',
      { mostItems: 0 },
      [['reboot', 'ROOM', '--yes', '--unlock']],
      { rule: 'most-items', detail: '0' },
    ],
    [
      'export',
      { export: false },
      [['kit', 'make', '--product', '0x24B3', '--to', '/tmp/headroom-no-kit']],
      { rule: 'export' },
    ],
    [
      'organizations',
      {
        organizations: [
          {
            name: 'Nordlys',
            managementUrl: 'https://api.example.com',
            metadataUrl: 'https://api.example.com',
          },
        ],
      },
      [['org', 'remove', 'Nordlys', '--yes']],
      { rule: 'organization', detail: 'Nordlys' },
    ],
  ]
  it.each(
    refusals.flatMap(([name, document, all, failure]) =>
      all.map((words) => [name, words, document, failure] as const),
    ),
  )('%s refuses headroom %j with 3, and nothing is sent', async (_, words, document, failure) => {
    await become(document)
    const said = await headroom(...words, '--json')
    expect([failureOf(said), sentOf()]).toEqual([
      [3, '', { kind: 'policy', file, detail: null, ...failure }],
      0,
    ])
  })

  it('demonstration refuses headroom demo', async () => {
    await become({ demonstration: false })
    expect(await headroom('demo')).toEqual({
      code: 3,
      output: '',
      errors: `The policy of this computer does not allow the demonstration. It is set in ${file}. Nothing was done. Ask your administrator.\n`,
    })
  })
  it('demonstration stops one that was added before', async () => {
    let started = 0
    Object.assign(connected.platform, { demonstration: async () => void started++ })
    await headroom('org', 'add', 'Try', '--preset', 'demonstration')
    await become({ demonstration: false })
    expect([(await headroom('sync', '--organization', 'Try')).code, started]).toEqual([3, 0])
  })
  it('lookOnly lets plans be made and keys and local work change', async () => {
    await become({ lookOnly: true })
    const codes = []
    for (const words of [
      ['reboot', 'ROOM', '--dry-run'],
      ['tags', 'add', 'loan', 'DEVICE'],
      ['key', 'check'],
    ])
      codes.push((await headroom(...words)).code)
    expect([codes, sentOf()]).toEqual([[0, 0, 0], 0])
  })
  it('mostItems counts what was sent before it came, and one action after the other', async () => {
    await headroom('reboot', 'ROOM', '--no-watch', '--yes', '--unlock')
    await become({ mostItems: 1 })
    const { code } = await headroom('reboot', 'ROOM', '--no-watch', '--yes', '--unlock')
    expect([code, sentOf()]).toEqual([3, 1])
  })
  it('export leaves what a command prints', async () => {
    await become({ export: false })
    const { code, output } = await headroom('devices', '--csv')
    expect([code, output.split('\r\n').length]).toEqual([0, 62])
  })
  it.each<[string, object, string, unknown, object]>([
    [
      'export refuses a file of the window',
      { export: false },
      'exports.start',
      {
        subject: { of: 'devices', selection: { kind: 'matching', where: '', except: [] }, sort: [] },
        format: 'csv',
        columns: null,
        delimiter: ',',
        timeZone: 'UTC',
        viewName: null,
      },
      { rule: 'export' },
    ],
    [
      'webhooks refuses a validation',
      { webhooks: false },
      'webhooks.validate',
      { text: '{}' },
      { rule: 'webhooks' },
    ],
  ])('%s', async (_, document, method, argument, failure) => {
    await become(document)
    expect(await core.server(method, argument)).toMatchObject({
      ok: false,
      failure: { kind: 'policy', file, detail: null, ...failure },
    })
  })
  it('lookOnly refuses the Explorer', async () => {
    await become({ lookOnly: true })
    const answer = await core.server('explorer.run', {
      operation: 'RebootRoom',
      parameters: { groupId: room },
      unlock: true,
      whole: false,
      wait: false,
      copies: null,
      reference: null,
    })
    expect([answer, sentOf()]).toMatchObject([{ ok: false, failure: { rule: 'look-only' } }, 0])
  })
  it('lookOnly stops a job that runs: 3, because nothing was sent', async () => {
    const stop = core.onEvent((event) => {
      if (event !== 'jobs.changed') return
      stop()
      void become({ lookOnly: true })
    })
    const { code, output } = await headroom('reboot', 'ROOM', '--watch', '--yes', '--unlock', '--json')
    const { jobs } = await core.handlers.jobs.list({ start: 0, count: 1 })
    expect([
      code,
      JSON.parse(output),
      jobs.map(({ state, waitsFor }) => [state, waitsFor]),
      sentOf(),
    ]).toEqual([
      3,
      { room, outcome: 'refused', reason: 'policy', earliestAt: null, id: null },
      [['paused', 'policy']],
      0,
    ])
  })
  it.each<[Partial<Job>, number]>([
    [{ underWay: 1 }, 4],
    [{ counts: { ...nobody, unknown: 1 } }, 4],
    [{ counts: { ...nobody, done: 1 } }, 4],
    [{ counts: { ...nobody, failed: 1 }, notSent: 1 }, 3],
  ])('a job that it stopped with %j ends with %i', async (given, code) => {
    const job = aJob({ state: 'paused', waitsFor: 'policy', ...given })
    const { handlers } = aCore({ handlers: { jobs: { items: async () => ({ items: [], total: 0 }) } } })
    const parsed = {
      shape: { name: 'reboot', operands: [], options: {}, summary: '' },
      operands: [],
      options: {},
    }
    expect(await tell(handlers.jobs, job, [], parsed, aTerminal())).toBe(code)
  })
  it('is in the status of the window, which hears of a change', async () => {
    const heard: string[] = []
    core.onEvent((event) => void heard.push(event))
    await become({ lookOnly: true })
    await expect.poll(() => heard).toContain('app.changed')
    expect((await core.handlers.app.status()).policy).toEqual({
      file,
      state: 'applied',
      problem: null,
      settings: [{ name: 'lookOnly', value: true }],
    })
  })
})
