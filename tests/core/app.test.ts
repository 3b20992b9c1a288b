import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openConnectedCore } from '../connected-core.ts'
import type { Organization } from '../../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { Demonstration } from '../../electron/demo/demonstration.ts'
import { FakeClock } from '../fake-clock.ts'
import type { FakePlatform } from '../fake-platform.ts'
import type { TemporaryHome } from '../temporary-store.ts'
import { addOrganization } from '../add-organization.ts'

const byName = [{ column: 'name', descending: false }] as const
const wrongKey = '00000000000000000000000000000000'

let home: TemporaryHome
let platform: FakePlatform
let service: Demonstration
let core: Core

beforeEach(async () => {
  ;({ home, platform, service, core } = await openConnectedCore({ devices: 250, rooms: 12, onFiles: true }))
})
afterEach(async () => {
  await core.close()
  await service.stop()
  await home.remove()
})

/** Adds the running service as an organization. */
const addService = (): Promise<Organization> => addOrganization(core.handlers, service)
/** Requests that the service rejected for their key. */
const refusals = (): number =>
  Object.values(service.counts().arrivals).reduce((sum, byStatus) => sum + (byStatus['401'] ?? 0), 0)

describe('the core, from the contract to the service and back', () => {
  test('reports a missing organization for every query, with an empty status', async () => {
    await expect(
      core.handlers.devices.slice({ where: '', sort: byName, start: 0, count: 10 }),
    ).rejects.toMatchObject({
      failure: { kind: 'invalid', field: 'organization' },
    })
    expect(await core.handlers.app.status()).toMatchObject({
      organizationId: null,
      deviceCount: 0,
      roomCount: 0,
      asOf: null,
      connection: 'unknown',
      problems: [],
    })
  })

  test('follows a change while the organization that was named does not exist', async () => {
    const opened = await createCore(platform, { organization: 'Nowhere' })
    await expect(opened.sessions.reconcile()).resolves.toBeUndefined()
    await opened.close()
  })

  test('says since when the data folder has a problem', async () => {
    const lost = { kind: 'data-folder', reason: 'replaced', holder: null, detail: null } as const
    const clock = new FakeClock()
    const opened = await createCore({
      ...platform,
      clock,
      dataFolder: { ...platform.dataFolder, problem: () => lost },
    })
    const since = async (): Promise<unknown> =>
      (await opened.handlers.app.status()).problems.map((problem) => problem.since)
    const first = await since()
    await clock.advance(60_000)
    expect([first, await since()]).toEqual([[clock.now() - 60_000], first])
    await opened.close()
  })

  test('handles a key, a sync, a device, its firmware link, its notes, its definitions; then the same without the service', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    expect(await core.handlers.organizations.checkKey({ id, slot: 'primary' })).toMatchObject({
      accepted: true,
    })
    expect(await core.handlers.sync.run()).toMatchObject({
      complete: true,
      devices: { read: 250 },
      rooms: { read: 12 },
    })

    const mainJob = async () => {
      const { rows, total } = await core.handlers.devices.slice({
        where: 'evolve2',
        sort: byName,
        start: 0,
        count: 100,
      })
      const device = rows.find((row) => row.productId !== null && row.firmwareVersion !== null)!
      const product = { vendorId: 2830, productId: device.productId! }
      const { releases } = await core.handlers.firmware.releases(product)
      const latest = releases.find((release) => release.latest)!
      const link = await core.handlers.firmware.link({
        ...product,
        version: latest.version,
        buildType: 'Release',
        refresh: false,
      })
      const notes = await core.handlers.releaseNotes.get(product)
      const definitions = await core.handlers.definitions.read({
        ...product,
        variantType: device.variantType!,
        firmwareVersion: device.firmwareVersion!,
      })
      return {
        total,
        device: (await core.handlers.devices.get({ id: device.id })).raw,
        compliance: await core.handlers.firmware.compliance({ deviceId: device.id }),
        link: link.url,
        notes: notes.record?.links.map((one) => one.url),
        definitions: [definitions.inUse.inUse, definitions.inUse.reason, definitions.properties.length],
      }
    }
    const online = await mainJob()
    expect(online.total).toBeGreaterThan(10)
    expect(online.definitions[0]).toBe('14.5.0')
    expect((await core.handlers.app.status()).connection).toBe('online')

    await service.stop()
    expect(await mainJob()).toEqual(online)
    await expect(core.handlers.sync.run()).rejects.toMatchObject({ failure: { kind: 'offline' } })
    expect(await core.handlers.app.status()).toMatchObject({
      deviceCount: 250,
      roomCount: 12,
      connection: 'offline',
    })
  })

  test('stops everything on a refused key; no further call reaches the service until the technician acts', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: wrongKey })
    await expect(core.handlers.sync.run()).rejects.toMatchObject({
      failure: { kind: 'key-refused', slot: 'primary' },
    })
    for (let again = 0; again < 5; again++)
      await expect(core.handlers.sync.run()).rejects.toMatchObject({ failure: { kind: 'key-refused' } })
    // The three streams in flight at once, and not one more.
    expect(refusals()).toBeGreaterThan(0)
    expect(refusals()).toBeLessThanOrEqual(3)
    expect((await core.handlers.organizations.list()).organizations[0]).toMatchObject({
      stoppedBecause: 'key-refused',
    })

    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    expect(await core.handlers.sync.run()).toMatchObject({ complete: true, devices: { read: 250 } })
  })

  test('switches to the secondary key once, reports it, and completes the sync', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: wrongKey })
    await core.handlers.organizations.setKey({
      id,
      slot: 'secondary',
      key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    })
    expect(await core.handlers.sync.run()).toMatchObject({ complete: true, devices: { read: 250 } })
    expect((await core.handlers.app.status()).problems.map((problem) => problem.failure)).toEqual([
      expect.objectContaining({ kind: 'key-refused', slot: 'primary' }),
    ])
  })

  test('reports every attempt of a sync, as the budget counted them', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    service.faults.set({ name: 'repeated-token', rate: 1, times: null, operation: 'ListDevices' })
    const report = await core.handlers.sync.run()
    expect([report.complete, report.calls]).toEqual([
      false,
      (await core.handlers.app.status()).budget.fiveMinutes.used,
    ])
  })

  test('reports a locked keychain, never "no key"; the cached fleet remains', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    await core.handlers.sync.run()
    await core.close()

    platform.keychain.problem = 'locked'
    core = await createCore(platform)
    await expect(core.handlers.sync.run()).rejects.toMatchObject({
      failure: { kind: 'keychain-unavailable', reason: 'locked' },
    })
    expect((await core.handlers.devices.slice({ where: '', sort: byName, start: 0, count: 1 })).total).toBe(
      250,
    )
    platform.keychain.problem = null
    expect(await core.handlers.sync.run()).toMatchObject({ complete: true })
  })

  test('offers an edited list of assumed values from then on', async () => {
    const { id } = await addService()
    const { custom } = Object.fromEntries(
      (await core.handlers.organizations.list()).presets.map(({ name, draft }) => [name, draft]),
    )
    const offered = async () => {
      const parameters = (await core.handlers.explorer.operations()).flatMap(
        (operation) => operation.parameters,
      )
      const values = (wanted: string) => parameters.find(({ name }) => name === wanted)?.offered
      const buildTypes = await core.handlers.firmware.buildTypes()
      return {
        buildTypes,
        buildType: values('buildType'),
        platformOs: values('platformOs'),
        agentType: values('agentType'),
      }
    }
    const marked = (...values: string[]) => values.map((value) => ({ value, source: 'assumed' }))
    expect(await offered()).toMatchObject({
      buildType: marked('Release', 'Test', 'Debug'),
      agentType: marked('DesktopAgent', 'RoomAgent'),
    })

    const assumed = { buildTypes: ['Candidate', 'Release'], platforms: ['Haiku'], agentTypes: [] }
    const addresses = { managementUrl: service.managementUrl, metadataUrl: service.metadataUrl }
    await core.handlers.organizations.update({
      id,
      draft: { ...custom!, ...addresses, name: 'Nordlys', assumed },
    })
    expect(await offered()).toEqual({
      buildTypes: ['Candidate', 'Release'].map((name) => ({ name, source: 'assumed' })),
      buildType: marked('Candidate', 'Release'),
      platformOs: marked('Haiku'),
      agentType: [],
    })
  })

  test('deletes the key and all data of a removed organization', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    await core.handlers.sync.run()
    await core.handlers.organizations.remove({ id })
    expect([...platform.keychain.entries.values()]).toEqual([])
    expect(await core.handlers.app.status()).toMatchObject({ organizationId: null, deviceCount: 0 })
    const again = await addService()
    expect(again.id).not.toBe(id)
    expect((await core.handlers.devices.slice({ where: '', sort: byName, start: 0, count: 1 })).total).toBe(0)
  })

  test('emits the changes of a sync as a count, never as rows', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    const reported = new Promise<unknown>((heard) => {
      let total = 0
      core.onEvent((channel, payload) => {
        if (channel !== 'devices.changed') return
        total += (payload as { count: number }).count
        if (total === 250) heard({ total, last: Object.keys(payload as object) })
      })
    })
    await core.handlers.sync.run()
    expect(await reported).toEqual({ total: 250, last: ['count'] })
  })

  test('never puts a key into log, events or results', async () => {
    const { id } = await addService()
    await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
    await core.handlers.organizations.checkKey({ id, slot: 'primary' })
    await core.handlers.sync.run()
    core.noteBug(new Error(`unexpected ${service.key} in a message`), 'a test')
    const answered = JSON.stringify([
      await core.handlers.organizations.list(),
      await core.handlers.app.status(),
    ])
    expect(answered).not.toContain(service.key)
  })
})
