import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Part } from './runner/part.ts'
import { runScript } from './runner/run-command.ts'

const root = resolve(import.meta.dirname, '../..')

export const part: Part = {
  purpose:
    'The tests of the packed program with every case: each line of README runs from the archive of the command line and from the deb. A case is a test.',
  // In one run, which packs them one after the other.
  pieces: [globSync('tests/packaging/*.spec.ts', { cwd: root }).sort().join(' ')],
  oneByOne: true,
  targets: [],
  shows: 'I1',
  cannotRun: async () => (process.platform === 'linux' ? null : 'it unpacks packages for Linux'),
  run: async (files, _seed, stop) => {
    const words = ['build/test.mjs', ...files.split(' ')]
    const { code, output, errors, seconds } = await runScript(words, stop, { HEADROOM_CASES: 'all' })
    const [, passed = '0'] = /^(\d+) passed, \d+ failed$/m.exec(output) ?? []
    return {
      counts: [{ test: 'the packed program', of: 'cases', due: 1, ran: Number(passed) }],
      failed: code === 0 ? [] : [{ test: files, detail: `${output}\n${errors}` }],
      seconds,
      notes: output.split('\n').filter((line) => line.startsWith('skipped: ')),
    }
  },
  again: (files) => `HEADROOM_CASES=all npm test -- ${files}`,
}
