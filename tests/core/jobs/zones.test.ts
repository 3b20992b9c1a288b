import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
import { inZones } from '../../in-zones.ts'
import { AHome, AProgram, aDraft, answered } from './a-bench.ts'

const hour = 3_600_000
const iso = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z')
/** Half past two to four at night: the hour that a clock change skips or repeats. */
const window = { from: 150, to: 240 }
const [copenhagen, newYork, helsinki, tokyo] = [
  'R1@Europe/Copenhagen',
  'R2@America/New_York',
  'R3@Europe/Helsinki',
  'R4@Asia/Tokyo',
] as const

async function aProgramAt(at: string): Promise<{ program: AProgram; sent: string[]; home: AHome }> {
  const home = await AHome.open()
  const program = new AProgram(home, { clock: new FakeClock(Date.parse(at)) })
  return { program, sent: noting(program), home }
}
/** Which room's reboot is sent when. */
function noting(program: AProgram): string[] {
  const sent: string[] = []
  program.send = (item, ...rest) => {
    sent.push(`${item.target.id} ${iso(program.clock.now())}`)
    return answered(200)(item, ...rest)
  }
  return sent
}

describe('a time window over rooms of several time zones', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'when clocks are set back in one of them: the first of the repeated hours',
      '2026-10-24T12:00Z',
      [copenhagen, newYork, tokyo],
      ['R4 2026-10-24T17:30Z', 'R1 2026-10-25T00:30Z', 'R2 2026-10-25T06:30Z'],
    ],
    [
      'when they are set forward: after the skipped hour',
      '2026-03-28T12:00Z',
      [copenhagen, newYork, helsinki],
      ['R3 2026-03-29T00:30Z', 'R1 2026-03-29T01:00Z', 'R2 2026-03-29T06:30Z'],
    ],
    [
      'when they are set back in the other one',
      '2026-10-31T12:00Z',
      [newYork, copenhagen],
      ['R1 2026-11-01T01:30Z', 'R2 2026-11-01T07:30Z'],
    ],
    [
      'a room without a zone uses that of the preferences',
      '2026-11-21T12:00Z',
      [newYork, 'R5'],
      ['R5 2026-11-22T01:30Z', 'R2 2026-11-22T07:30Z'],
    ],
  ])('applies in the zone of each room: %s', async (_, at, rooms, expected) => {
    const { program, sent } = await aProgramAt(at)
    const { id } = await program.start(rooms, { window })
    await program.after(24 * hour)
    expect([sent, (await program.jobs.get(id)).state]).toEqual([expected, 'ended'])
  })

  it('is shown in the plan, the job and for each item; the job waits for the first of them', async () => {
    const { program } = await aProgramAt('2026-11-21T12:00Z')
    const rooms = [newYork, tokyo, 'R5']
    const plan = await program.jobs.plan(aDraft(rooms, { window }))
    const { id } = await program.jobs.start({ plan: plan.id, unlock: true, typed: null })
    await program.after(0)
    const job = await program.jobs.get(id)
    const zones = inZones('America/New_York', 'Asia/Tokyo', 'local')
    const [inTokyo, inCopenhagen, inNewYork] = ['2026-11-21T17:30Z', '2026-11-22T01:30Z', '2026-11-22T07:30Z']
    expect({
      plan: plan.zones,
      job: [job.zones, job.state, job.waitsFor, iso(job.waitsUntil ?? 0)],
      items: (await program.items(id)).map(({ target, timeZone, waitsFor, earliestAt }) => [
        target.id,
        timeZone,
        waitsFor,
        iso(earliestAt ?? 0),
      ]),
      quitting: program.jobs.active().waiting.map(({ zones: theirs }) => theirs),
    }).toEqual({
      plan: zones,
      job: [zones, 'waiting', 'window', inTokyo],
      items: [
        ['R2', 'America/New_York', 'window', inNewYork],
        ['R4', 'Asia/Tokyo', 'window', inTokyo],
        ['R5', undefined, 'window', inCopenhagen],
      ],
      quitting: [zones],
    })
  })

  it('is stored over a restart', async () => {
    const { program, home } = await aProgramAt('2026-11-21T12:00Z')
    const { id } = await program.start([newYork, tokyo], { window })
    await program.after(0)
    program.kill()
    const next = new AProgram(home, { clock: program.clock })
    const sent = noting(next)
    await next.jobs.resume({ id, unlock: true })
    await next.after(24 * hour)
    expect(sent).toEqual(['R4 2026-11-21T17:30Z', 'R2 2026-11-22T07:30Z'])
  })

  it('sends a room whose window is open while another waits for its own', async () => {
    const { program, sent } = await aProgramAt('2026-11-21T18:00Z')
    const { id } = await program.start([newYork, tokyo], { window })
    await program.after(0)
    const { state, waitsFor, counts } = await program.jobs.get(id)
    expect([sent, state, waitsFor, counts.done]).toEqual([['R4 2026-11-21T18:00Z'], 'waiting', 'window', 1])
  })

  it('that a job does not have leaves it without zones', async () => {
    const { program } = await aProgramAt('2026-11-21T12:00Z')
    expect((await program.start([newYork])).zones).toBeUndefined()
  })
})

