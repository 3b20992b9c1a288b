import { runTests } from './load/suite-run.ts'

const files = [
  'tests/core/jobs/kill.test.ts',
  'tests/core/storage/kill.test.ts',
  'tests/core/writes/kill.test.ts',
]

/** R4, R10, D1: the tests in which programs are killed, with 50 kills each (HEADROOM_KILLS) instead of a few. */
export async function run(): Promise<object> {
  return runTests(files, { HEADROOM_KILLS: process.env['HEADROOM_KILLS'] ?? '50' })
}
