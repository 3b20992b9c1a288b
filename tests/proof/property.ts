import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Part } from './runner/part.ts'
import { runTests } from './runner/run-tests.ts'

const root = resolve(import.meta.dirname, '../..')
const pieces = globSync('tests/**/*.test.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) =>
    /from '(fast-check|[./]+\/setup\/cases\.ts)'/.test(readFileSync(join(root, file), 'utf8')),
  )
  .sort()

export const part: Part = {
  purpose:
    'Every property test with its full count and a new seed for each file, and every test that kills programs.',
  pieces,
  oneByOne: false,
  targets: [
    {
      id: 'R1',
      target: 'Call windows',
      piece: 'tests/core/call-budget/windows.property.test.ts',
      of: 'cases',
      due: 1_000,
    },
    {
      id: 'R1',
      target: 'Call windows, the minute',
      piece: 'tests/core/call-budget/kill.test.ts',
      of: 'kills',
      due: 120,
    },
    {
      id: 'R4',
      target: 'The minute between writes',
      piece: 'tests/core/writes/slots.property.test.ts',
      of: 'cases',
      due: 600,
    },
    {
      id: 'R4',
      target: 'The minute between writes',
      piece: 'tests/core/writes/kill.test.ts',
      of: 'kills',
      due: 50,
    },
    {
      id: 'I7',
      target: 'Nothing falsely gone',
      piece: 'tests/core/sync/false-gone.property.test.ts',
      of: 'cases',
      due: 5_000,
    },
    {
      id: 'R10',
      target: 'Every item ends once',
      piece: 'tests/core/jobs/faults.property.test.ts',
      of: 'cases',
      due: 1_000,
    },
    {
      id: 'R10',
      target: 'The version that is installed',
      piece: 'tests/core/jobs/firmware-truth.property.test.ts',
      of: 'cases',
      due: 200,
    },
    {
      id: 'D1',
      target: 'Every item ends once, files whole',
      piece: 'tests/core/jobs/kill.test.ts',
      of: 'kills',
      due: 50,
    },
    { id: 'D1', target: 'Files whole', piece: 'tests/core/storage/kill.test.ts', of: 'kills', due: 50 },
    {
      id: 'D3',
      target: 'Damaged records',
      piece: 'tests/core/management/records.test.ts',
      of: 'cases',
      due: 100_000,
    },
    {
      id: 'F1',
      target: 'Resumed downloads',
      piece: 'tests/core/downloads/resuming.test.ts',
      of: 'cases',
      due: 10,
    },
    {
      id: 'F1',
      target: 'The file that is saved',
      piece: 'tests/core/downloads/download-truth.property.test.ts',
      of: 'cases',
      due: 400,
    },
    {
      id: 'F5',
      target: 'Version order',
      piece: 'tests/core/lists/version-order.test.ts',
      of: 'cases',
      due: 3_000,
    },
    { id: 'S4', target: 'Arguments', piece: 'tests/contract/arguments.test.ts', of: 'cases', due: 10_000 },
    { id: 'S8', target: 'Filters', piece: 'tests/core/devices/fuzz.test.ts', of: 'cases', due: 10_000 },
  ],
  cannotRun: () =>
    import('node:sqlite').then(
      () => null,
      () => 'this Node has no SQLite',
    ),
  run: runTests,
  again: (file, seed) =>
    `HEADROOM_CASES=all HEADROOM_PROPERTY_SEED=${seed} npx vitest run ${file} --testTimeout=600000`,
}
