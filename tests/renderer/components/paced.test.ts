import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paced } from '../../../renderer/components/paced.ts'

describe('events in bursts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('run at once, then once in each interval, and the last is never lost', () => {
    const ran: number[] = []
    const pace = paced(() => ran.push(Date.now()), 500)
    const from = Date.now()
    for (let i = 0; i < 12; i++) {
      pace.call()
      vi.advanceTimersByTime(100)
    }
    vi.advanceTimersByTime(5_000)
    expect(ran.map((at) => at - from)).toEqual([0, 500, 1000, 1500])
  })
  it('do not run after stopping', () => {
    let ran = 0
    const pace = paced(() => ran++, 500)
    pace.call()
    pace.call()
    pace.stop()
    vi.advanceTimersByTime(5_000)
    expect(ran).toBe(1)
  })
})
