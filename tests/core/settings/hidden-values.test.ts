import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settingsCommands } from '../../../electron/cli/commands/settings.ts'
import { parse } from '../../../electron/cli/grammar.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { openSettingDigest } from '../../../electron/core/settings/settings.ts'
import { mayBeSame } from '../../../electron/core/settings/hidden-values.ts'
import { aDevice } from '../../a-device.ts'
import { openWireServer } from '../../adapters/wire-server.ts'
import { asClient } from '../../cli/a-core.ts'
import { aTerminal } from '../../cli/a-terminal.ts'
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { addOrganization } from '../../add-organization.ts'

const password = 'Sentinel-Passw0rd'
const pin = 918273645
const settingsNow = (secret: string): Record<string, Json> => ({
  devicePassword: { value: secret, isLocked: false },
  adminPin: { value: pin },
  accessCode: { selected: secret, value: secret, isOn: false },
  wifiKey: { current: secret, history: [secret] },
  wired: { name: 'roomPasscode', value: secret },
  currentLanguageCode: { selected: 'en' },
  passwordRequired: { isOn: true },
  brightness: { value: 4 },
})

let home: TemporaryHome
let platform: FakePlatform
let core: Core
let server: Awaited<ReturnType<typeof openWireServer>>
let secret: string
let patched: unknown[]