describe('a start time over rooms of several time zones', () => {
  /** 22:00 in Copenhagen. */
  const startAt = Date.parse('2026-11-21T21:00Z')
  const timeZone = 'Europe/Copenhagen'

  it('is the time on the clock of each room, and of this computer where the record names no zone', async () => {
    const { program, sent } = await aProgramAt('2026-11-21T12:00Z')
    const rooms = [newYork, tokyo, copenhagen, 'R5']
    const terms = { startAt, timeZone }
    const plan = await program.jobs.plan(aDraft(rooms, terms))
    const { id } = await program.jobs.start({ plan: plan.id, unlock: true, typed: null })
    await program.after(0)
    const job = await program.jobs.get(id)
    const zones = [
      { zone: 'America/New_York', count: 1, items: 1, startAt: Date.parse('2026-11-22T03:00Z') },
      { zone: 'Asia/Tokyo', count: 1, items: 1, startAt: Date.parse('2026-11-21T13:00Z') },
      { zone: 'Europe/Copenhagen', count: 1, items: 1, startAt },
      { zone: 'local', count: 1, items: 1, startAt },
    ]
    expect([plan.zones, job.zones, job.state, job.waitsFor, iso(job.waitsUntil ?? 0)]).toEqual([
      zones,
      zones,
      'waiting',
      'start-time',
      '2026-11-21T13:00Z',
    ])
    await program.after(10 * hour)
    const waiting = await program.items(id)
    expect([
      sent,
      waiting.flatMap((item) => (item.waitsFor === null ? [] : [[item.target.id, item.waitsFor]])),
    ]).toEqual([
      ['R4 2026-11-21T13:00Z', 'R1 2026-11-21T21:00Z', 'R5 2026-11-21T21:00Z'],
      [['R2', 'start-time']],
    ])
    await program.after(10 * hour)
    expect([sent.at(-1), (await program.jobs.get(id)).state]).toEqual(['R2 2026-11-22T03:00Z', 'ended'])
  })

  it('given with an offset is one moment for all', async () => {
    const { program, sent } = await aProgramAt('2026-11-21T12:00Z')
    await program.start([newYork, tokyo], { startAt })
    await program.after(24 * hour)
    expect(sent).toEqual(['R2 2026-11-21T21:00Z', 'R4 2026-11-21T21:00Z'])
  })

  it('that a clock change skips is an hour later there', async () => {
    const { program, sent } = await aProgramAt('2026-03-28T12:00Z')
    const atNight = { startAt: Date.parse('2026-03-29T02:30Z'), timeZone: 'UTC' }
    await program.start([helsinki, copenhagen], atNight)
    await program.after(24 * hour)
    expect(sent).toEqual(['R3 2026-03-29T00:30Z', 'R1 2026-03-29T01:30Z'])
  })

  it('that has passed in one of them is refused, and nothing is stored', async () => {
    const { program } = await aProgramAt('2026-11-21T14:00Z')
    await expect(program.start([newYork, tokyo], { startAt, timeZone })).rejects.toMatchObject({
      failure: {
        kind: 'invalid',
        field: 'startAt',
        message: 'The start time has passed in Asia/Tokyo. Choose a later one.',
      },
    })
    expect((await program.jobs.list({ sort: [], start: 0, count: 9 })).total).toBe(0)
  })

  it('missed by one of them, because the computer slept, ends its rooms unsent; those before it were sent', async () => {
    const { program, sent } = await aProgramAt('2026-11-21T12:00Z')
    const { id } = await program.start([newYork, tokyo], { startAt, timeZone })
    await program.after(2 * hour)
    program.clock.sleep(20 * hour)
    await program.after(hour)
    expect([
      sent,
      (await program.items(id)).map(({ target, outcome, detail }) => [target.id, outcome, detail]),
      (await program.jobs.get(id)).state,
    ]).toEqual([
      ['R4 2026-11-21T13:00Z'],
      [
        ['R2', 'failed', 'missed'],
        ['R4', 'done', null],
      ],
      'ended',
    ])
  })

  it('of a zone that passed while a technician paused the job is not missed', async () => {
    const { program, sent } = await aProgramAt('2026-11-21T12:00Z')
    const { id } = await program.start([newYork, tokyo], { startAt, timeZone })
    await program.after(2 * hour)
    await program.jobs.pause(id)
    await program.after(20 * hour)
    await program.jobs.resume({ id, unlock: false })
    await program.after(0)
    expect(sent).toEqual(['R4 2026-11-21T13:00Z', 'R2 2026-11-22T10:00Z'])
  })
})
