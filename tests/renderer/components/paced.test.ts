import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paced } from '../../../renderer/components/paced.ts'

describe('announcements in bursts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once, then once in each span, and never loses the last', () => {
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
  it('stays still after it was stopped', () => {
    let ran = 0
    const pace = paced(() => ran++, 500)
    pace.call()
    pace.call()
    pace.stop()
    vi.advanceTimersByTime(5_000)
    expect(ran).toBe(1)
  })
})
