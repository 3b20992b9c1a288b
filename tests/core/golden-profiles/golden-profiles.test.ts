import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { GoldenProfileDraft } from '../../../electron/contract/api/golden-profiles.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import {
  openGoldenProfiles,
  type GoldenProfiles,
} from '../../../electron/core/golden-profiles/golden-profiles.ts'
import type { CachedSettings } from '../../../electron/core/settings/settings.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { failureOf } from '../../failure-of.ts'
import { storeOrganization } from '../../stored-organization.ts'

let home: TemporaryHome
let clock: FakeClock
let workbook: Workbook
let fleet: DeviceRow[]
let stored: Map<string, { settings: readonly Setting[]; observedAt: number; hasModel: boolean }>
let looks: number
let golden: GoldenProfiles

beforeEach(async () => {
  home = new TemporaryHome()
  clock = new FakeClock()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  await workbook.write((transaction) => {
    for (const id of ['o', 'other']) storeOrganization(transaction, id)
  })
  fleet = []
  stored = new Map()
  looks = 0
  golden = await opened('o')
})
afterEach(async () => {
  golden.close()
  await workbook.close()
  await home.remove()
})

async function opened(organizationId: string): Promise<GoldenProfiles> {
  const settings: Pick<CachedSettings, 'begin'> = {
    begin: () => {
      looks++
      return async (devices, names) =>
        new Map(
          devices.flatMap(({ id }) => {
            const known = stored.get(id)
            return known === undefined
              ? []
              : [
                  [
                    id,
                    { ...known, settings: known.settings.filter(({ name }) => names?.has(name) ?? true) },
                  ] as const,
                ]
          }),
        )
    },
  }
  const listed = async (_: string, selection: { readonly kind: string; readonly where?: string }) => {
    const ids = /^pid:(.*)$/
      .exec(selection.where ?? '')?.[1]
      ?.split(',')
      .map(Number)
    const found = fleet.filter(({ productId }) => ids === undefined || ids.includes(productId ?? -1))
    const batches = (async function* () {
      yield found
    })()
    return { total: found.length, batches }
  }
  const slice = async () => ({ rows: fleet.slice(0, 1), total: fleet.length, all: fleet.length, asOf: null })
  let next = 1
  return openGoldenProfiles({
    organizationId,
    workbook,
    clock,
    settings,
    newId: () => `${organizationId}-${next++}`,
    store: await home.openStore(clock),
    devices: { listed, slice },
  })
}

function aDevice(
  number: number,
  reported: Readonly<Record<string, Setting['value']>> | null,
  changes: Partial<DeviceRow> = {},
): void {
  const id = `D${number}`
  const row = {
    id,
    name: `Device ${number}`,
    serialNumber: null,
    status: 'online',
    productId: 12306,
    variantType: '01',
    firmwareVersion: '1.0.0',
  }
  fleet.push({
    ...row,
    productName: 'Jabra PanaCast 50',
    room: { id: 'r', name: 'Fjord', location: null },
    ...changes,
  } as DeviceRow)
  if (reported === null) return
  const settings = Object.entries(reported).map(([name, value]) => ({
    name,
    kind: 'choice' as const,
    value,
    locked: false,
    feature: null,
    raw: null,
  }))
  stored.set(id, { settings, observedAt: 1_000 + number, hasModel: true })
}

const aDraft = (changes: Partial<GoldenProfileDraft> = {}): GoldenProfileDraft => ({
  id: null,
  name: 'Meeting rooms',
  productId: 12306,
  variantType: null,
  settings: [{ name: 'view', value: '_90deg' }],
  ...changes,
})

describe('comparing devices with golden profiles', () => {
  test('stops when it is cancelled, and starts over when requested again', async () => {
    aDevice(1, { view: '_90deg' })
    await golden.save(aDraft())
    looks = 0
    const stop = new AbortController()
    const cancelled = golden.list({
      signal: stop.signal,
      step: () => {
        stop.abort()
        throw new Failed({ kind: 'cancelled' })
      },
    })
    expect([
      await failureOf(cancelled),
      (await golden.list(unwatched)).map(({ counts }) => counts['as-wanted']),
      looks,
    ]).toEqual([{ kind: 'cancelled' }, [1], 2])
  })
})

