import { describe, expect, it } from 'vitest'
import { dateText, momentText, timeText } from '../../electron/contract/date-text.ts'
import { systemTimeZone } from '../../electron/contract/time-zone.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

describe('the text of a date', () => {
  it('has three letters for every month', () => {
    const texts = months.map((_, month) => momentText(Date.UTC(2026, month, 21, 0, 5), 'UTC'))
    expect(texts).toEqual(months.map((month) => `21 ${month} 2026 00:05`))
  })

  it('is the same for the zone of the computer and for its name', () => {
    const moments = months.flatMap((_, month) =>
      [1, 9, 28].map((day) => Date.UTC(2026, month, day, day, 7, 3)),
    )
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
    expect(moments.map((at) => [momentText(at), timeText(at)])).toEqual(
      moments.map((at) => [momentText(at, systemTimeZone()), dateText(clock, at)]),
    )
  })
})
