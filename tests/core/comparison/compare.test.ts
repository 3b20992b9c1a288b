import { describe, expect, it } from 'vitest'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import {
  compareSides,
  type DeviceToCompare,
  type SideToCompare,
} from '../../../electron/core/comparison/compare.ts'

const all = { update: true, set: true }
const bar = { productId: 1, productName: 'Jabra PanaCast 50' }
const speaker = { productId: 2, productName: 'Jabra Speak2 75' }
const panel = { productId: 3, productName: 'Jabra Scheduler' }

const setting = (name: string, value: Setting['value'], more: Partial<Setting> = {}): Setting => ({
  name,
  kind: typeof value === 'boolean' ? 'on-off' : typeof value === 'number' ? 'number' : 'choice',
  value,
  locked: null,
  feature: null,
  raw: null,
  ...more,
})
const allowing = (supported: readonly string[]): Setting['feature'] => ({
  id: 'x',
  name: null,
  kind: 'choice',
  supported,
  minimum: null,
  maximum: null,
  restarts: null,
})
const device = (id: string, more: Partial<DeviceToCompare> = {}): DeviceToCompare => ({
  id,
  name: id,
  status: 'online',
  variantType: null,
  serialNumber: null,
  firmwareVersion: '2.0',
  firmware: { word: 'current', by: null, latest: '2.0', why: null },
  observedAt: 10,
  gone: false,
  listed: true,
  settings: null,
  firmwareAt: 10,
  ...bar,
  ...more,
})
const reads = (...settings: readonly Setting[]): Pick<DeviceToCompare, 'settings'> => ({
  settings: { settings, observedAt: 20 },
})
const room = (
  id: string,
  devices: readonly DeviceToCompare[] | null,
  facts: Partial<NonNullable<SideToCompare['facts']>> = {},
): SideToCompare => ({
  id,
  name: id,
  observedAt: 10,
  gone: false,
  room: { health: 'ok', deviceCount: 1, onlineCount: 1 },
  devices,
  facts: { seats: null, timeZone: null, site: null, type: null, ...facts },
})
const alone = (one: DeviceToCompare): SideToCompare => ({ ...room(one.id, [one]), room: null, facts: null })
/** `what name` with its verdict, and what happens to it. */
const rowsOf = (a: SideToCompare, b: SideToCompare, possible = all) =>
  compareSides(a, b, possible).pairs.flatMap(({ rows }) =>
    rows.map(
      ({ what, name, verdict, change, stays }) =>
        [
          `${what} ${name}`.trim(),
          verdict,
          change?.kind === 'set' ? change.change : (change?.version ?? stays?.because ?? null),
        ] as const,
    ),
  )
const idsOf = (a: SideToCompare, b: SideToCompare) =>
  compareSides(a, b, all).pairs.map((pair) => [pair.role, pair.a?.id ?? null, pair.b?.id ?? null])

describe('pairs', () => {
  it('compares by role in the order of a room, and names the devices that one side lacks', () => {
    const a = room('A', [device('panel', panel), device('speaker', speaker), device('bar')])
    const b = room('B', [device('other speaker', speaker), device('other bar')])
    expect(idsOf(a, b)).toEqual([
      ['video-bar', 'bar', 'other bar'],
      ['speakerphone', 'speaker', 'other speaker'],
      ['panel', 'panel', null],
    ])
    expect(rowsOf(a, b).at(-1)).toEqual(['device', 'different', 'missing-device'])
    expect(rowsOf(b, a).at(-1)).toEqual(['device', 'different', 'extra-device'])
  })

  it('pairs several devices of a role by product first, the same in any order of the records', () => {
    const other = { productId: 9, productName: 'Jabra PanaCast 50 VBS' }
    const ofA = [device('a1'), device('a2', other)]
    const ofB = [device('b1', other), device('b2', other), device('b3')]
    const expected = [
      ['video-bar', 'a1', 'b3'],
      ['video-bar', 'a2', 'b1'],
      ['video-bar', null, 'b2'],
    ]
    expect(idsOf(room('A', ofA), room('B', ofB))).toEqual(expected)
    expect(idsOf(room('A', ofA.toReversed()), room('B', ofB.toReversed()))).toEqual(expected)
    expect(idsOf(room('A', [device('a2', other)]), room('B', [device('b3'), device('b1', other)]))).toEqual([
      ['video-bar', 'a2', 'b1'],
      ['video-bar', null, 'b3'],
    ])
  })

  it('pairs two devices whatever they are', () => {
    expect(idsOf(alone(device('bar')), alone(device('speaker', speaker)))).toEqual([
      ['video-bar', 'bar', 'speaker'],
    ])
  })

  it('takes no device for missing in a room whose devices are not known', () => {
    expect(idsOf(room('A', [device('bar')]), room('B', null))).toEqual([])
  })
})

