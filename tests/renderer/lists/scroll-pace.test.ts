import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openScrollPace } from '../../../renderer/lists/scroll-pace.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

describe('the pace of a scrolling list', () => {
  it.each<[string, readonly number[], boolean]>([
    ['nothing moved', [], false],
    ['a row a frame', [1, 2, 3, 4], false],
    ['a wheel turned quickly', [12, 30, 49, 60], false],
    ['one jump to the end', [99_000], false],
    ['a hand that drags the bar', [250, 500], true],
    ['one screen per frame', [20, 40], true],
    ['upwards like downwards', [99_000, 98_000], true],
    ['a hand that drags and then goes slowly', [250, 500, 519], false],
  ])('%s', (_what, rows, fleeting) => {
    const pace = openScrollPace()
    for (const row of rows) pace.moved(row)
    expect(pace.isFleeting()).toBe(fleeting)
  })

  it('waiting work continues when scrolling stops or slows down', async () => {
    const pace = openScrollPace()
    const reported: string[] = []
    const wait = (name: string): void => void pace.readable().then(() => reported.push(name))
    wait('before')
    pace.moved(250)
    pace.moved(500)
    wait('dragged')
    await vi.advanceTimersByTimeAsync(79)
    pace.moved(750)
    await vi.advanceTimersByTimeAsync(79)
    expect(reported).toEqual(['before'])
    await vi.advanceTimersByTimeAsync(1)
    expect([reported, pace.isFleeting()]).toEqual([['before', 'dragged'], false])
    pace.moved(1_000)
    pace.moved(1_250)
    wait('again')
    pace.moved(1_260)
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toEqual(['before', 'dragged', 'again'])
  })
})
