import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { systems } from '../../build/command-line.mjs'
import { questions, readPackage } from '../packaging/read-package.ts'
import type { Part, Result } from './runner/part.ts'
import { number } from './runner/report.ts'

const root = resolve(import.meta.dirname, '../..')

/** Packs the window for a system and reads what was packed. */
async function packAndRead(system: string, stop: AbortSignal): Promise<Omit<Result, 'seconds'>> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-proof-'))
  try {
    const words = ['build/package.mjs', '--dir', `--systems=${system}`, `--to=${folder}`]
    const child = spawn(process.execPath, words, { cwd: root, signal: stop })
    // An interrupted one is an error, too.
    const ended = new Promise<number | null>((settle) => {
      child.once('close', settle)
      child.once('error', () => settle(null))
    })
    const [said] = await Promise.all([text(child.stderr), text(child.stdout)])
    if ((await ended) !== 0) return { counts: [], failed: [{ test: 'it is packed', detail: said }] }
    const { findings, sizes } = readPackage(folder, system)
    return {
      counts: questions.map((test) => ({ test, of: 'cases', due: 1, ran: 1 })),
      failed: questions
        .filter((test) => findings[test].length > 0)
        .map((test) => ({ test, detail: findings[test].join('\n') })),
      notes: [
        Object.entries(sizes)
          .map(([name, bytes]) => `${name} ${number(bytes)}`)
          .join(', '),
        ...said
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
  targets: [],
  // Once, before two systems are packed beside each other.
  cannotRun: async () =>
    spawnSync(process.execPath, ['build/build.mjs'], { cwd: root }).status === 0
      ? null
      : 'the program cannot be built',
  run: async (system, _seed, stop) => {
    const startedAt = performance.now()
    const result = await packAndRead(system, stop)
    return { ...result, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
  },
  again: (system) => `npm run package -- --dir --systems=${system} (and see tests/packaging/read-package.ts)`,
}