describe('firmware', () => {
  const firmware = (a: Partial<DeviceToCompare>, b: Partial<DeviceToCompare>, possible = all) =>
    rowsOf(alone(device('a', a)), alone(device('b', b)), possible).find(([what]) => what === 'firmware')
  const word = (is: 'revoked') => ({ word: is, by: null, latest: null, why: null })

  it.each([
    ['an older version is updated to that of A', {}, { firmwareVersion: '1.9' }, all, 'different', '2.0'],
    [
      'an equal version is the same, however it is written',
      {},
      { firmwareVersion: '2.0.0' },
      all,
      'same',
      null,
    ],
    ['a newer version stays', {}, { firmwareVersion: '2.10' }, all, 'different', 'downgrade'],
    [
      'a revoked version is not copied',
      { firmware: word('revoked') },
      { firmwareVersion: '1.9' },
      all,
      'different',
      'revoked',
    ],
    ['an unknown version is neither', {}, { firmwareVersion: null }, all, 'unknown', null],
    [
      'another product stays',
      {},
      { ...speaker, firmwareVersion: '1.9' },
      all,
      'different',
      'another-product',
    ],
    ['an equal version of another product is the same', {}, speaker, all, 'same', null],
    [
      'a device that only its room names stays',
      {},
      { firmwareVersion: '1.9', listed: false },
      all,
      'different',
      'unlisted',
    ],
    [
      'without an address it stays',
      {},
      { firmwareVersion: '1.9' },
      { ...all, update: false },
      'different',
      'not-published',
    ],
  ] as const)('%s', (_, a, b, possible, verdict, what) => {
    expect(firmware(a, b, possible)).toEqual(['firmware', verdict, what])
  })
})

describe('settings', () => {
  const settings = (
    a: readonly Setting[],
    b: readonly Setting[],
    more: Partial<DeviceToCompare> = {},
    possible = all,
  ) =>
    rowsOf(alone(device('a', reads(...a))), alone(device('b', { ...reads(...b), ...more })), possible).filter(
      ([what]) => what.startsWith('setting'),
    )
  const secret = (hidden: string) => setting('pin', '•••', { kind: 'text', hidden })

  it('offers the value of A, with its lock only where it differs', () => {
    expect(
      settings(
        [
          setting('zoom', 'on'),
          setting('view', 'wide', { locked: true }),
          setting('mode', 'x', { locked: true }),
        ],
        [setting('zoom', 'off'), setting('view', 'wide'), setting('mode', 'y', { locked: true })],
      ),
    ).toEqual([
      ['setting zoom', 'different', { name: 'zoom', value: 'on' }],
      ['setting view', 'different', { name: 'view', value: 'wide', locked: true }],
      ['setting mode', 'different', { name: 'mode', value: 'x' }],
    ])
  })

  it.each([
    ['equal values are the same', [setting('x', 3)], [setting('x', 3, { locked: false })], 'same', null],
    [
      'two without a value are the same',
      [setting('x', null, { kind: 'choice' })],
      [setting('x', null, { kind: 'choice' })],
      'same',
      null,
    ],
    [
      'a value that B does not allow stays',
      [setting('x', 'wide')],
      [setting('x', 'off', { feature: allowing(['off']) })],
      'different',
      'not-allowed',
    ],
    ['a setting that B lacks stays', [setting('x', true)], [], 'different', 'absent'],
    ['a setting that A lacks stays', [], [setting('x', true)], 'different', 'only-b'],
    [
      'a setting without a value on A stays',
      [setting('x', null, { kind: 'on-off' })],
      [setting('x', true)],
      'different',
      'only-b',
    ],
    ['a confidential value stays', [secret('k.1')], [secret('k.2')], 'different', 'confidential'],
    ['equal confidential values are the same', [secret('k.1')], [secret('k.1')], 'same', null],
    [
      'confidential values of different keys cannot be compared',
      [secret('k.1')],
      [secret('j.2')],
      'unknown',
      null,
    ],
    [
      'confidential values of different keys cannot be compared where they are locked',
      [{ ...secret('k.1'), locked: true }],
      [{ ...secret('j.2'), locked: true }],
      'unknown',
      null,
    ],
    [
      'a kind that is not known cannot be compared',
      [setting('x', null, { kind: 'unknown' })],
      [setting('x', true)],
      'unknown',
      null,
    ],
  ] as const)('%s', (_, a, b, verdict, what) => {
    expect(settings(a, b).map((row) => row.slice(1))).toEqual([[verdict, what]])
  })

  it('says why a value is not allowed', () => {
    const b = device('b', reads(setting('x', 'off', { feature: allowing(['off', 'near']) })))
    const { pairs } = compareSides(alone(device('a', reads(setting('x', 'wide')))), alone(b), all)
    expect(pairs[0]?.rows.at(-1)?.stays?.why).toBe('The value must be one of: off, near.')
  })

  it('copies nothing to another product, and leaves out what only one of them has', () => {
    const a = [setting('x', 'wide'), setting('only a', true)]
    expect(settings(a, [setting('x', 'off')], speaker)).toEqual([
      ['setting x', 'different', 'another-product'],
    ])
  })

  it('copies nothing to a device that is gone, or without an address', () => {
    const [a, b] = [[setting('x', true)], [setting('x', false)]]
    expect([settings(a, b, { gone: true }), settings(a, b, {}, { ...all, set: false })]).toEqual([
      [['setting x', 'different', 'unlisted']],
      [['setting x', 'different', 'not-published']],
    ])
  })

  it('is one line where a side was not read, with the age of the side that was', () => {
    const { pairs } = compareSides(alone(device('a', reads(setting('x', true)))), alone(device('b')), all)
    expect(pairs[0]?.rows.at(-1)).toMatchObject({
      what: 'settings',
      verdict: 'unknown',
      a: { state: 'known', value: 1, readAt: 20 },
      b: { state: 'unknown', readAt: null },
    })
  })
})

