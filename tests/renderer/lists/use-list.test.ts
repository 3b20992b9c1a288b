import * as fc from 'fast-check'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { filterBy, openList, openShown, type Opened, type Row } from './opened-list.ts'

describe('a list in slices', () => {
  it('requests nothing before it is shown, and then its first slice', async () => {
    const { list, asked, answerAll, ids } = openList()
    const previous = [list.total.value, asked()]
    void list.show()
    const first = asked()
    await answerAll()
    expect([previous, first, list.total.value, list.all.value, ids(0, 1)]).toEqual([
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
  it('requests each slice once in a scroll from the top to the end', async () => {
    const { list, waiting } = openList(200, { ahead: 20 })
    const starts: number[] = []
    const answerOnce = async (): Promise<void> => {
      for (const one of [...waiting]) {
        starts.push(one.start)
        await one.answer()
      }
    }
    void list.show()
    await answerOnce()
    for (let first = 0; first <= 190; first++) {
      list.need(first, first + 9)
      await answerOnce()
    }
    expect(starts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, slice) => slice * 10))
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
  it('continues from no row of a slice that is outdated', async () => {
    const { list, waiting } = await openShown()
    void list.again()
    list.need(10, 12)
    expect(waiting.map(({ start, above }) => [start, above])).toEqual([
      [0, null],
      [10, null],
    ])
  })
  it('keeps the newer of two answers to one slice, whichever comes first', async () => {
    const { list, service, waiting, ids } = await openShown()
    void list.again()
    await waiting[0]!.fail()
    list.need(0, 4)
    service.edition = 1
    void list.again()
    const [older, newer] = waiting
    await newer!.answer()
    await older!.answer()
    expect([older!.edition, newer!.edition, ids(0, 0)]).toEqual([0, 1, [':1:0']])
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
  it('requests nothing ahead of where the previous list was scrolled to', async () => {
    const opened = openList(95, { ahead: 20 })
    void opened.list.show()
    await opened.answerAll()
    opened.list.need(0, 4)
    opened.list.need(12, 16)
    opened.list.need(52, 56)
    await opened.answerAll()
    await filterBy(opened, 'a')
    await opened.answerAll()
    opened.list.need(0, 4)
    expect(opened.asked()).toEqual([])
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
          const twice = opened.waiting.filter((waits) =>
            opened.waiting.some(
              (other) =>
                other !== waits &&
                other.question === waits.question &&
                other.start === waits.start &&
                other.edition === waits.edition,
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
