import { findElectron } from '../../build/electron-binary.mjs'
import type { Part } from './runner/part.ts'
import { runScript } from './runner/run-command.ts'

interface Step {
  readonly words: readonly string[]
  /** What it prints when it worked. */
  readonly says: RegExp
  /** It starts Electron itself. */
  readonly needsElectron: boolean
}
const tests = (...parts: readonly string[]): Step => ({
  words: ['build/test.mjs', ...parts],
  says: /^\d+ passed, 0 failed$/m,
  needsElectron: false,
})
const steps: Readonly<Record<string, Step>> = {
  'the window opens the demonstration': {
    words: ['build/start.mjs', '--headless', '--once', '--json'],
    says: /"mode":"(electron|stand-in)".*"devices":1200/,
    needsElectron: false,
  },
  'what the tests rely on is so': tests('stand-in'),
  'the program works from end to end': tests('e2e'),
  'it is packed': { words: ['build/package.mjs', '--dir'], says: /^/, needsElectron: false },
  'the packed program works': {
    words: ['build/try-package.mjs'],
    says: /^headroom: the command line works: /m,
    needsElectron: true,
  },
}
/** What no script can do, and what has to happen. */
const byHand = [
  'Lock the screen while actions are unlocked: they are locked afterwards.',
  'End the process of the page: the window loads it again, or says what happened.',
  'Windows: sign out while a job runs: Windows names Headroom, and the job is paused at the next start.',
  'macOS: `codesign --verify --deep --strict` is silent; *Install Command Line* makes `headroom` known to a terminal.',
  'Install and uninstall (NSIS and MSI, deb, rpm, pkg): `headroom` comes and goes, the data folder stays.',
  'Click `headroom://devices` in another program, with Headroom closed and open: one window shows the page.',
  'Behind a proxy that wants a sign-in: the sentence names the proxy.',
]
const electron = findElectron()
const here = Object.keys(steps).filter((step) => electron !== undefined || !steps[step]!.needsElectron)
const missing =
  electron === undefined
    ? [
        "Electron's binary is not here: its stand-in opened the window, and the packed program was not started.",
      ]
    : []

export const part: Part = {
  purpose: 'Whether Headroom works on this computer, in about ten minutes. A case is a step.',
  pieces: here,
  oneByOne: true,
  targets: [],
  cannotRun: async () =>
    electron === undefined && process.platform === 'win32'
      ? "it needs Electron's binary: run npx install-electron"
      : null,
  run: async (step, _seed, stop) => {
    const { words, says } = steps[step]!
    const { code, output, errors, seconds } = await runScript(words, stop)
    const worked = code === 0 && says.test(`${output}\n${errors}`)
    return {
      counts: [{ test: step, of: 'cases', due: 1, ran: 1 }],
      failed: worked ? [] : [{ test: step, detail: `It ended with ${code}.\n${output}\n${errors}` }],
      seconds,
      notes: step === here.at(-1) ? [...missing, ...byHand.map((line) => `By hand: ${line}`)] : [],
    }
  },
  again: (step) => `node ${steps[step]!.words.join(' ')}`,
}
