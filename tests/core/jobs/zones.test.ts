import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
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
    const zones = ['America/New_York', 'Asia/Tokyo', null]
    const [inTokyo, inCopenhagen, inNewYork] = ['2026-11-21T17:30Z', '2026-11-22T01:30Z', '2026-11-22T07:30Z']
    expect({
      plan: plan.timeZones,
      job: [job.timeZones, job.state, job.waitsFor, iso(job.waitsUntil ?? 0)],
      items: (await program.items(id)).map(({ target, timeZone, waitsFor, earliestAt }) => [
        target.id,
        timeZone,
        waitsFor,
        iso(earliestAt ?? 0),
      ]),
      quitting: program.jobs.active().waiting.map(({ timeZones }) => timeZones),
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
    const { timeZones, state } = await program.start([newYork], { startAt: Date.parse('2026-11-22T12:00Z') })
    expect([timeZones, state]).toEqual([undefined, 'waiting'])
  })
})