describe('a golden profile', () => {
  test('is stored over a restart, with the name of its product', async () => {
    aDevice(1, null)
    const settings = [{ name: 'view', value: '_90deg', locked: true }, { name: 'volume', value: 3 }, { name: 'led', value: false }] // prettier-ignore
    const saved = await golden.save(aDraft({ name: '  Meeting rooms ', variantType: '01', settings }))
    const expected = {
      id: 'o-1',
      name: 'Meeting rooms',
      productId: 12306,
      variantType: '01',
      productName: 'Jabra PanaCast 50',
      settings,
      createdAt: clock.now(),
      changedAt: clock.now(),
    }
    expect(saved).toEqual(expected)
    expect((await (await opened('o')).list()).map(({ profile }) => profile)).toEqual([expected])
  })

  test('keeps its id and creation time when it is changed', async () => {
    const { id, createdAt } = await golden.save(aDraft())
    clock.jumpWall(5_000)
    const changed = await golden.save(
      aDraft({ id, name: 'Board rooms', settings: [{ name: 'led', value: true }] }),
    )
    expect([changed.id, changed.createdAt, changed.changedAt, changed.settings]).toEqual([
      id,
      createdAt,
      createdAt + 5_000,
      [{ name: 'led', value: true }],
    ])
    expect((await golden.list()).map(({ profile }) => profile.name)).toEqual(['Board rooms'])
  })

  test('accepts its own name in another case, and can be removed', async () => {
    const { id } = await golden.save(aDraft())
    expect((await golden.save(aDraft({ id, name: 'MEETING ROOMS' }))).name).toBe('MEETING ROOMS')
    await golden.remove(id)
    expect(await golden.list()).toEqual([])
    for (const work of [() => golden.remove(id), () => golden.get(id), () => golden.save(aDraft({ id }))])
      expect(await failureOf(work())).toEqual({ kind: 'not-found', call: null, what: 'golden profile' })
  })

  test('has a unique name in its organization, in any case', async () => {
    await golden.save(aDraft({ name: 'Mødelokaler' }))
    const second = await golden.save(aDraft({ name: 'Desks' }))
    const taken = { kind: 'invalid', field: 'name', message: 'Another golden profile has this name already.' }
    expect(await failureOf(golden.save(aDraft({ name: 'MØDELOKALER' })))).toEqual(taken)
    expect(await failureOf(golden.save(aDraft({ id: second.id, name: 'mødelokaler' })))).toEqual(taken)
    expect((await (await opened('other')).save(aDraft({ name: 'Mødelokaler' }))).id).toBe('other-1')
  })

  test.each([
    ['', 'Enter a name.'],
    ['a'.repeat(61), 'A name can have at most 60 characters. This one has 61.'],
    ['a\nb', 'A name cannot contain line breaks, tabs or other control characters.'],
    ['́', 'A name needs at least one letter, digit or symbol.'],
  ])('is not named %j', async (name, message) => {
    expect(await failureOf(golden.save(aDraft({ name })))).toEqual({
      kind: 'invalid',
      field: 'name',
      message,
    })
  })

  test.each([
    ['none', [], 'settings', 'Choose at least one setting.'],
    [
      'more than a hundred',
      Array.from({ length: 101 }, (_, index) => ({ name: `s${index}`, value: 1 })),
      'settings',
      'At most 100 settings can be changed at once.',
    ],
    ['one twice', [{ name: 'a', value: 1 }, { name: 'a', value: 2 }], 'settings.a', 'The setting is named twice.'], // prettier-ignore
    [
      'what may be a password',
      [{ name: 'adminPassword', value: 'x' }],
      'settings.adminPassword',
      'The value of "adminPassword" may be a password or a code, so a golden profile cannot contain it. Leave this setting out.',
    ],
  ])('of %s is rejected, and nothing is stored', async (_what, settings, field, message) => {
    expect(await failureOf(golden.save(aDraft({ settings })))).toEqual({ kind: 'invalid', field, message })
    expect(await golden.list()).toEqual([])
  })

  test('may require that a code exists', async () => {
    expect((await golden.save(aDraft({ settings: [{ name: 'requirePin', value: true }] }))).settings).toEqual(
      [{ name: 'requirePin', value: true }],
    )
  })

  test('may require a code that is a word of the device, such as a language', async () => {
    const settings = [{ name: 'languageCode', value: 'da' }]
    expect(await failureOf(golden.save(aDraft({ settings })))).toMatchObject({
      field: 'settings.languageCode',
    })
    aDevice(1, { languageCode: 'en' })
    expect((await golden.save(aDraft({ settings }))).settings).toEqual(settings)
    stored.set('D1', {
      ...stored.get('D1')!,
      settings: [{ name: 'doorCode', kind: 'text', value: '0042', locked: null, feature: null, raw: null }],
    })
    expect(
      await failureOf(golden.save(aDraft({ name: 'Doors', settings: [{ name: 'doorCode', value: '1' }] }))),
    ).toMatchObject({ field: 'settings.doorCode' })
  })

  test('is limited to a hundred', async () => {
    for (let number = 0; number < 100; number++) await golden.save(aDraft({ name: `Golden ${number}` }))
    expect(await failureOf(golden.save(aDraft({ name: 'One more' })))).toMatchObject({
      kind: 'invalid',
      field: 'name',
    })
  })

  test('keeps the readable part of an altered file', async () => {
    const { id } = await golden.save(aDraft())
    const ugly = JSON.stringify([
      null,
      7,
      { name: 1, value: 1 },
      { name: 'a' },
      { name: 'b', value: {} },
      { name: 'c', value: 1, locked: 'yes' },
    ])
    await workbook.write((transaction) => transaction.run('UPDATE golden_profile SET settings = ?', [ugly]))
    expect((await golden.get(id)).profile.settings).toEqual([{ name: 'c', value: 1 }])
    await workbook.write((transaction) =>
      transaction.run('UPDATE golden_profile SET settings = ?', ['half[']),
    )
    expect((await golden.get(id)).profile.settings).toEqual([])
  })

  test('is removed with its organization', async () => {
    await golden.save(aDraft())
    await workbook.write((transaction) => transaction.run(`DELETE FROM organization WHERE id = 'o'`))
    expect(await workbook.query('SELECT id FROM golden_profile')).toEqual([])
  })

  test('emits an event when it is created, changed or removed', async () => {
    let reported = 0
    golden.onChange(() => reported++)
    const { id } = await golden.save(aDraft())
    await golden.save(aDraft({ id, name: 'Other' }))
    await golden.remove(id)
    expect(reported).toBe(3)
  })
})

