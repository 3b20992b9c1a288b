import { beforeEach, describe, expect, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { demonstrationTemplates, openConnectedCore, type ConnectedCore } from '../../connected-core.ts'
import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import type { Settings } from '../../../electron/core/settings/settings.ts'
import { unwatched } from '../../../electron/core/tasks.ts'

let opened: ConnectedCore
let service: Demonstration
let core: Core

beforeEach(async () => {
  opened = await openConnectedCore({ devices: 120, rooms: 12 })
  ;({ service, core } = opened)
  return opened.close
})

/** The running service with its own paths, after one complete sync. */
async function connected(
  changed: Partial<OrganizationDraft> = {},
): Promise<{ settings: Settings; deviceId: string; firmwareVersion: string }> {
  const { sync, devices } = core.handlers
  await opened.add({
    family: 'Jabra SDK V4',
    templates: demonstrationTemplates,
    ...changed,
  })
  await sync.run()
  const query = {
    where: '"panacast 50"',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 1,
  } as const
  const device = (await devices.slice(query)).rows[0]!
  return {
    settings: (await core.sessions.current()).settings,
    deviceId: device.id,
    firmwareVersion: device.firmwareVersion!,
  }
}

const statuses = (operation: string): Readonly<Record<string, number>> =>
  service.counts().arrivals[operation] ?? {}

describe.each([1, 2])('settings of the demonstration, management version %i', (managementVersion) => {
  test('are read with kinds, values and allowed values, and shown again without the service', async () => {
    const { deviceId } = await connected({ managementVersion })
    const read = await core.handlers.devices.settings({ id: deviceId, refresh: true })
    expect(read.settings.find((one) => one.name === 'fieldOfView')).toMatchObject({
      kind: 'choice',
      feature: {
        id: 'FIELD_OF_VIEW',
        name: 'fieldOfView',
        kind: 'choice',
        supported: ['_90deg', '_120deg', '_140deg', '_180deg'],
      },
    })
    expect(read.settings.filter((one) => one.kind === 'unknown')).toEqual([])
    // The demonstration's model omits this one (services.md#A17).
    expect(read.settings.flatMap((one) => (one.feature === null ? [one.name] : []))).toEqual([
      'peopleCountLedEnabled',
    ])
    await service.stop()
    expect(await core.handlers.devices.settings({ id: deviceId, refresh: false })).toEqual({
      ...read,
      fromCache: true,
    })
    await expect(core.handlers.devices.settings({ id: deviceId, refresh: true })).rejects.toMatchObject({
      failure: { kind: 'offline' },
    })
  })

  test('are changed in one request, read back, and not changed again within the minute', async () => {
    const { settings, deviceId } = await connected({ managementVersion })
    const before = await settings.load(deviceId, { refresh: true })
    const now = before.settings.find((one) => one.name === 'fieldOfView')!.value
    const wanted = now === '_90deg' ? '_120deg' : '_90deg'
    const change = { deviceId, changes: [{ name: 'fieldOfView', value: wanted }, { name: 'videoStiching', value: 'blend' }], unlock: true, wait: false } // prettier-ignore
    expect(await settings.update(change)).toMatchObject({ outcome: 'accepted', failure: null })
    const after = await settings.load(deviceId, { refresh: false })
    expect(
      after.settings
        .flatMap(({ name, value }) =>
          ['fieldOfView', 'videoStiching'].includes(name) ? [[name, value]] : [],
        )
        .sort(),
    ).toEqual([
      ['fieldOfView', wanted],
      ['videoStiching', 'blend'],
    ])
    expect(await settings.update(change)).toMatchObject({
      outcome: 'waiting',
      earliestAt: expect.any(Number) as number,
    })
    expect(statuses('UpdateDeviceSettings')).toEqual({ 200: 1 })
  })
})

test('settings are changed once for the reference of a client', async () => {
  const { deviceId } = await connected()
  const request = {
    id: deviceId,
    changes: [{ name: 'videoStiching', value: 'blend' }],
    unlock: true,
    wait: false,
    reference: 'client-0123456789abcdef0123456789abcdef',
  }
  expect([
    await core.handlers.devices.setSettings(request),
    await core.shared.workbook.query('SELECT id, reference FROM journal_begin', []),
    statuses('UpdateDeviceSettings'),
  ]).toEqual([
    { outcome: 'accepted', failure: null, earliestAt: null, journalId: 1 },
    [{ id: 1, reference: request.reference }],
    { 200: 1 },
  ])
})

test('settings are not changed while actions are locked, and nothing is sent', async () => {
  const { settings, deviceId } = await connected()
  const change = { deviceId, changes: [{ name: 'fieldOfView', value: '_90deg' }], unlock: false, wait: false }
  await expect(settings.update(change)).rejects.toMatchObject({ failure: { kind: 'writes-locked' } })
  expect([statuses('GetDeviceSettings'), statuses('UpdateDeviceSettings')]).toEqual([{}, {}])
})

test('the settings of all devices take one call per page', async () => {
  const { settings, deviceId } = await connected()
  expect(await settings.fetchAll(unwatched)).toEqual({
    devices: 120,
    withoutSettings: 0,
    missed: 0,
    notInInventory: 0,
    calls: 2,
  })
  expect(await settings.load(deviceId, { refresh: false })).toMatchObject({ deviceId, fromCache: true })
  expect([statuses('ListDevicesWithSettings'), statuses('GetDeviceSettings')]).toEqual([{ 200: 2 }, {}])
})
