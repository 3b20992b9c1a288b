import * as fc from 'fast-check'
import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { effectScope, ref } from 'vue'
import { done, failed, type Outcome } from '../../../electron/contract/failure.ts'
import { useList, type ListSource, type SliceRequest } from '../../../renderer/lists/use-list.ts'

const COUNT = 10

interface Row {
  readonly id: string
  readonly index: number
}
interface Answer {
  readonly total: number
  readonly all: number
  readonly rows: readonly Row[]
}
interface Request {
  readonly question: { readonly where: string }
  readonly edition: number
  readonly start: number
  readonly above: SliceRequest<Row>['above']
  answer(): Promise<void>
  fail(): Promise<void>
}

/**
 * A list over rows named `where:edition:index`; each request waits until the test responds, with the service's data at the time of the
 * request.
 */
function openList(
  rows = 95,
  more: Partial<Pick<ListSource<object, Row, Answer>, 'replacedBy' | 'ahead'>> = {},
) {
  const service = { rows, edition: 0 }
  const waiting: Request[] = []
  const where = ref<string | null>('')
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const list = scope.run(() =>
    useList<{ readonly where: string }, Row, Answer>({
      question: () => (where.value === null ? null : { where: where.value }),
      count: COUNT,
      ...more,
      rowsOf: (answer) => answer.rows,
      idOf: (row) => row.id,
      fetch(question, { start, count, above }) {
        const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>()
        const { rows: total, edition } = service
        const end = Math.min(start + count, total)
        const found = Array.from({ length: Math.max(0, end - start) }, (_, within) => ({
          id: `${question.where}:${edition}:${start + within}`,
          index: start + within,
        }))
        const settle = async (outcome: Outcome<Answer>): Promise<void> => {
          waiting.splice(waiting.indexOf(request), 1)
          resolve(outcome)
          await flushPromises()
        }
        const request: Request = {
          question,
          edition,
          start,
          above,
          answer: () => settle(done({ total, all: 95, rows: found })),
          fail: () => settle(failed({ kind: 'too-busy', waiting: 1 })),
        }
        waiting.push(request)
        return promise
      },
    }),
  )!
  const asked = (): readonly string[] => waiting.map((one) => `${one.question.where}@${one.start}`)
  const answerAll = async (): Promise<void> => {
    while (waiting[0]) await waiting[0].answer()
  }
  const ids = (first: number, last: number): readonly (string | undefined)[] =>
    Array.from({ length: last - first + 1 }, (_, within) => list.rowAt(first + within)?.id)
  return { list, service, waiting, where, asked, answerAll, ids }
}
type Opened = ReturnType<typeof openList>
/** The first slice of 95 rows is loaded, the table shows its first five. */
async function openShown(rows = 95): Promise<Opened> {
  const opened = openList(rows)
  void opened.list.show()
  await opened.answerAll()
  opened.list.need(0, 4)
  return opened
}
async function filterBy({ where }: Opened, text: string | null): Promise<void> {
  where.value = text
  await flushPromises()
}

