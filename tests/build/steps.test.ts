import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { settle } from '../fake-clock.ts'

interface Result {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
}
interface Work {
  readonly processors: number
  run(): Promise<Result | null>
}
const { inOrder, lastLines } = (await import(resolve(import.meta.dirname, '../../build/steps.mjs'))) as {
  inOrder(work: readonly Work[]): Promise<readonly Result[]>
  lastLines(results: readonly Result[], seconds: number): string[]
}

test('a run ends with what it skipped, its total time, and the count in the last line', () => {
  const results = [
    { passed: 5, failed: 0, skipped: [] },
    { passed: 4_986, failed: 1, skipped: ['the keychain (no D-Bus here)'] },
  ]
  expect(lastLines(results, 512.34)).toEqual([
    'skipped: the keychain (no D-Bus here)',
    'total  512.3 s',
    '4991 passed, 1 failed',
  ])
})

test('work begins in its order when as many of two processors are free as it takes, and what only waits begins beside it', async () => {
  const running: string[] = []
  const seen: string[][] = []
  const ends = new Map<string, () => void>()
  const work = (
    [
      ['build', 1],
      ['types', 1],
      ['lint', 1],
      ['unit', 2],
      ['waits', 0],
      ['journeys', 2],
    ] as const
  ).map(([name, processors]) => ({
    processors,
    run: async () => {
      running.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      running.splice(running.indexOf(name), 1)
      return name === 'build' ? null : { passed: 1, failed: 0, skipped: [] }
    },
  }))
  const done = inOrder(work)
  for (const name of ['types', 'build', 'lint', 'unit', 'waits', 'journeys']) {
    await settle()
    seen.push([...running])
    ends.get(name)!()
  }
  expect([seen, (await done).length]).toEqual([
    [['build', 'types'], ['build', 'lint'], ['lint'], ['unit', 'waits'], ['waits', 'journeys'], ['journeys']],
    5,
  ])
})