beforeEach(async () => {
  secret = password
  patched = []
  home = new TemporaryHome()
  platform = fakePlatform(home)
  server = await openWireServer(({ method, path, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (method === 'PATCH') {
      patched.push(JSON.parse(body))
      secret = (JSON.parse(body) as { settings: { devicePassword: { value: string } } }).settings
        .devicePassword.value
      return response.end('{}')
    }
    if (path.includes('/settings')) return response.end(JSON.stringify({ settings: settingsNow(secret) }))
    const items = path.startsWith('/devices/')
      ? [
          { ...aDevice(1), settings: settingsNow(secret) },
          { name: 'no id', settings: settingsNow(secret) },
        ]
      : []
    return response.end(JSON.stringify({ items, continuationToken: null }))
  })
  core = await createCore(platform)
  await addOrganization(
    core.handlers,
    { managementUrl: server.url, metadataUrl: server.url },
    { key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90' },
  )
  await core.handlers.sync.run()
})
afterEach(async () => {
  await core.close()
  await server.close()
  await home.remove()
})

const id = 'D00000001'
const read = () => core.handlers.devices.settings({ id, refresh: true })
const isSecret = (text: string): boolean =>
  text.includes(password) || text.includes(String(pin)) || text.includes('Another-Secret')
/** Every byte of every file of the home, as text. */
const inFiles = (): string =>
  ['store', 'workbook'].flatMap((file) => ['', '-wal'].map((end) => bytes(`${file}.sqlite${end}`))).join('')
const bytes = (name: string): string => {
  try {
    return readFileSync(join(home.folder, name), 'latin1')
  } catch {
    return ''
  }
}
const headroom = async (commands: typeof settingsCommands, ...words: readonly string[]): Promise<string> => {
  const terminal = aTerminal()
  const given = parse(commands, words)
  await commands.find((one) => one.name === given.shape.name)!.run(asClient(core), given, terminal)
  return terminal.output + terminal.errors
}

describe('a password or a code from a device', () => {
  test('is shown as dots everywhere, and harmless values are shown', async () => {
    const { settings, raw } = await read()
    expect(
      Object.fromEntries(
        settings.map(({ name, kind, value, hidden }) => [name, [kind, value, hidden !== undefined]]),
      ),
    ).toEqual({
      devicePassword: ['text', '•••', true],
      adminPin: ['number', '•••', true],
      accessCode: ['on-off', false, false],
      wifiKey: ['unknown', null, false],
      wired: ['text', '•••', true],
      currentLanguageCode: ['choice', 'en', false],
      passwordRequired: ['on-off', true, false],
      brightness: ['number', 4, false],
    })
    expect(raw).toEqual({
      settings: {
        devicePassword: { value: '•••', isLocked: false },
        adminPin: { value: '•••' },
        accessCode: { selected: '•••', value: '•••', isOn: false },
        wifiKey: { current: '•••', history: ['•••'] },
        wired: { name: 'roomPasscode', value: '•••' },
        currentLanguageCode: { selected: 'en' },
        passwordRequired: { isOn: true },
        brightness: { value: 4 },
      },
    })
  })

  test('is in no file, log, result, event or command output', async () => {
    const heard: string[] = []
    core.onEvent((channel, payload) => heard.push(JSON.stringify([channel, payload])))
    await read()
    secret = 'Another-Secret'
    await read()
    const visible = [
      await core.handlers.devices.get({ id }),
      await core.handlers.devices.history({ id }),
      await core.handlers.devices.settings({ id, refresh: false }),
      await core.handlers.devices.settingsSummary({ selection: { kind: 'picked', ids: [id] } }),
      await core.handlers.sync.unreadable(),
      await core.handlers.goldenProfiles.notAllowed({ start: 0, count: 100 }),
      await core.handlers.changes.groups({ where: '', since: null }),
    ]
    const printed = [
      await headroom(settingsCommands, 'settings', 'get', id, '--json'),
      await headroom(settingsCommands, 'settings', 'get', id),
    ]
    await core.close()
    expect(
      [
        ...visible.map((one) => JSON.stringify(one)),
        ...printed,
        ...heard,
        ...platform.lines,
        inFiles(),
      ].filter(isSecret),
    ).toEqual([])
    expect(printed[1]).toMatch(/devicePassword +Device password +\S+ +text +•••/)
  })

  test('counts as a change only if it differs', async () => {
    await read()
    await read()
    secret = 'Another-Secret'
    await read()
    const history = await core.handlers.devices.history({ id })
    expect(history.map(({ kind, before, after }) => `${kind} ${before} > ${after}`).toSorted()).toEqual([
      'setting-changed devicePassword: ••• > devicePassword: •••',
      'setting-changed wired: ••• > wired: •••',
    ])
  })

  const planned = async (value: string) => {
    const selection = { kind: 'picked', ids: [id] } as const
    const work = { kind: 'change-settings', selection, changes: [{ name: 'devicePassword', value }] } as const
    const plan = await core.handlers.jobs.plan({
      work,
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    })
    const [item] = (await core.handlers.jobs.planned({ plan: plan.id, start: 0, count: 1 })).items
    return { plan: plan.id, skipped: item?.skipped, change: item?.changes[0] }
  }

  test('is compared by a plan without being shown, and the dots in its place are never sent', async () => {
    const dotted = { name: 'devicePassword', now: '•••', new: '•••', restarts: null }
    expect(
      [await planned(password), await planned('Another-Secret'), await planned('•••')].map(
        ({ skipped, change }) => [skipped, change],
      ),
    ).toEqual([
      ['as-wanted', { ...dotted, allowed: true, reason: null }],
      [null, { ...dotted, allowed: true, reason: null }],
      [
        'not-allowed',
        {
          ...dotted,
          allowed: false,
          reason: 'The dots replace a hidden value. Type the value itself.',
        },
      ],
    ])
  })

  const endedJob = async (plan: string): Promise<unknown> => {
    const ended = new Promise<void>((resolve) => {
      const look = async (): Promise<void> => {
        const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
        if (job?.state === 'ended') resolve()
      }
      core.onEvent((channel) => void (channel === 'jobs.changed' && look()))
    })
    const { id: job } = await core.handlers.jobs.start({ plan, unlock: true, typed: null })
    await ended
    const [item] = (await core.handlers.jobs.items({ id: job, show: null, start: 0, count: 1 })).items
    return [item?.outcome, item?.detail]
  }

  test('is written by a job and verified by its digest', async () => {
    const { plan } = await planned('Another-Secret')
    expect([await endedJob(plan), patched.length, secret]).toEqual([
      ['done', 'verified'],
      1,
      'Another-Secret',
    ])
    await core.close()
    expect([...platform.lines, inFiles()].filter(isSecret)).toEqual([])
  })

  test('that differs from the plan is a conflict, and nothing is sent', async () => {
    const { plan } = await planned('Another-Secret')
    secret = 'a third one'
    expect([await endedJob(plan), patched]).toEqual([['failed', 'conflict'], []])
  })
})

describe('digests', () => {
  test('belong to one data folder: equal for equal values, also after a restart, and useless in other folders', async () => {
    const one = await openSettingDigest(core.shared.workbook, platform.newId)
    const again = await openSettingDigest(core.shared.workbook, platform.newId)
    const other = await openSettingDigest(
      { write: () => Promise.reject(new Error('no workbook')) },
      platform.newId,
    )
    const [digest] = [one('pin', 1234)]
    expect({
      again: again('pin', '1234') === digest,
      otherValue: one('pin', '1235') === digest,
      otherName: one('code', 1234) === digest,
      otherHome: other('pin', 1234) === digest,
    }).toEqual({ again: true, otherValue: false, otherName: false, otherHome: false })
    expect([
      mayBeSame(digest, again('pin', 1234)),
      mayBeSame(digest, one('pin', 1)),
      mayBeSame(digest, other('pin', 1234)),
    ]).toEqual([true, false, true])
  })
})
