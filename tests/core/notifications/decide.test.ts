import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { notificationKinds, type Message } from '../../../electron/contract/notification.ts'
import type { RoomHealth } from '../../../electron/contract/api/rooms.ts'
import {
  decide,
  nothingKnown,
  type Fact,
  type Facts,
  type Memory,
  type Wanted,
} from '../../../electron/core/notifications/decide.ts'
import { cases } from '../../setup/cases.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 23, 8)
const everything: Wanted = { kinds: notificationKinds, roomDownAfterInMs: 10 * minute, isQuiet: false }

/**
 * Makes checks one after the other, each with the state of the previous one after a round trip through JSON.
 */
class Looks {
  memory: Memory = nothingKnown
  at = start
  wanted: Wanted = everything

  look(facts: Partial<Facts>): readonly Message[] {
    const all: Facts = { organizationId: 'org', whole: true, rooms: null, facts: [], over: [], ...facts }
    const { memory, messages } = decide(this.memory, all, this.wanted, this.at)
    this.memory = JSON.parse(JSON.stringify(memory)) as Memory
    return messages
  }
  /** Data of a sync that has just read these rooms. */
  rooms(...healths: readonly RoomHealth[]): readonly string[] {
    const all = healths.map((health, index) => ({ id: `room-${index}`, name: `Room ${index}`, health }))
    return this.look({ rooms: { observedAt: this.at, all } }).map(brief)
  }
}
const brief = (message: Message): string =>
  message.kind === 'several'
    ? message.counts.map(({ kind, count }) => `${count} ${kind}`).join(', ')
    : 'name' in message
      ? `${message.kind} ${message.name}`
      : message.kind
const withdrawn = (version: string): Fact => ({
  key: `firmware-withdrawn ${version}`,
  message: {
    kind: 'firmware-withdrawn',
    product: 'Jabra Evolve2 65',
    version,
    devices: 3,
    place: { organizationId: 'org', page: 'devices' },
  },
})
const refused: Fact = {
  key: 'key-refused org',
  message: {
    kind: 'key-refused',
    organizationId: 'org',
    organization: 'Nordlys',
    place: { organizationId: null, page: 'organizations' },
  },
}

const ended: Fact = {
  key: 'job-ended 1',
  message: {
    kind: 'job-ended',
    work: 'reboot-rooms',
    target: null,
    asked: 2,
    counts: {
      done: 2,
      failed: 0,
      'not-found': 0,
      'not-supported': 0,
      unknown: 0,
      'not-confirmed': 0,
      'not-sent': 0,
    },
    place: { organizationId: 'org', page: 'jobs', id: '1' },
  },
}

const news = (is: 'due' | 'unarmed'): Fact => ({
  key: `job-news 2 ${is}`,
  message: {
    kind: 'job-news',
    news: is,
    work: 'reboot-rooms',
    target: null,
    asked: 3,
    organizationId: 'org',
    organization: 'Nordlys',
    place: { organizationId: 'org', page: 'jobs', id: '2' },
  },
})
const noRooms = (observedAt: number): Partial<Facts> => ({ rooms: { observedAt, all: [] } })

describe('a room', () => {
  /** Checks as: minutes after the first one, the data of a sync, the notifications. */
  type Step = readonly [minutes: number, health: RoomHealth, reported: string | null]
  it.each<readonly [string, readonly Step[]]>([
    [
      'that is back within the selected time is not reported',
      [
        [15, 'down', null],
        [20, 'ok', null],
        [40, 'ok', null],
      ],
    ],
    [
      'that stays down is reported once',
      [
        [15, 'down', null],
        [24, 'down', null],
        [30, 'down', 'down'],
        [45, 'down', null],
      ],
    ],
    [
      'that was down before the first check is not reported',
      [
        [0, 'down', null],
        [15, 'down', null],
        [30, 'down', null],
      ],
    ],
    [
      'that comes back is reported when it stays up',
      [
        [15, 'down', null],
        [30, 'down', 'down'],
        [45, 'ok', null],
        [60, 'trouble', 'back'],
      ],
    ],
    [
      'that goes on- and offline is reported once',
      [
        [15, 'down', null],
        [30, 'down', 'down'],
        [35, 'ok', null],
        [40, 'down', null],
        [45, 'ok', null],
        [50, 'down', null],
        [90, 'down', null],
      ],
    ],
    [
      'that goes down again within the hour is reported after that hour',
      [
        [15, 'down', null],
        [30, 'down', 'down'],
        [35, 'ok', null],
        [45, 'ok', 'back'],
        [50, 'down', null],
        [65, 'down', null],
        [90, 'down', 'down'],
      ],
    ],
    [
      'of which nothing is known stays unchanged',
      [
        [15, 'down', null],
        [30, 'unknown', null],
        [45, 'down', 'down'],
        [60, 'unknown', null],
      ],
    ],
  ])('%s', (_name, steps) => {
    const looks = new Looks()
    const reported = steps.map(([minutes, health]) => {
      if (minutes > 0 && looks.memory === nothingKnown) looks.rooms('ok')
      looks.at = start + minutes * minute
      return looks.rooms(health)
    })
    expect(reported).toEqual(steps.map(([, , what]) => (what === null ? [] : [`room-${what} Room 0`])))
  })

  test('that no later sync has read is not reported, however late it is', () => {
    const looks = new Looks()
    looks.rooms('ok')
    looks.at += minute
    const seen = { observedAt: looks.at, all: [{ id: 'room-0', name: 'Room 0', health: 'down' as const }] }
    expect([
      looks.look({ rooms: seen }),
      ((looks.at += hour), looks.look({ rooms: seen })),
      looks.look({}),
    ]).toEqual([[], [], []])
  })

  test('that was down before it was selected is not reported when selected', () => {
    const looks = new Looks()
    looks.wanted = { ...everything, kinds: [] }
    looks.rooms('ok')
    looks.at += 15 * minute
    looks.rooms('down')
    looks.wanted = everything
    looks.at += hour
    expect(looks.rooms('down')).toEqual([])
  })

  test('is part of a single message when more than three are reported at once', () => {
    const looks = new Looks()
    looks.rooms('ok', 'ok', 'ok', 'ok')
    looks.at += 15 * minute
    looks.rooms('down', 'down', 'down', 'down')
    looks.at += 15 * minute
    expect(looks.rooms('down', 'down', 'down', 'down')).toEqual(['4 room-down'])
  })
})

