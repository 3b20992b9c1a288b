import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations, type Operation } from '../../electron/contract/operations.ts'

const source = ({ published, path }: Operation): string =>
  published ? '✓' : path === null ? 'not published' : 'observed'
const row = (operation: Operation): string =>
  `| ${operation.name} | ${operation.path === null ? '–' : `${operation.method} \`${operation.path}\``} | ${operation.answer ?? 'not shown'} | ${source(operation)} |`

test('lists every operation of the table in the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').split('\n')
  const listed = readme.filter((line) => /\| (✓|observed|not published) \|$/.test(line))
  expect(listed).toEqual(operations.map(row))
})