describe('a list in slices', () => {
  it('requests nothing before it is shown, and then its first slice', async () => {
    const { list, asked, answerAll, ids } = openList()
    const before = [list.total.value, asked()]
    void list.show()
    const first = asked()
    await answerAll()
    expect([before, first, list.total.value, list.all.value, ids(0, 1)]).toEqual([
      [null, []],
      ['@0'],
      95,
      95,
      [':0:0', ':0:1'],
    ])
  })
  it('requests the first slice once with a table that exists before it is shown', async () => {
    const { list, asked, answerAll, ids } = openList()
    list.need(0, 4)
    list.need(0, 5)
    void list.show()
    const first = asked()
    await answerAll()
    expect([first, ids(0, 0)]).toEqual([['@0'], [':0:0']])
  })
  it('requests each visible missing slice once, at most two at a time', async () => {
    const { list, waiting, asked, answerAll } = await openShown()
    list.need(8, 41)
    list.need(8, 41)
    const together = asked()
    await waiting[0]!.answer()
    const next = asked()
    await answerAll()
    list.need(8, 41)
    expect([together, next, asked()]).toEqual([['@10', '@20'], ['@20', '@30'], []])
  })
  it('drops requests for slices that were scrolled past', async () => {
    const { list, waiting, asked } = await openShown()
    list.need(10, 49)
    list.need(70, 74)
    await waiting[0]!.answer()
    expect(asked()).toEqual(['@20', '@70'])
  })
  it('requests the next slice in the scroll direction, after the visible ones', async () => {
    const { list, asked, answerAll } = openList(95, { ahead: 20 })
    void list.show()
    await answerAll()
    list.need(0, 4)
    const still = asked()
    list.need(12, 16)
    const down = asked()
    await answerAll()
    list.need(52, 56)
    await answerAll()
    list.need(48, 52)
    expect([still, down, asked()]).toEqual([[], ['@10', '@30'], ['@40', '@20']])
  })
  it('returns the entry from which a slice can continue, and its distance', async () => {
    const { list, waiting, answerAll } = await openShown()
    list.need(30, 32)
    const far = waiting[0]!.above
    await answerAll()
    list.need(40, 42)
    expect([far, waiting[0]!.above]).toEqual([
      { row: { id: ':0:9', index: 9 }, between: 20 },
      { row: { id: ':0:39', index: 39 }, between: 0 },
    ])
  })
  it('keeps the first slice, the visible ones and the nearest ones', async () => {
    const { list, answerAll, ids } = await openShown()
    for (let first = 0; first < 90; first += 10) {
      list.need(first, first + 4)
      await answerAll()
    }
    const here = Array.from({ length: 9 }, (_, slice) => ids(slice * 10, slice * 10)[0] !== undefined)
    expect(here).toEqual([true, false, false, false, true, true, true, true, true])
  })
  it('finds a loaded row by its id', async () => {
    const { list, answerAll } = await openShown()
    list.need(20, 24)
    await answerAll()
    expect([list.indexOf(':0:23'), list.indexOf(':0:63')]).toEqual([23, null])
  })
  it('has no rows without a query, and then those of the next one', async () => {
    const opened = await openShown()
    opened.list.need(10, 12)
    await filterBy(opened, null)
    await opened.answerAll()
    void opened.list.again()
    const none = [opened.list.total.value, opened.ids(0, 0), opened.asked()]
    await filterBy(opened, 'a')
    await opened.answerAll()
    opened.list.need(10, 12)
    await opened.answerAll()
    expect([none, opened.ids(9, 10)]).toEqual([
      [null, [undefined], []],
      ['a:0:9', 'a:0:10'],
    ])
  })
})

describe('another query', () => {
  it('keeps the previous rows until its own arrive, and then starts over', async () => {
    const opened = await openShown()
    opened.list.place.value = { top: 300, active: 9 }
    await filterBy(opened, 'a')
    const waiting = [opened.ids(0, 0), opened.list.startedOver.value]
    await opened.answerAll()
    expect([waiting, opened.ids(0, 0), opened.list.startedOver.value, opened.list.place.value]).toEqual([
      [[':0:0'], 0],
      ['a:0:0'],
      1,
      null,
    ])
  })
  it('drops a late response to the previous one, and requests its slice again', async () => {
    const opened = await openShown()
    opened.list.need(0, 14)
    await filterBy(opened, 'a')
    const [late, first] = opened.waiting
    await first!.answer()
    opened.list.need(0, 14)
    const again = opened.asked()
    await late!.answer()
    const afterLate = opened.ids(10, 10)
    await opened.answerAll()
    expect([again, afterLate, opened.ids(10, 10)]).toEqual([['@10', 'a@10'], [undefined], ['a:0:10']])
  })
  it('waits while one is in flight: only the newest is sent', async () => {
    const opened = await openShown()
    for (const text of ['a', 'an', 'ann', 'anna']) await filterBy(opened, text)
    const atFirst = opened.asked()
    await opened.waiting[0]!.answer()
    const then = opened.asked()
    await opened.answerAll()
    expect([atFirst, then, opened.ids(0, 0)]).toEqual([['a@0'], ['anna@0'], ['anna:0:0']])
  })
  it('of another list does not wait for the previous one', async () => {
    const opened = await openShown()
    void opened.list.again()
    void opened.list.startOver()
    opened.service.edition = 1
    void opened.list.startOver()
    const together = opened.asked()
    await opened.waiting[2]!.answer()
    await opened.answerAll()
    expect([together, opened.ids(0, 0), opened.list.startedOver.value]).toEqual([
      ['@0', '@0', '@0'],
      [':1:0'],
      1,
    ])
  })
  it('sends nothing for scrolling the old rows meanwhile', async () => {
    const opened = await openShown()
    await filterBy(opened, 'a')
    opened.list.need(40, 60)
    expect(opened.asked()).toEqual(['a@0'])
  })
  it('that fails leaves no previous rows, and is sent again by showing the list', async () => {
    const opened = await openShown()
    await filterBy(opened, 'a')
    await opened.waiting[0]!.fail()
    const broken = [opened.list.failure.value?.kind, opened.list.total.value, opened.ids(0, 0)]
    void opened.list.show()
    await opened.answerAll()
    expect([broken, opened.list.failure.value, opened.ids(0, 0)]).toEqual([
      ['too-busy', null, [undefined]],
      null,
      ['a:0:0'],
    ])
  })
})