describe('a fact', () => {
  test('is reported once, also over restarts', () => {
    const looks = new Looks()
    looks.look({})
    expect([1, 2, 3].map(() => looks.look({ facts: [refused] }).map(brief))).toEqual([
      ['key-refused'],
      [],
      [],
    ])
  })

  test('that had ended is reported when it recurs', () => {
    const looks = new Looks()
    looks.look({})
    looks.look({ facts: [refused] })
    looks.look({ over: [refused.key] })
    expect(looks.look({ facts: [refused] }).map(brief)).toEqual(['key-refused'])
  })

  test('that is true at the first check is not reported, except a refused key', () => {
    const looks = new Looks()
    const facts = [refused, ended]
    expect([looks.look({ facts }).map(brief), looks.look({ facts })]).toEqual([['key-refused'], []])
  })

  test('about firmware is not reported in the first hour', () => {
    const looks = new Looks()
    looks.look({})
    const first = looks.look({ facts: [withdrawn('1.0')] })
    looks.at += hour
    expect([first, looks.look({ facts: [withdrawn('1.0'), withdrawn('2.0')] }).map(brief)]).toEqual([
      [],
      ['firmware-withdrawn'],
    ])
  })

  test('of an unselected kind is not reported later', () => {
    const looks = new Looks()
    looks.wanted = { ...everything, kinds: ['room-down'] }
    looks.look({})
    looks.look({ facts: [refused] })
    looks.wanted = everything
    expect(looks.look({ facts: [refused] })).toEqual([])
  })
})

describe('of another organization', () => {
  /** Only the jobs of it that have not ended were read. */
  const elsewhere = (facts: readonly Fact[]): Partial<Facts> => ({ whole: false, facts })

  test('jobs are read only in part: its other facts are not news when it becomes the current one', () => {
    const looks = new Looks()
    looks.look(elsewhere([]))
    looks.look(elsewhere([news('unarmed')]))
    looks.at += 2 * hour
    const facts = [ended, news('unarmed'), withdrawn('1.0')]
    expect([
      looks.look({ facts }),
      looks.look({ facts: [{ ...ended, key: 'job-ended 2' }, ...facts] }).map(brief),
      looks.look({ facts: [withdrawn('2.0'), ...facts] }),
      ((looks.at += hour), looks.look({ facts: [withdrawn('3.0'), ...facts] }).map(brief)),
    ]).toEqual([[], ['job-ended'], [], ['firmware-withdrawn']])
  })

  test('a scheduled job that begins is reported if its jobs were read before', () => {
    const looks = new Looks()
    looks.look(elsewhere([]))
    expect([
      looks.look(elsewhere([news('due')])).map(brief),
      looks.look(elsewhere([news('due')])),
      new Looks().look(elsewhere([news('due')])),
    ]).toEqual([['job-news'], [], []])
  })
})

describe('after a month', () => {
  const month = 30 * 24 * hour
  const facts = [refused, ended, withdrawn('1.0')]
  const told = (): Looks => {
    const looks = new Looks()
    looks.look({})
    looks.at += 2 * hour
    looks.look({ ...noRooms(looks.at), facts })
    looks.at += month
    return looks
  }

  test('without a look no fact is reported again', () => {
    const looks = told()
    expect([
      // The first sync still runs: what it reads is missing.
      looks.look({ facts: [refused, ended] }),
      looks.look({ whole: false }),
      looks.look({ ...noRooms(looks.at), facts }),
    ]).toEqual([[], [], []])
  })

  test('a fact that is no longer read is forgotten', () => {
    const looks = told()
    looks.look(noRooms(looks.at))
    expect(looks.memory.organizations['org']?.facts).toEqual({})
  })
})

