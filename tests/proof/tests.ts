import type { Part } from './runner/part.ts'
import { runScript } from './runner/run-command.ts'

/** The tests that show a target. */
const shown: Readonly<Record<string, readonly string[]>> = {
  R5: ['tests/core/service-client/retry-after.test.ts', 'tests/core/call-budget/hold.test.ts'],
  R6: ['tests/core/writes/cut-points.test.ts'],
  R7: ['tests/core/service-client/management-client.test.ts', 'tests/core/refused-key-over-http.test.ts'],
  R8: ['tests/core/service-client/response-text.test.ts', 'tests/core/management/page-envelope.test.ts'],
  R9: ['tests/core/jobs/plans.test.ts', 'tests/core/jobs/reboot-and-settings-calls.test.ts'],
  R12: ['tests/adapters/transport.test.ts', 'tests/adapters/pinned-transport.test.ts'],
  D4: ['tests/core/exports/exports.test.ts', 'tests/core/exports/read-back.test.ts'],
  D5: ['tests/core/storage/opening.test.ts'],
  D6: ['tests/e2e/offline-month.spec.ts'],
  V6: [
    'tests/e2e/accessibility.spec.ts',
    'tests/e2e/accessibility-of-states.spec.ts',
    'tests/e2e/any-width.spec.ts',
    'tests/e2e/keyboard.spec.ts',
  ],
  V7: ['tests/e2e/pseudo.spec.ts'],
  S1: ['tests/e2e/key-nowhere.spec.ts', 'tests/e2e/child-environment.spec.ts'],
  S2: ['tests/core/organizations/bound-keys.test.ts', 'tests/e2e/key-bound.spec.ts'],
  S3: ['tests/e2e/isolation.spec.ts', 'tests/main/ipc.test.ts', 'tests/main/open-outside.test.ts'],
  S5: ['tests/build/package-configuration.test.ts'],
  S6: ['tests/build/packages.test.ts', 'tests/build/third-party-notices.test.ts'],
  S7: ['tests/core/writes/lock-before-dispatch.test.ts', 'tests/core/jobs/job-lock.test.ts'],
  F2: ['tests/core/downloads/refused-files.test.ts', 'tests/core/downloads/verifying.test.ts'],
  F3: ['tests/core/firmware/wrong-model.test.ts'],
  F4: ['tests/core/kits/kit-manifest.test.ts', 'tests/core/kits/verify-kit.test.ts'],
}

export const part: Part = {
  purpose: 'The targets that tests show, each by its own files with every case. A case is a test.',
  pieces: Object.keys(shown),
  oneByOne: true,
  targets: [],
  cannotRun: async () => null,
  run: async (id, _seed, stop) => {
    const words = ['build/test.mjs', ...shown[id]!]
    const { code, output, errors, seconds } = await runScript(words, stop, { HEADROOM_CASES: 'all' })
    const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
    return {
      counts: [{ test: id, of: 'cases', due: shown[id]!.length, ran: Number(passed) }],
      failed: code === 0 ? [] : [{ test: id, detail: `${output}\n${errors}` }],
      seconds,
      figures: [{ id, figure: `${passed} tests passed, ${failed} failed`, isMet: code === 0 }],
      notes: output.split('\n').filter((line) => line.startsWith('skipped: ')),
    }
  },
  again: (id) => `HEADROOM_CASES=all npm test -- ${shown[id]!.join(' ')}`,
}
