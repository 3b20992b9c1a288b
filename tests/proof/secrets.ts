import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Count } from '../setup/cases.ts'
import type { Part, Result } from './runner/part.ts'
import { runScript } from './runner/run-command.ts'

/** Tests that need the built program, and those of one process. */
const pieces = [
  'tests/e2e/key-nowhere.spec.ts',
  'tests/e2e/key-in-memory.spec.ts',
  'tests/e2e/key-bound.spec.ts',
  'tests/e2e/child-environment.spec.ts',
  'tests/e2e/isolation.spec.ts',
  'tests/e2e/page-script.spec.ts',
  'tests/e2e/hostile-names.spec.ts',
  'tests/contract/arguments.test.ts',
  'tests/contract/page-link.test.ts',
  'tests/core/keys-in-arguments.test.ts',
  'tests/core/pictures/picture-file.test.ts',
  'tests/core/exports/read-back.test.ts',
]

async function runFile(file: string, seed: number, stop: AbortSignal): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-proof-'))
  try {
    const lines = join(folder, 'counts')
    const more = {
      HEADROOM_CASES: 'all',
      HEADROOM_COUNTED_IN: lines,
      HEADROOM_PROPERTY_SEED: String(seed),
    }
    const { code, output, errors, seconds } = await runScript(['build/test.mjs', file], stop, more)
    const [, passed = '0'] = /^(\d+) passed, 0 failed$/m.exec(output) ?? []
    const counted = (existsSync(lines) ? readFileSync(lines, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Count & { readonly note: string })
    return {
      counts: [{ test: 'its tests', of: 'cases', due: 1, ran: Number(passed) }, ...counted],
      failed: code === 0 ? [] : [{ test: file, detail: `${output}\n${errors}` }],
      seconds,
      notes: [
        ...output.split('\n').filter((line) => line.startsWith('skipped: ')),
        ...counted.map(({ note }) => note),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const part: Part = {
  purpose:
    'A key is nowhere but where it must be: files, logs, exports, what crosses to the page, memory of every process, environments of children. What a page, a link, a picture or a file could do. A case is a test, an argument, or a process that was read.',
  pieces,
  oneByOne: true,
  targets: [
    { id: 'S4', target: 'Arguments', piece: 'tests/contract/arguments.test.ts', of: 'cases', due: 10_000 },
    {
      id: 'S4',
      target: 'Calls of a script',
      piece: 'tests/e2e/page-script.spec.ts',
      of: 'cases',
      due: 20_000,
    },
  ],
  shows: 'S1',
  cannotRun: async () =>
    process.platform === 'linux' ? null : 'memory and environments of other programs are read from /proc',
  run: runFile,
  again: (file, seed) => `HEADROOM_CASES=all HEADROOM_PROPERTY_SEED=${seed} npm test -- ${file}`,
}
