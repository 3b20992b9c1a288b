import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openList, openShown } from './opened-list.ts'

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
    ['that is not followed is cleared', false, [], undefined, 0],
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
  it('reads what is beside the rows again when another list takes their place', async () => {
    const [replaced, beside] = [source(), vi.fn(async () => undefined)]
    const { list, answerAll } = openList(95, { replacedBy: [replaced.subscribe], beside })
    void list.show()
    await answerAll()
    replaced.tell()
    const unfollowed = beside.mock.calls.length
    list.follow([])
    replaced.tell()
    await answerAll()
    expect([unfollowed, beside.mock.calls.length]).toEqual([0, 1])
  })
})
