import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { part } from '../proof/planted.ts'
import type { Result } from '../proof/runner/part.ts'
import { plantedBugs, withBug, type PlantedBug } from '../proof/runner/planted-bugs.ts'

const root = resolve(import.meta.dirname, '../..')
const problemOf = (bug: PlantedBug): string | null => {
  try {
    return withBug(bug) === readFileSync(join(root, bug.file), 'utf8') ? `${bug.id} changes nothing.` : null
  } catch (error) {
    return (error as Error).message
  }
}

test('at least 100 bugs can be planted, each with an id of its own and with tests that exist', () => {
  const problems = plantedBugs.flatMap((bug) => [
    ...[problemOf(bug) ?? []].flat(),
    ...bug.tests.filter((path) => !existsSync(join(root, path))),
  ])
  const ids = new Set(plantedBugs.map(({ id }) => id))
  expect([problems, ids.size, ids.size >= 100]).toEqual([[], plantedBugs.length, true])
})

const bug: PlantedBug = {
  id: 'pause-1',
  file: 'electron/core/pause.ts',
  old: 'import',
  new: 'import',
  says: '',
  tests: [],
}
test.each<[string, Partial<PlantedBug>, string]>([
  ['is gone', { old: 'not in the file' }, 'its text is not in electron/core/pause.ts.'],
  ['is there twice', { old: 'e' }, 'its text is more than once in electron/core/pause.ts.'],
  ['becomes no program', { new: 'import {' }, 'pause-1 of planted-bugs.json cannot be parsed: '],
  ['stays the same', {}, 'pause-1 changes nothing.'],
])('a bug whose text %s is refused', (_, change, problem) => {
  expect(problemOf({ ...bug, ...change })).toMatch(problem)
})

test.each([
  [10, true],
  [11, false],
])('of 100 planted bugs %i may stay unnoticed: %s', (unnoticed, isMet) => {
  const piece = (ran: number, notes: number): Result => ({
    counts: [{ test: 'some', of: 'cases', due: ran, ran }],
    failed: [],
    seconds: 1,
    notes: Array<string>(notes).fill('some-1 was not noticed.'),
  })
  const figure = `${100 - unnoticed} of 100 found`
  expect(part.together?.([piece(60, 0), piece(40, unnoticed)])).toEqual([{ id: 'H6', figure, isMet }])
})
