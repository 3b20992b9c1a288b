import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systems } from '../../build/command-line.mjs'
import { questions, readPackage } from '../packaging/read-package.ts'
import type { Part, Result } from './runner/part.ts'
import { number } from './runner/report.ts'
import { runScript } from './runner/run-command.ts'

const root = resolve(import.meta.dirname, '../..')

/** Packs the window for a system and reads what was packed. */
async function packAndRead(system: string, stop: AbortSignal): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-proof-'))
  try {
    const words = ['build/package.mjs', '--dir', `--systems=${system}`, `--to=${folder}`]
    const { code, errors, seconds } = await runScript(words, stop)
    if (code !== 0) return { counts: [], failed: [{ test: 'it is packed', detail: errors }], seconds }
    const { findings, sizes } = readPackage(folder, system)
    return {
      seconds,
      counts: questions.map((test) => ({ test, of: 'cases', due: 1, ran: 1 })),
      failed: questions
        .filter((test) => findings[test].length > 0)
        .map((test) => ({ test, detail: findings[test].join('\n') })),
      notes: [
        Object.entries(sizes)
          .map(([name, bytes]) => `${name} ${number(bytes)}`)
          .join(', '),
        ...errors
          .split('\n')
          .filter((line) => line.includes(' is incomplete: '))
          .map((line) => line.replace(/^headroom: /, '')),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const part: Part = {
  purpose: `The window for each system is packed here and read: ${questions.join('; ')}. A case is one of these questions; sizes are in bytes.`,
  pieces: systems,
  oneByOne: false,
  targets: [],
  shows: 'I2',
  // Once, before two systems are packed beside each other.
  cannotRun: async () =>
    spawnSync(process.execPath, ['build/build.mjs'], { cwd: root }).status === 0
      ? null
      : 'the program cannot be built',
  run: (system, _seed, stop) => packAndRead(system, stop),
  again: (system) => `npm run package -- --dir --systems=${system} (and see tests/packaging/read-package.ts)`,
}
