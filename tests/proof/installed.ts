import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Part } from './runner/part.ts'

const root = resolve(import.meta.dirname, '../..')

export const part: Part = {
  purpose:
    'The tests of the packed program with every case: each line of README runs from the archive of the command line and from the deb. A case is a test.',
  // One after the other, because all pack into the same folder.
  pieces: [globSync('tests/packaging/*.spec.ts', { cwd: root }).sort().join(' ')],
  targets: [],
  cannotRun: async () => (process.platform === 'linux' ? null : 'it unpacks packages for Linux'),
  run: async (files, _seed, signal) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, ['build/test.mjs', ...files.split(' ')], {
      cwd: root,
      env: { ...process.env, HEADROOM_CASES: 'all' },
      signal,
    })
    const ended = new Promise<number | null>((settle) => {
      child.once('close', settle)
      child.once('error', () => settle(null))
    })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    const code = await ended
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
    const ran = Number(passed ?? 0) + Number(failed ?? 0)
    return {
      counts: [{ test: 'the packed program', of: 'cases', due: Math.max(ran, 1), ran }],
      failed: code === 0 ? [] : [{ test: files, detail: `${output}\n${errors}` }],
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      notes: output.split('\n').filter((line) => line.startsWith('skipped')),
    }
  },
  again: (files) => `HEADROOM_CASES=all npm test -- ${files}`,
}
