import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import { Fleet, by, fleet as records, organizationId } from './a-fleet.ts'
import { failureOf } from '../../failure-of.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

describe('slices', () => {
  it('return their rows, how many match, how many there are and since when', async () => {
    const window = await fleet.devices.slice(organizationId, {
      where: 'huddle',
      sort: by('name'),
      start: 1,
      count: 1,
    })
    expect(window).toEqual({
      rows: [
        {
          id: 'D00000002',
          name: 'Huddle 12',
          serialNumber: 'ABC124',
          productId: 12306,
          variantType: '01',
          productName: 'Jabra PanaCast 50',
          firmwareVersion: '4.2.0.21',
          groupId: 'group-2',
          status: 'online',
          lastSeenAt: null,
          addedAt: Date.UTC(2026, 2, 1, 8),
          observedAt: fleet.clock.now(),
          firmwareReadAt: null,
          gone: false,
          goneAt: null,
          room: { id: 'room-2', name: 'Århus 12', location: 'Second floor' },
          userName: 'bo',
          computerName: 'PC-12',
          operatingSystem: 'macOS 15',
          ipAddress: '10.0.0.12',
          macAddress: null,
          clientName: 'Jabra+',
          clientVersion: '6.10.0',
          clientType: 'MeetingRoom',
          firmware: { word: 'revoked', by: null, latest: '4.3', why: null },
          tags: [],
        },
      ],
      total: 2,
      all: 4,
      asOf: fleet.clock.now(),
    })
  })

  it('are empty beyond the end and for an organization without data', async () => {
    const query = { where: '', sort: by('name'), start: 900, count: 10 }
    expect((await fleet.devices.slice(organizationId, query)).rows).toEqual([])
    expect(await fleet.devices.slice('nobody', query)).toEqual({ rows: [], total: 0, all: 0, asOf: null })
  })

  it.each([
    ['start', -1, 10],
    ['start', 0.5, 10],
    ['count', 0, 501],
    ['count', 0, Number.NaN],
  ])('reject a wrong %s (%d, %d)', async (field, start, count) => {
    expect(
      await failureOf(fleet.devices.slice(organizationId, { where: '', sort: by('name'), start, count })),
    ).toMatchObject({
      kind: 'invalid',
      field,
    })
  })

  it('keep their order until rows change', async () => {
    const own = openDevices({ store: fleet.store, clock: fleet.clock })
    const query = { where: 'huddle', sort: by('name'), start: 0, count: 10 }
    await own.slice(organizationId, query)
    await fleet.store.database.write((transaction) =>
      transaction.run(`UPDATE device_row SET gone = 1 WHERE id = 'D00000002'`),
    )
    const before = (await own.slice(organizationId, query)).total
    own.changed(organizationId)
    const after = (await own.slice(organizationId, query)).total
    await fleet.store.database.write((transaction) =>
      transaction.run(`UPDATE device_row SET gone = 0 WHERE id = 'D00000002'`),
    )
    expect([before, after]).toEqual([2, 1])
  })
})

describe('one device and all devices', () => {
  it('one device has all fields, and its record as received', async () => {
    expect(await fleet.devices.get(organizationId, 'D00000003')).toMatchObject({
      name: 'Ærø 50 %',
      computer: { userName: 'Zoë Ångström', macAddress: '00:1A:2B:3C:4D:5E' },
      client: { name: 'Jabra+', autoUpdate: true },
      firmwareUpdateInProgress: false,
      raw: records[2],
    })
  })

  it('an unknown id is not found, and neither is one of another organization', async () => {
    expect(await failureOf(fleet.devices.get(organizationId, 'nothing'))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'nothing',
    })
    expect(await failureOf(fleet.devices.get('other', 'D00000001'))).toMatchObject({ kind: 'not-found' })
  })

  it('all are sorted by title', async () => {
    const ids: string[] = []
    const selection = { kind: 'matching', where: '', except: [] } as const
    const { batches } = await fleet.devices.all(organizationId, selection, [])
    for await (const batch of batches) ids.push(...batch.map(({ id }) => id.slice(-1)))
    expect(ids.join('')).toBe('1243')
  })

  it('the most common firmware comes first; a device without a variant is omitted', async () => {
    expect(await fleet.devices.commonFirmware(organizationId, 1)).toEqual([
      {
        productId: 12306,
        variantType: expect.any(String),
        firmwareVersion: expect.any(String),
        count: expect.any(Number),
      },
    ])
    const all = await fleet.devices.commonFirmware(organizationId, 10)
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length)
  })

  it('the firmware of one product is counted over all its devices, the most frequent first', async () => {
    const ofBar = await fleet.devices.commonFirmware(organizationId, 10, 12306)
    const all = await fleet.devices.commonFirmware(organizationId, 10)
    expect([ofBar, ofBar.map(({ count }) => count).toSorted((a, b) => b - a)]).toEqual([
      all.filter(({ productId }) => productId === 12306),
      ofBar.map(({ count }) => count),
    ])
  })

  it('are counted by product', async () => {
    expect([...(await fleet.devices.countsByProduct(organizationId))]).toEqual([
      [9395, 1],
      [12306, 2],
    ])
  })
})