describe('drift', () => {
  beforeEach(() => {
    aDevice(1, { view: '_90deg', mode: 'auto' })
    aDevice(2, { view: '_120deg', mode: 'auto' })
    aDevice(3, { view: '_120deg', mode: 'manual' })
    aDevice(4, { view: '_140deg', mode: null })
    aDevice(5, { mode: 'auto' })
    aDevice(6, null)
    aDevice(7, { view: '_90deg', mode: 'auto' }, { variantType: '02' })
    aDevice(8, { view: '_120deg' }, { productId: 1 })
  })
  const settings = [{ name: 'view', value: '_90deg' }, { name: 'mode', value: 'auto' }] // prettier-ignore

  test('is counted by device, with the age of the oldest reading', async () => {
    await golden.save(aDraft({ settings }))
    expect(await golden.list()).toMatchObject([
      {
        devices: 7,
        counts: { drifted: 3, 'not-available': 1, 'not-read': 1, 'as-wanted': 2 },
        oldestReadAt: 1_001,
      },
    ])
  })

  test('is counted by setting, with the actual values', async () => {
    const { id } = await golden.save(aDraft({ settings }))
    expect((await golden.get(id)).settings).toEqual([
      {
        name: 'view',
        isChoice: true,
        wanted: '_90deg',
        locked: null,
        asWanted: 2,
        drifted: 3,
        notAvailable: 1,
        refused: null,
        instead: [{ value: '_120deg', count: 2 }, { value: '_140deg', count: 1 }], // prettier-ignore
      },
      {
        name: 'mode',
        isChoice: true,
        wanted: 'auto',
        locked: null,
        asWanted: 4,
        drifted: 1,
        notAvailable: 1,
        refused: null,
        instead: [{ value: 'manual', count: 1 }],
      },
    ])
  })

  test('reports which devices do not accept the wanted value', async () => {
    const feature = {
      id: 'X',
      name: 'view',
      kind: 'choice' as const,
      supported: ['_120deg'],
      minimum: null,
      maximum: null,
      restarts: null,
    }
    stored.set('D2', {
      ...stored.get('D2')!,
      settings: stored.get('D2')!.settings.map((one) => ({ ...one, feature })),
    })
    const { id } = await golden.save(aDraft())
    expect((await golden.get(id)).settings[0]?.refused).toEqual({
      devices: 1,
      reason: 'The value must be one of: _120deg.',
    })
  })

  test('of one variant ignores other variants, and the case of its code', async () => {
    aDevice(9, { view: '_90deg' }, { variantType: '0b' })
    const other = await golden.save(aDraft({ variantType: '0B', name: 'Walls' }))
    expect((await golden.get(other.id)).devices).toBe(1)
    const { id } = await golden.save(aDraft({ variantType: '02' }))
    expect(
      (await golden.devices({ id, state: null, setting: null, start: 0, count: 10 })).rows.map(
        (device) => device.id,
      ),
    ).toEqual(['D7'])
  })

  it.each([
    ['drifted', null, ['D2', 'D3', 'D4']],
    ['drifted', 'mode', ['D3', 'D4']],
    ['not-available', null, ['D5']],
    ['not-read', null, ['D6']],
    ['as-wanted', null, ['D1', 'D7']],
    [null, 'view', ['D2', 'D3', 'D4', 'D5']],
  ] as const)(
    'state %s, setting %s: a slice of the devices and the ids for a job',
    async (state, setting, ids) => {
      const { id } = await golden.save(aDraft({ settings }))
      const { rows, total } = await golden.devices({ id, state, setting, start: 1, count: 2 })
      expect([rows.map((device) => device.id), total]).toEqual([ids.slice(1, 3), ids.length])
      expect(await golden.deviceIds({ id, state, setting })).toEqual({ ids, total: ids.length })
    },
  )

  test('is computed once for all slices, and again shortly after settings changed', async () => {
    const { id } = await golden.save(aDraft())
    const look = async () =>
      (await golden.devices({ id, state: 'drifted', setting: null, start: 0, count: 1 })).total
    expect([await look(), await look(), looks]).toEqual([3, 3, 1])
    let reported = 0
    golden.onChange(() => reported++)
    aDevice(9, { view: '_120deg' })
    golden.changed('more-to-come')
    golden.changed('more-to-come')
    expect(reported).toBe(0)
    await clock.advance(2_000)
    expect([reported, await look(), looks]).toEqual([1, 4, 2])
  })

  test('is computed again after a minute, because a feature model may have been stored', async () => {
    const { id } = await golden.save(aDraft())
    await golden.get(id)
    await clock.advance(60_000)
    await golden.get(id)
    expect(looks).toBe(2)
  })
})