describe('rows that changed under the same query', () => {
  it('reload the first slice and the visible ones; all rows stay meanwhile', async () => {
    const { list, service, answerAll, asked, waiting, ids } = await openShown()
    for (const first of [10, 20, 30]) {
      list.need(first, first + 4)
      await answerAll()
    }
    service.edition = 1
    void list.again()
    const meanwhile = [asked(), ids(30, 30)]
    await waiting[0]!.answer()
    const then = asked()
    await answerAll()
    expect([meanwhile, then, ids(30, 30), ids(20, 20), list.startedOver.value]).toEqual([
      [['@0'], [':0:30']],
      ['@30'],
      [':1:30'],
      [':0:20'],
      0,
    ])
    list.need(20, 24)
    await answerAll()
    expect(ids(20, 20)).toEqual([':1:20'])
  })
  it('have one reload in flight and one waiting, for any number of events', async () => {
    const { list, waiting, asked } = await openShown()
    for (let times = 0; times < 5; times++) void list.again()
    const first = asked()
    await waiting[0]!.answer()
    const second = asked()
    await waiting[0]!.answer()
    expect([first, second, asked(), list.changed.value]).toEqual([['@0'], ['@0'], [], 5])
  })
  it('ignore an older response that arrives later, in rows and total', async () => {
    const { list, service, waiting, answerAll, ids } = await openShown()
    list.need(0, 14)
    const late = waiting[0]!
    service.edition = 1
    service.rows = 50
    void list.again()
    await waiting[1]!.answer()
    await late.answer()
    await answerAll()
    expect([list.total.value, ids(0, 0), ids(10, 10)]).toEqual([50, [':1:0'], [':1:10']])
  })
  it.each([
    ['to none', 0, 0, []],
    ['below what is visible', 42, 42, []],
    ['into what is visible', 72, 72, [':1:70', ':1:71']],
  ])(
    'with a total that shrinks %s: nothing is shown or requested beyond it',
    async (_, rows, total, left) => {
      const { list, service, answerAll, asked, ids } = await openShown()
      list.need(70, 79)
      await answerAll()
      service.edition = 1
      service.rows = rows
      void list.again()
      await answerAll()
      expect([list.total.value, ids(70, 79).filter((id) => id !== undefined), asked()]).toEqual([
        total,
        left,
        [],
      ])
    },
  )
  it('stay beside a failed reload, and the next good one clears the failure', async () => {
    const { list, waiting, answerAll, ids } = await openShown()
    void list.again()
    await waiting[0]!.fail()
    const broken = [list.failure.value?.kind, list.total.value, ids(0, 0)]
    await answerAll()
    void list.again()
    await answerAll()
    expect([broken, list.failure.value, ids(0, 0)]).toEqual([['too-busy', 95, [':0:0']], null, [':0:0']])
  })
  it('reload a failed slice on scrolling or an event, never in a loop', async () => {
    const { list, waiting, asked, answerAll, ids } = await openShown()
    list.need(10, 14)
    await waiting[0]!.fail()
    const still = asked()
    list.need(10, 15)
    await answerAll()
    expect([still, ids(10, 10), list.failure.value]).toEqual([[], [':0:10'], null])
  })
  it('cause a second query, not a second list, for an event before the first response', async () => {
    const { list, asked, waiting, answerAll, ids } = openList()
    void list.show()
    void list.again()
    const first = asked()
    await waiting[0]!.answer()
    const second = asked()
    await answerAll()
    expect([first, second, ids(0, 0), list.startedOver.value]).toEqual([['@0'], ['@0'], [':0:0'], 0])
  })
  it('keep their position when shown again, during the reload', async () => {
    const { list, answerAll, asked } = await openShown()
    list.place.value = { top: 64, active: 2 }
    void list.show()
    const request = asked()
    await answerAll()
    expect([request, list.place.value, list.startedOver.value]).toEqual([['@0'], { top: 64, active: 2 }, 0])
  })
})