describe('a product that is not known', () => {
  const of = (productId: number | null, more: Partial<DeviceToCompare> = {}) => ({
    ...device('one', reads(setting('same', 1), setting('x', 'wide'), setting('only', true))),
    productId,
    ...more,
  })
  const other = (productId: number | null, more: Partial<DeviceToCompare> = {}) => ({
    ...of(productId, reads(setting('same', 1), setting('x', 'off'))),
    id: 'other',
    firmwareVersion: '1.9',
    ...more,
  })
  const unknown = [
    ['product', 'unknown', null],
    ['firmware', 'unknown', null],
    ['setting same', 'same', null],
    ['setting x', 'unknown', null],
    ['setting only', 'unknown', null],
  ]

  it.each([
    ['of A', null, 1],
    ['of B', 1, null],
    ['of both', null, null],
  ])('%s is neither the same nor another one, and nothing is copied', (_, a, b) => {
    expect(rowsOf(alone(of(a)), alone(other(b)))).toEqual(unknown)
  })

  it('of a device that is not in the list stays for that reason; an equal version is the same', () => {
    const unlisted = { listed: false, settings: null }
    expect(rowsOf(alone(of(1)), alone(other(null, unlisted)))).toEqual([
      ['product', 'unknown', null],
      ['firmware', 'different', 'unlisted'],
      ['settings', 'unknown', null],
    ])
    expect(rowsOf(alone(of(1)), alone(other(null, { firmwareVersion: '2.0' })))[1]).toEqual([
      'firmware',
      'same',
      null,
    ])
  })

  it('is another one if two ids differ', () => {
    expect(rowsOf(alone(of(1)), alone(other(2)))).toEqual([
      ['product', 'different', 'another-product'],
      ['firmware', 'different', 'another-product'],
      ['setting same', 'same', null],
      ['setting x', 'different', 'another-product'],
    ])
  })
})

describe('facts and counts', () => {
  it('compares what the records of both rooms state, and counts every line once', () => {
    const a = room('A', [device('a', reads(setting('x', true)))], {
      seats: 10,
      site: 'Oslo',
      timeZone: 'UTC',
    })
    const b = room('B', [device('b', reads(setting('x', false)))], { seats: 8, site: 'Oslo' })
    const { facts, counts } = compareSides(a, b, all)
    expect(facts.map(({ name, verdict, stays }) => [name, verdict, stays?.because ?? null])).toEqual([
      ['seats', 'different', 'room-fact'],
      ['timeZone', 'unknown', null],
      ['site', 'same', null],
    ])
    expect(counts).toEqual({ different: 2, unknown: 1, same: 2 })
  })
})