test('finds values that a feature model does not allow without any golden profile', async () => {
  aDevice(1, { view: '_90deg' })
  aDevice(2, { view: '_300deg' })
  aDevice(3, { view: '_90deg' })
  aDevice(4, null)
  const feature = {
    id: 'X',
    name: 'view',
    kind: 'choice' as const,
    supported: ['_90deg'],
    minimum: null,
    maximum: null,
    restarts: null,
  }
  for (const id of ['D1', 'D2'])
    stored.set(id, {
      ...stored.get(id)!,
      settings: stored.get(id)!.settings.map((one) => ({ ...one, feature })),
    })
  stored.set('D3', { ...stored.get('D3')!, hasModel: false })
  expect(await golden.notAllowed({ start: 0, count: 10 })).toEqual({
    rows: [
      {
        id: 'D2',
        name: 'Device 2',
        serialNumber: null,
        status: 'online',
        variantType: '01',
        firmwareVersion: '1.0.0',
        productName: 'Jabra PanaCast 50',
        room: 'Fjord',
        state: 'drifted',
        readAt: 1_002,
        drift: [
          {
            name: 'view',
            isChoice: true,
            reason: 'not-allowed',
            now: '_300deg',
            wanted: null,
            refused: 'The value must be one of: _90deg.',
          },
        ],
      },
    ],
    total: 1,
    devices: 4,
    read: 3,
    withoutModel: 1,
    oldestReadAt: 1_001,
  })
})
