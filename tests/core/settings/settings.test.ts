import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DefinitionQuery } from '../../../electron/contract/api/definitions.ts'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { observedTemplates, type EndpointTemplates } from '../../../electron/contract/template.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { openDeviceEndpoints } from '../../../electron/core/management/management.ts'
import type { FeatureModel } from '../../../electron/core/metadata/metadata.ts'
import type { ServiceRequest } from '../../../electron/core/service-client/service-client.ts'
import { openSettings, type Settings } from '../../../electron/core/settings/settings.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import type { PlannedWrite } from '../../../electron/core/writes/writes.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { failureOf } from '../../failure-of.ts'

const offline: Failure = {
  kind: 'offline',
  call: { operation: 'GetDeviceSettings', host: 'h' },
  message: 'No network.',
}
const everyTemplate: EndpointTemplates = {
  ...observedTemplates,
  devicesWithSettings: 'POST /devices/with-settings',
  firmwareRead: 'GET /devices/{deviceId}/firmware',
  firmwareUpdate: 'POST /devices/{deviceId}/firmware/{firmwareVersion}',
}
const view = {
  id: 'FIELD_OF_VIEW',
  name: 'fieldOfView',
  kind: 'choice' as const,
  supported: ['_90deg', '_120deg'],
  minimum: null,
  maximum: null,
  restarts: true,
}
const model: FeatureModel = {
  definitionVersion: null,
  schemaVersion: null,
  stage: null,
  settings: [view],
  raw: { settingIds: { fieldOfView: 'FIELD_OF_VIEW' } },
}
const answer = { settings: { fieldOfView: { selected: '_90deg', isLocked: true }, brightness: { value: 4 } } }

let home: TemporaryHome
let clock: FakeClock
let store: Store
let service: (request: ServiceRequest) => Json | Failure
let sent: string[]
let bodies: (Json | null)[]
let requested: DefinitionQuery[]
let published: FeatureModel | Failure
let executed: Omit<PlannedWrite, 'send' | 'again'>[]
let report: WriteReport
let unlocked: boolean
/** The device was written to less than a minute ago; null: it was not. */
let slotsAreFree: (() => Promise<void>) | null
let settings: Settings

const isFailure = (value: Json | Failure): value is Failure =>
  typeof value === 'object' && value !== null && 'kind' in value
const accepted: WriteReport = { outcome: 'accepted', failure: null, earliestAt: null, journalId: 1 }

