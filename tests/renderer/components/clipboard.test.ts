import { expect, test } from 'vitest'
import { tableText } from '../../../renderer/components/clipboard.ts'

test.each<readonly [string, readonly (readonly string[])[], string]>([
  [
    'plain cells',
    [
      ['Bar', '0A1'],
      ['Hall', ''],
    ],
    'Bar\t0A1\nHall\t',
  ],
  [
    'a tab or a line break in a cell',
    [
      ['a\tb', 'c\nd'],
      ['e\r\nf', 'g\u2028h'],
    ],
    'a b\tc d\ne f\tg h',
  ],
  [
    'what a spreadsheet would run',
    [['=1+1', '+45', '-x', '@SUM(A1)', '\uFF1D1', 'a=1']],
    "'=1+1\t'+45\t'-x\t'@SUM(A1)\t'\uFF1D1\ta=1",
  ],
])('a copied table keeps its rows and cells and contains no formula: %s', (_, rows, text) => {
  expect(tableText(rows)).toBe(text)
})
