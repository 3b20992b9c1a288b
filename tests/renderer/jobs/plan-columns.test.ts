import { expect, it } from 'vitest'
import type { JobKind, JobWork, PlannedDevice, PlannedItem } from '../../../electron/contract/api/jobs.ts'
import { usePlanColumns, type PlanColumn } from '../../../renderer/jobs/plan-columns.ts'
import { inZones } from '../../in-zones.ts'
import { openCore } from '../core.ts'

const item = (of: 'room' | 'device', devices: readonly PlannedDevice[]): PlannedItem => ({
  target: { of, id: 'id', name: 'Oslo 3' },
  devices,
  earliestAt: null,
  changes: [],
  skipped: null,
})
const bar: PlannedDevice = { id: 'D1', name: 'Bar', status: 'online', productName: 'Jabra PanaCast 50' }

const selection = { kind: 'picked', ids: ['D1'] } as const
const works: { readonly [K in JobKind]: JobWork } = {
  'reboot-rooms': { kind: 'reboot-rooms', of: 'rooms', selection },
  'update-firmware': {
    kind: 'update-firmware',
    selection,
    version: 'latest',
    allowDowngrade: false,
    watchForInMinutes: 30,
  },
  'change-settings': {
    kind: 'change-settings',
    selection,
    changes: [{ name: 'sidetoneLevelEnum', value: 'plus3dB' }],
  },
}

async function cellOf(
  kind: JobKind,
  column: PlanColumn,
  given: PlannedItem,
  marks = true,
  startAt: number | null = null,
) {
  await openCore()
  const terms = { startAt, window: null, keepTrying: false, canary: given.after !== undefined }
  const columns = usePlanColumns(
    () => works[kind],
    () => terms,
    () => marks,
    () => inZones('Asia/Tokyo'),
  )
  const cell = document.createElement('div')
  columns.value.find(({ key }) => key === column)?.cell(cell)(given)
  return cell
}
/** The drawings of a cell, and their text. */
async function drawn(kind: JobKind, column: 'target' | 'what', given: PlannedItem) {
  const cell = await cellOf(kind, column, given)
  return {
    drawings: [...cell.querySelectorAll('.picture')].map((one) => one.className),
    label: cell.querySelector('[role=img]')?.getAttribute('aria-label') ?? null,
  }
}

it('the plan of a restart draws each device that goes down, and marks those that are off', async () => {
  const devices = [
    bar,
    { id: 'D2', name: 'Pad', status: 'offline', productName: 'Jabra PanaCast Control' },
    { id: 'D3', name: 'Speaker', status: 'Faulty', productName: 'Jabra Speak2 75' },
    { id: 'D4', name: 'Box', status: 'online' },
  ]
  expect(await drawn('reboot-rooms', 'what', item('room', devices))).toEqual({
    drawings: [
      'picture video-bar well',
      'picture controller off',
      'picture speakerphone warn',
      'picture unknown-device well',
    ],
    label: 'Bar: Online\nPad: Offline\nSpeaker: Faulty\nBox: Online',
  })
})

it('a room without known devices has no drawing, but says so', async () => {
  expect(await drawn('reboot-rooms', 'what', item('room', []))).toEqual({ drawings: [], label: 'unknown' })
})

it.each<[JobKind, PlannedDevice, string]>([
  ['change-settings', bar, 'picture video-bar'],
  ['update-firmware', { ...bar, productName: 'Jabra Evolve2 65 Mono' }, 'picture headset-mono'],
  ['change-settings', { id: 'D4', name: 'Box', status: 'online' }, 'picture unknown-device'],
])('the plan of %s draws its device: %o', async (kind, device, drawing) => {
  expect(await drawn(kind, 'target', item('device', [device]))).toEqual({ drawings: [drawing], label: null })
})

it('a device that already runs the version is not marked as a problem', async () => {
  const change = { name: 'firmwareVersion', now: '2.9.2', new: '2.9.2', reason: null, restarts: null }
  const changes = [{ ...change, allowed: false }]
  const cells = async (skipped: PlannedItem['skipped']) => {
    await openCore()
    const terms = { startAt: null, window: null, keepTrying: false, canary: false }
    const columns = usePlanColumns(
      () => works['update-firmware'],
      () => terms,
      () => true,
      () => [],
    )
    const cell = document.createElement('div')
    columns.value.find(({ key }) => key === 'what')?.cell(cell)({
      ...item('device', [bar]),
      changes,
      skipped,
    })
    return [cell.querySelector('.mark')?.className, cell.textContent]
  }
  expect([await cells('as-wanted'), await cells('no-downgrade')]).toEqual([
    ['mark none', '2.9.2'],
    ['mark bad', '2.9.2 → 2.9.2'],
  ])
})

it.each([
  ['minus3dB', 'plus3dB', '−3 dB → +3 dB'],
  ['ROOM_A', 'myRoom', 'ROOM_A → myRoom'],
])(
  'the column of a plan for one setting has its name, and its rows only the values: %s, %s',
  async (now, wanted, said) => {
    await openCore()
    const terms = { startAt: null, window: null, keepTrying: false, canary: false }
    const columns = usePlanColumns(
      () => works['change-settings'],
      () => terms,
      () => true,
      () => [],
    )
    const cell = document.createElement('div')
    const what = columns.value.find(({ key }) => key === 'what')!
    const change = {
      name: 'sidetoneLevelEnum',
      now,
      new: wanted,
      allowed: true,
      reason: null,
      restarts: false,
    }
    what.cell(cell)({ ...item('device', [bar]), changes: [change] })
    expect([what.label, cell.textContent]).toEqual(['Sidetone level', said])
  },
)

it.each([
  [{}, true, 'now'],
  [{ alsoIn: 'job-1' }, true, 'in another job, now'],
  [{ after: 'Oslo 3' }, true, ''],
  [{ alsoIn: 'job-1', after: 'Oslo 3' }, true, 'in another job'],
  [{ alsoIn: 'job-1' }, false, 'now'],
])(
  'a row says when it begins, and that it is in another job unless all are: %o, %s',
  async (more, marks, said) => {
    const row = { ...item('room', [bar]), ...more }
    expect((await cellOf('reboot-rooms', 'when', row, marks)).textContent).toBe(said)
  },
)

it('a row says what time it is in its room when the job begins, and warns of working hours', async () => {
  const startAt = Date.parse('2026-11-24T01:20:00Z')
  const said = async (timeZone?: string) => {
    const row = { ...item('room', [bar]), ...(timeZone === undefined ? {} : { timeZone }) }
    const cell = await cellOf('reboot-rooms', 'local', row, true, startAt)
    return [cell.querySelector('.mark')?.className, cell.textContent]
  }
  expect([await said('Asia/Tokyo'), await said('America/New_York'), await said()]).toEqual([
    ['mark warn', '10:20 in Tokyo'],
    ['mark none', '20:20 in New York'],
    ['mark none', '—'],
  ])
})