describe('a click on a summary of rooms', () => {
  const look = (...healths: readonly (readonly RoomHealth[])[]): Message | undefined => {
    const looks = new Looks()
    let last: readonly Message[] = []
    for (const health of healths) {
      const all = health.map((one, index) => ({ id: `room-${index}`, name: null, health: one }))
      last = looks.look({ rooms: { observedAt: looks.at, all } })
      looks.at += 15 * minute
    }
    return last[0]
  }
  const four = (one: RoomHealth): readonly RoomHealth[] => [one, one, one, one]
  const down = [four('ok'), four('down'), four('down')]

  test.each<[string, readonly (readonly RoomHealth[])[], string | undefined]>([
    ['that are down shows those that are down', down, 'health:down'],
    ['that are back shows all rooms', [...down, four('ok'), four('ok')], undefined],
    [
      'of both kinds shows all rooms',
      [
        ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
        ['down', 'down', 'ok', 'ok', 'ok', 'ok'],
        ['down', 'down', 'ok', 'ok', 'ok', 'ok'],
        ['ok', 'ok', 'down', 'down', 'ok', 'ok'],
        ['ok', 'ok', 'down', 'down', 'ok', 'ok'],
      ],
      undefined,
    ],
  ])('%s', (_, healths, where) => {
    const message = look(...healths)
    expect([message?.kind, message?.place]).toEqual([
      'several',
      { organizationId: 'org', page: 'rooms', ...(where === undefined ? {} : { where }) },
    ])
  })
})

describe('in quiet hours', () => {
  const quiet = (): Looks => {
    const looks = new Looks()
    looks.look({})
    looks.at += hour
    looks.wanted = { ...everything, isQuiet: true }
    return looks
  }

  test('show nothing; a single message appears unchanged after them', () => {
    const looks = quiet()
    const during = looks.look({ facts: [refused] })
    looks.wanted = everything
    expect([during, looks.look({}).map(brief), looks.look({})]).toEqual([[], ['key-refused'], []])
  })

  test('are followed by nothing of a kind that was switched off meanwhile', () => {
    const looks = quiet()
    looks.look({ facts: [refused, withdrawn('1.0')] })
    looks.wanted = { ...everything, kinds: ['key-refused'] }
    expect(looks.look({}).map(brief)).toEqual(['key-refused'])
  })

  test('are followed by a summary of what happened', () => {
    const looks = quiet()
    looks.look({ facts: [refused] })
    looks.look({ facts: [refused, withdrawn('1.0'), withdrawn('2.0')] })
    looks.wanted = everything
    expect(looks.look({})).toEqual([
      {
        kind: 'several',
        counts: [
          { kind: 'firmware-withdrawn', count: 2 },
          { kind: 'key-refused', count: 1 },
        ],
        place: { organizationId: null, page: 'overview' },
      },
    ])
  })
})

test('report nothing within, everything afterwards, and no fact twice', () => {
  const healths: readonly RoomHealth[] = ['ok', 'trouble', 'down', 'unknown']
  const step = fc.record({
    minutes: fc.integer({ min: 0, max: 90 }),
    isQuiet: fc.boolean(),
    rooms: fc.option(fc.array(fc.constantFrom(...healths), { minLength: 3, maxLength: 3 })),
    versions: fc.subarray(['1', '2', '3', '4', '5']),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const looks = new Looks()
      const reported = new Map<string, number>()
      const decided = new Map<string, number>()
      const count = (into: Map<string, number>, kind: string, by: number): unknown =>
        into.set(kind, (into.get(kind) ?? 0) + by)
      /** The same checks without quiet hours and summaries, which give everything that is to be reported. */
      let aloud: Memory = nothingKnown
      const look = (isQuiet: boolean, given: Partial<Facts>): void => {
        looks.wanted = { ...everything, isQuiet }
        const messages = looks.look(given)
        if (isQuiet) expect(messages).toEqual([])
        for (const message of messages)
          for (const { kind, count: n } of message.kind === 'several'
            ? message.counts
            : [{ kind: message.kind, count: 1 }])
            count(reported, kind, n)
        const all: Facts = { organizationId: 'org', whole: true, rooms: null, facts: [], over: [], ...given }
        const alone = decide(aloud, all, everything, looks.at)
        aloud = alone.memory
        for (const message of alone.messages)
          for (const { kind, count: n } of message.kind === 'several'
            ? message.counts
            : [{ kind: message.kind, count: 1 }])
            count(decided, kind, n)
      }
      for (const { minutes, isQuiet, rooms, versions } of steps) {
        looks.at += minutes * minute
        const all = (rooms ?? []).map((health, index) => ({ id: `room-${index}`, name: null, health }))
        look(isQuiet, {
          facts: versions.map(withdrawn),
          rooms: rooms === null ? null : { observedAt: looks.at, all },
        })
      }
      look(false, {})
      expect(reported).toEqual(decided)
      expect(reported.get('firmware-withdrawn') ?? 0).toBeLessThanOrEqual(5)
    }),
    { numRuns: cases(300) },
  )
})
