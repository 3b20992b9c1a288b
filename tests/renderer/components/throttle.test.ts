import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttle } from '../../../renderer/components/throttle.ts'

describe('events in bursts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('run at once, then once in each interval, and the last is never lost', () => {
    const ran: number[] = []
    const throttled = throttle(() => ran.push(Date.now()), 500)
    const from = Date.now()
    for (let i = 0; i < 12; i++) {
      throttled.call()
      vi.advanceTimersByTime(100)
    }
    vi.advanceTimersByTime(5_000)
    expect(ran.map((at) => at - from)).toEqual([0, 500, 1000, 1500])
  })
  it('do not run after stopping', () => {
    let ran = 0
    const throttled = throttle(() => ran++, 500)
    throttled.call()
    throttled.call()
    throttled.stop()
    vi.advanceTimersByTime(5_000)
    expect(ran).toBe(1)
  })
})