describe('a list that follows events', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })
  const source = () => {
    const listeners = new Set<() => void>()
    return {
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      tell: () => listeners.forEach((listener) => listener()),
      listeners,
    }
  }
  it('is reloaded at once and then twice a second, and never after it stopped', async () => {
    const { list, answerAll } = openList()
    const changed = source()
    const stop = list.follow([changed.subscribe])
    for (let tenth = 0; tenth < 20; tenth++) {
      changed.tell()
      vi.advanceTimersByTime(100)
    }
    const times = list.changed.value
    stop()
    changed.tell()
    vi.advanceTimersByTime(5_000)
    await answerAll()
    expect([times, list.changed.value, changed.listeners.size]).toEqual([5, 5, 0])
  })
  it.each([
    ['starts over', true, ['@0'], ':0:0', 1],
    ['that nobody follows forgets its rows', false, [], undefined, 0],
  ] as const)('%s when another list takes its place', async (_, followed, asks, left, startedOver) => {
    const replaced = source()
    const { list, asked, answerAll, ids } = openList(95, { replacedBy: [replaced.subscribe] })
    if (followed) list.follow([])
    void list.show()
    await answerAll()
    list.place.value = { top: 300, active: 9 }
    replaced.tell()
    const request = asked()
    const meanwhile = [ids(0, 0)[0], list.place.value]
    await answerAll()
    void list.show()
    await answerAll()
    expect([request, meanwhile, ids(0, 0)[0], list.startedOver.value]).toEqual([
      asks,
      [left, null],
      ':0:0',
      startedOver,
    ])
  })
})

describe('any sequence of actions', () => {
  type Step =
    | { readonly kind: 'filter'; readonly text: string }
    | { readonly kind: 'scroll'; readonly to: number }
    | { readonly kind: 'change'; readonly rows: number }
    | { readonly kind: 'answer' | 'fail'; readonly which: number }
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('filter' as const), text: fc.constantFrom('', 'a', 'b') }),
    fc.record({ kind: fc.constant('scroll' as const), to: fc.nat(120) }),
    fc.record({ kind: fc.constant('change' as const), rows: fc.nat(120) }),
    fc.record({ kind: fc.constantFrom('answer' as const, 'fail' as const), which: fc.nat(9) }),
  )
  async function take(opened: Opened, done: Step): Promise<void> {
    const { list, service, waiting } = opened
    if (done.kind === 'filter') await filterBy(opened, done.text)
    else if (done.kind === 'scroll') list.need(done.to, done.to + 12)
    else if (done.kind === 'change') {
      service.rows = done.rows
      service.edition += 1
      void list.again()
      await flushPromises()
    } else if (waiting.length > 0) await waiting[done.which % waiting.length]![done.kind]()
  }
  const shownRows = ({ list }: Opened): readonly Row[] =>
    Array.from({ length: 120 }, (_, index) => list.rowAt(index)).filter((row) => row !== undefined)

  it('never mixes rows of two queries, keeps each at its place, and requests no slice twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const opened = openList()
        void opened.list.show()
        for (const one of steps) {
          await take(opened, one)
          const rows = shownRows(opened)
          expect(new Set(rows.map(({ id }) => id.split(':')[0])).size).toBeLessThanOrEqual(1)
          for (const row of rows) expect(opened.list.rowAt(row.index)).toBe(row)
          const twice = opened.waiting.filter((one) =>
            opened.waiting.some(
              (other) =>
                other !== one &&
                other.question === one.question &&
                other.start === one.start &&
                other.edition === one.edition,
            ),
          )
          expect(twice).toEqual([])
        }
        await opened.answerAll()
      }),
      { numRuns: 150 },
    )
  })
  it('ends with the newest query on screen as the service returns it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(120), async (steps, to) => {
        const opened = openList()
        const { list, service, where } = opened
        void list.show()
        for (const one of steps) await take(opened, one)
        await opened.answerAll()
        // A failure ends with the next event or scroll.
        void list.again()
        await opened.answerAll()
        list.need(to, to + 12)
        await opened.answerAll()
        const last = Math.min(to + 12, service.rows - 1)
        const wanted = Array.from({ length: Math.max(0, last - to + 1) }, (_, within) => to + within)
        expect([list.total.value, list.failure.value, wanted.map((index) => list.rowAt(index)?.id)]).toEqual([
          service.rows,
          null,
          wanted.map((index) => `${where.value}:${service.edition}:${index}`),
        ])
      }),
      { numRuns: 150 },
    )
  })
})
