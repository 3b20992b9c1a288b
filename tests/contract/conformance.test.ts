import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations, type Operation } from '../../electron/contract/operations.ts'

const source = ({ published, path }: Operation): string =>
  published ? '✓' : path === null ? 'not published' : 'observed'
const row = (operation: Operation): string[] => [
  operation.name,
  operation.path === null ? '–' : `${operation.method} \`${operation.path}\``,
  operation.answer ?? 'not shown',
  source(operation),
]

test('services.md lists every operation of the table', () => {
  const services = readFileSync(new URL('../../electron/contract/services.md', import.meta.url), 'utf8')
  const listed = services
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => ['✓', 'observed', 'not published'].includes(cells[4] ?? ''))
  expect(listed.map((cells) => cells.slice(1, 5))).toEqual(operations.map(row))
})
