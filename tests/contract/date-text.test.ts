import { describe, expect, it } from 'vitest'
import { dateText, momentFormat } from '../../electron/contract/date-text.ts'

describe('the text of a date', () => {
  it('has three letters for every month', () => {
    const format = momentFormat('UTC')
    const texts = Array.from({ length: 12 }, (_, month) => dateText(format, Date.UTC(2026, month, 21, 0, 5)))
    expect(texts).toEqual(
      ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
        (month) => `21 ${month} 2026 00:05`,
      ),
    )
  })
})
