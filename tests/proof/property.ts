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
  targets: [
    { target: 'R1', piece: 'tests/core/call-budget/windows.property.test.ts', of: 'cases', due: 1_000 },
    { target: 'R1, R4', piece: 'tests/core/call-budget/kill.test.ts', of: 'kills', due: 120 },
    { target: 'R4', piece: 'tests/core/writes/slots.property.test.ts', of: 'cases', due: 600 },
    { target: 'R4', piece: 'tests/core/writes/kill.test.ts', of: 'kills', due: 50 },
    { target: 'I7', piece: 'tests/core/sync/false-gone.property.test.ts', of: 'cases', due: 5_000 },
    { target: 'R10', piece: 'tests/core/jobs/faults.property.test.ts', of: 'cases', due: 1_000 },
    { target: 'N1', piece: 'tests/core/jobs/firmware-truth.property.test.ts', of: 'cases', due: 200 },
    { target: 'R10, D1', piece: 'tests/core/jobs/kill.test.ts', of: 'kills', due: 50 },
    { target: 'D1', piece: 'tests/core/storage/kill.test.ts', of: 'kills', due: 50 },
    { target: 'D3', piece: 'tests/core/management/records.test.ts', of: 'cases', due: 100_000 },
    { target: 'F1', piece: 'tests/core/downloads/resuming.test.ts', of: 'cases', due: 10 },
    { target: 'N4–N8', piece: 'tests/core/downloads/download-truth.property.test.ts', of: 'cases', due: 400 },
    { target: 'F5', piece: 'tests/core/lists/version-order.test.ts', of: 'cases', due: 3_000 },
    { target: 'S4', piece: 'tests/contract/arguments.test.ts', of: 'cases', due: 10_000 },
    { target: 'S8', piece: 'tests/core/devices/fuzz.test.ts', of: 'cases', due: 10_000 },
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