function opened(templates: EndpointTemplates = everyTemplate, organizationId = 'nordlys'): Settings {
  const client = {
    send: async (request: ServiceRequest) => {
      sent.push(`${request.operation}${request.writes ? ' writes' : ''}`)
      bodies.push(request.body)
      const json = service(request)
      if (isFailure(json)) throw new Failed(json)
      return { status: 200, headers: {}, json, text: '', receivedAt: clock.now(), attempts: 1 }
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  return openSettings({
    organizationId,
    vendorId: 2830,
    templates,
    managementVersion: 2,
    endpoints: openDeviceEndpoints({ client, templates, host: 'h' }),
    digest: (name, value) => `k.${name}-${value.toString().length}`,
    host: 'h',
    store,
    metadata: {
      featureModel: async (query) => {
        requested.push(query)
        if ('kind' in published) throw new Failed(published)
        return {
          value: published,
          observedAt: clock.now(),
          fromCache: false,
          address: 'https://m.example',
          beside: () => [],
        }
      },
    },
    device: async (id) => {
      if (id === 'unread') throw new Failed({ kind: 'not-found', call: null, what: id })
      return {
        id,
        name: 'PanaCast 50 Aarhus',
        productId: 12306,
        variantType: id === 'half-known' ? null : '04-0B',
        firmwareVersion: '7.1.2',
      }
    },
    writes: {
      mustBeOpen: async (unlock) => {
        if (!unlock && !unlocked) throw new Failed({ kind: 'writes-locked' })
      },
      execute: async ({ again, ...planned }) => {
        await slotsAreFree?.()
        const { send, ...write } = { ...planned, ...(slotsAreFree === null ? {} : await again?.()) }
        executed.push(write)
        if (report.outcome === 'accepted' || report.outcome === 'unconfirmed')
          await send(null, async () => undefined)
        return report
      },
    },
  })
}

beforeEach(async () => {
  home = new TemporaryHome()
  clock = new FakeClock()
  store = await home.openStore(clock)
  service = () => answer
  sent = []
  bodies = []
  requested = []
  published = model
  executed = []
  report = accepted
  unlocked = true
  slotsAreFree = null
  settings = opened()
})
afterEach(() => home.remove())

describe('settings of a device', () => {
  test('are read with the allowed values from the feature model of its firmware', async () => {
    expect(await settings.load('d1', { refresh: true })).toEqual({
      deviceId: 'd1',
      settings: [
        {
          name: 'fieldOfView',
          kind: 'choice',
          value: '_90deg',
          locked: true,
          feature: view,
          raw: answer.settings.fieldOfView,
        },
        {
          name: 'brightness',
          kind: 'number',
          value: 4,
          locked: null,
          feature: null,
          raw: answer.settings.brightness,
        },
      ],
      observedAt: clock.now(),
      fromCache: false,
      source: 'observed',
      raw: answer,
    })
    expect(requested).toEqual([
      { vendorId: 2830, productId: 12306, variantType: '04-0B', firmwareVersion: '7.1.2' },
    ])
  })

  test('from the cache are shown with their age and without a call', async () => {
    const first = await settings.load('d1', { refresh: true })
    await clock.advance(3_600_000)
    service = () => offline
    expect(await opened().load('d1', { refresh: false })).toEqual({ ...first, fromCache: true })
    expect(sent).toEqual(['GetDeviceSettings'])
  })

  test('are fetched when nothing is cached, and again on refresh', async () => {
    await settings.load('d1', { refresh: false })
    await settings.load('d1', { refresh: false })
    await settings.load('d1', { refresh: true })
    expect(sent).toEqual(['GetDeviceSettings', 'GetDeviceSettings'])
  })

  test('stay unchanged when they cannot be read again, and the failure is reported', async () => {
    const first = await settings.load('d1', { refresh: true })
    service = () => offline
    expect(await failureOf(settings.load('d1', { refresh: true }))).toEqual(offline)
    expect(await settings.load('d1', { refresh: false })).toEqual({ ...first, fromCache: true })
  })

  test('of another organization are never shown', async () => {
    await settings.load('d1', { refresh: true })
    service = () => offline
    expect(await failureOf(opened(everyTemplate, 'another').load('d1', { refresh: false }))).toEqual(offline)
  })

  test('are forgotten with their organization', async () => {
    await settings.load('d1', { refresh: true })
    await store.forget('nordlys')
    service = () => offline
    expect(await failureOf(settings.load('d1', { refresh: false }))).toEqual(offline)
  })

  test('are fetched once for two simultaneous requests', async () => {
    const [one, other] = await Promise.all([
      settings.load('d1', { refresh: true }),
      settings.load('d1', { refresh: true }),
    ])
    expect({ sent, same: one.raw === other.raw }).toEqual({ sent: ['GetDeviceSettings'], same: true })
  })

  test.each<[string, string, () => void]>([
    [
      'is not published',
      'd1',
      () => (published = { kind: 'not-found', call: null, what: 'the feature model' }),
    ],
    ['cannot be had now', 'd1', () => (published = offline)],
    ['cannot be named, for the device was never read', 'unread', () => undefined],
    ['cannot be named, for the record is incomplete', 'half-known', () => undefined],
  ])('are shown without explanations when the feature model %s', async (_, deviceId, given) => {
    given()
    const read = await settings.load(deviceId, { refresh: true })
    expect(read.settings.map(({ name, feature }) => [name, feature])).toEqual([['fieldOfView', null], ['brightness', null]]) // prettier-ignore
  })

  test.each<[string, Json]>([
    ['a list', []],
    ['a text', 'fine'],
    ['an object without settings', { items: [] }],
    ['settings as a list', { settings: [1] }],
  ])('from an answer that is %s are reported as unreadable and not cached', async (_, json) => {
    service = () => json
    expect(await failureOf(settings.load('d1', { refresh: true }))).toMatchObject({
      kind: 'unreadable-answer',
      where: 'settings',
    })
    service = () => offline
    expect(await failureOf(settings.load('d1', { refresh: false }))).toEqual(offline)
  })

  test('without an address are reported as not published, and cached ones are still shown', async () => {
    await settings.load('d1', { refresh: true })
    const without = opened({ ...everyTemplate, deviceSettings: null })
    expect(await failureOf(without.load('d1', { refresh: true }))).toMatchObject({
      kind: 'not-found',
      call: { operation: 'GetDeviceSettings' },
    })
    expect(await without.load('d1', { refresh: false })).toMatchObject({ fromCache: true, source: 'profile' })
  })
})

describe('settings of all devices', () => {
  const pages: readonly Json[] = [
    { items: [{ id: 'd1', settings: answer.settings }, { id: 'd2' }], continuationToken: 'next' },
    { items: [], continuationToken: 'last' },
    { items: [{ id: 'd3', settings: null }, { settings: {} }, null], continuationToken: null },
  ]

  test('take one call per page and are cached for each device', async () => {
    let page = 0
    service = () => pages[page++] ?? null
    expect(await settings.fetchAll(unwatched)).toEqual({
      devices: 2,
      withoutSettings: 3,
      missed: 0,
      notInInventory: 3,
      calls: 3,
    })
    service = () => offline
    expect(await settings.load('d1', { refresh: false })).toMatchObject({ fromCache: true, raw: answer })
    expect(await settings.load('d3', { refresh: false })).toMatchObject({ fromCache: true, settings: [] })
    expect(await failureOf(settings.load('d2', { refresh: false }))).toEqual(offline)
  })

  test('end with an error at a repeated token', async () => {
    const round = ['a', 'b', 'a', 'b']
    service = () => ({ items: [], continuationToken: round.shift() ?? null })
    expect(await failureOf(settings.fetchAll(unwatched))).toMatchObject({
      kind: 'unreadable-answer',
      where: 'continuationToken',
    })
    expect(sent.length).toBe(3)
  })

  test('end with an error for endless pages with new tokens', async () => {
    let asked = 0
    service = () => ({ items: [{ id: 'd1', settings: {} }], continuationToken: `token ${++asked}` })
    expect([await failureOf(settings.fetchAll(unwatched)), asked]).toMatchObject([
      { kind: 'unreadable-answer', where: 'continuationToken' },
      53,
    ])
  })
})

describe('a change of settings', () => {
  const change = {
    deviceId: 'd1',
    changes: [{ name: 'fieldOfView', value: '_120deg' }],
    unlock: false,
    wait: true,
  }

  test('is one write with slots and journal, with old and new values', async () => {
    expect(await settings.update(change)).toEqual(accepted)
    expect({ sent, executed, body: bodies[1] }).toEqual({
      sent: ['GetDeviceSettings', 'UpdateDeviceSettings writes'],
      executed: [
        {
          operation: 'UpdateDeviceSettings',
          target: { of: 'device', id: 'd1', name: 'PanaCast 50 Aarhus' },
          deviceIds: ['d1'],
          unlock: false,
          wait: true,
          reference: null,
          before: 'fieldOfView=_90deg',
          after: 'fieldOfView=_120deg',
        },
      ],
      body: {
        settings: { fieldOfView: { isLocked: true, isOn: false, selected: '_120deg', value: '_120deg' } },
      },
    })
  })

  test('reads the device again after its minute: values, lock and journal are those of then', async () => {
    const reports = (selected: string, isLocked: boolean) => () => ({
      settings: { fieldOfView: { selected, isLocked } },
    })
    service = reports('_90deg', false)
    slotsAreFree = async () => {
      service = reports('_120deg', true)
    }
    await settings.update({ ...change, changes: [{ name: 'fieldOfView', value: '_90deg' }] })
    expect({ sent, before: executed[0]!.before, body: bodies[2] }).toEqual({
      sent: ['GetDeviceSettings', 'GetDeviceSettings', 'UpdateDeviceSettings writes'],
      before: 'fieldOfView=_120deg',
      body: {
        settings: { fieldOfView: { isLocked: true, isOn: false, selected: '_90deg', value: '_90deg' } },
      },
    })
  })

  test('is not sent if the device has the setting no longer after its minute', async () => {
    slotsAreFree = async () => {
      service = () => ({ settings: {} })
    }
    expect(await failureOf(settings.update(change))).toMatchObject({
      kind: 'invalid',
      field: 'settings.fieldOfView',
    })
    expect(executed).toEqual([])
  })

  test('is rejected while actions are locked, before anything is sent', async () => {
    unlocked = false
    expect(await failureOf(settings.update(change))).toEqual({ kind: 'writes-locked' })
    expect({ sent, executed }).toEqual({ sent: [], executed: [] })
  })

  test('to a value the device does not allow is never executed', async () => {
    const wrong = { ...change, changes: [{ name: 'fieldOfView', value: '_180deg' }] }
    expect(await failureOf(settings.update(wrong))).toMatchObject({
      kind: 'invalid',
      field: 'settings.fieldOfView',
    })
    expect({ sent, executed }).toEqual({ sent: ['GetDeviceSettings'], executed: [] })
  })

  test('without an address is reported as not published before anything is sent', async () => {
    const without = opened({ ...everyTemplate, updateDeviceSettings: null })
    expect(await failureOf(without.update(change))).toMatchObject({
      kind: 'not-found',
      call: { operation: 'UpdateDeviceSettings' },
    })
    expect({ sent, executed }).toEqual({ sent: [], executed: [] })
  })

  test('is not made when the device cannot be read first', async () => {
    service = () => offline
    expect(await failureOf(settings.update(change))).toEqual(offline)
    expect(executed).toEqual([])
  })

  test.each<[WriteReport['outcome'], boolean]>([
    ['accepted', false],
    ['unconfirmed', false],
    ['refused', true],
    ['waiting', true],
  ])('that ended %s leaves in the cache: %s', async (outcome, stored) => {
    report = { ...accepted, outcome }
    await settings.update(change)
    service = () => offline
    expect((await failureOf(settings.load('d1', { refresh: false }))) === null).toBe(stored)
  })
})

test('the cached settings of a single device can be cleared', async () => {
  for (const id of ['d1', 'd2']) await settings.load(id, { refresh: true })
  await settings.forget('d1')
  service = () => offline
  expect([
    await failureOf(settings.load('d1', { refresh: false })),
    (await settings.load('d2', { refresh: false })).fromCache,
  ]).toEqual([offline, true])
})
