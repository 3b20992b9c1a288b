import { beforeEach, describe, expect, it } from 'vitest'
import type { Device } from '../../../electron/contract/api/devices.ts'
import type { ReleaseNotes } from '../../../electron/contract/api/release-notes.ts'
import type { deviceFields } from '../../../electron/contract/fields/device.ts'
import type { KeysWith } from '../../../electron/contract/fields/field.ts'
import {
  advancedFactsOf,
  factsAsText,
  factsOf,
  productFactsOf,
} from '../../../renderer/devices/device-facts.ts'
import { devicesOf, openCore } from '../core.ts'

const NOW = Date.parse('2026-11-21T13:58:00Z')
const notes = (record: ReleaseNotes['record']): ReleaseNotes => ({
  observedAt: NOW,
  fromCache: true,
  record,
  notes: [],
  withoutText: [],
  other: [],
})

describe('facts of a device', () => {
  let personal: Device
  let bare: Device
  beforeEach(async () => {
    const core = await openCore()
    const [first] = await devicesOf(core, 'client-type:Personal status:online')
    personal = await core.handlers.devices.get({ id: first!.id })
    bare = {
      ...personal,
      serialNumber: null,
      productId: null,
      variantType: null,
      productName: null,
      firmwareVersion: null,
      groupId: null,
      lastSeenAt: null,
      addedAt: null,
      room: null,
      computer: null,
      client: null,
      clientType: null,
    }
  })

  it('are from one reading, and only a last-seen time has its own age', () => {
    const facts = factsOf(personal).flatMap((group) => group.facts)
    expect(facts.flatMap(({ key, at }) => (at === undefined ? [] : [[key, at]]))).toEqual([
      ['lastSeen', personal.lastSeenAt],
    ])
  })
  it('name every stored field of a record that the head of the drawer does not', () => {
    const facts = [...factsOf(personal).flatMap((group) => group.facts), ...advancedFactsOf(personal)]
    const keys = facts.map(({ key }) => key)
    // A field added to the list has no entry here, which does not compile.
    const factOfField: Readonly<Record<KeysWith<typeof deviceFields, 'stored'>, string | null>> = {
      name: null,
      status: null,
      productName: null,
      serialNumber: null,
      firmwareVersion: 'firmware',
      lastSeenAt: 'lastSeen',
      userName: 'user',
      computerName: 'computer',
      operatingSystem: 'system',
      ipAddress: 'ip',
      macAddress: 'mac',
      clientName: 'client',
      clientVersion: 'clientVersion',
      clientType: 'clientType',
      groupId: 'groupId',
      productId: 'productId',
      variantType: 'variant',
      addedAt: 'added',
      id: 'deviceId',
    }
    const named = Object.values(factOfField).filter((key) => key !== null)
    expect(named.filter((key) => !keys.includes(key))).toEqual([])
  })
  it('that were not sent have no value, in any combination', () => {
    const facts = [...factsOf(bare).flatMap((group) => group.facts), ...advancedFactsOf(bare)]
    expect(facts.filter((fact) => fact.value !== null).map((fact) => fact.key)).toEqual(['deviceId'])
  })
  it.each([
    ['MeetingRoom', 'Meeting room'],
    ['Personal', 'Personal'],
    ['Kiosk', 'Kiosk'],
    [null, null],
  ])('show what it is used as: %s', (clientType, value) => {
    const facts = factsOf({ ...bare, clientType }).flatMap((group) => group.facts)
    expect(facts.find((fact) => fact.key === 'clientType')?.value).toBe(value)
  })
  it('copy a product id in the notation for searching', () => {
    const fact = advancedFactsOf({ ...personal, productId: 0x24b3 }).find((one) => one.key === 'productId')
    expect([fact?.value, fact?.copy]).toEqual(['0x24B3 · 9395', '0x24B3'])
  })
  it('are one line each, without unknown ones', () => {
    expect(factsAsText(advancedFactsOf(bare))).toBe(`Device ID: ${bare.id}`)
  })
})

describe('the published facts of a product', () => {
  const link = {
    kind: 'support' as const,
    label: 'Support',
    url: 'https://www.jabra.com/support',
    host: 'www.jabra.com',
    offered: true,
  }
  it.each<[string, ReleaseNotes | null, (string | null)[], string]>([
    ['not read yet', null, [null], 'not read yet'],
    ['a product without a record', notes(null), [null], 'not published'],
    ['a record without links', notes({ title: '', links: [], images: [], raw: {} }), [null], 'not published'],
    [
      'a support page',
      notes({
        title: '',
        links: [{ ...link, kind: 'other' }, link],
        images: [],
        raw: {},
      }),
      [link.url],
      'not published',
    ],
  ])('%s', (_what, content, values, none) => {
    const facts = productFactsOf(content)
    expect([facts.map((fact) => fact.value), facts[0]?.none]).toEqual([values, none])
  })
})
