// The steps of npm test and npm run check: each runs a tool to its end and returns how many of its tests passed and failed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beganAt, environment, exitCode, handSignalsTo, root } from './prepare.mjs'

const tool = (path) => join(root, 'node_modules', path)

/** Each counts as one test. The slow ones come first, so that two in parallel end at about the same time. */
export const checks = [
  { name: 'types', args: [tool('vue-tsc/bin/vue-tsc.js'), '-b'] },
  { name: 'lint-components', args: [tool('eslint/bin/eslint.js'), 'renderer', '--max-warnings', '0'] },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check'] },
  {
    name: 'lint',
    args: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  },
  { name: 'dead code', args: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'] },
  {
    name: 'directions',
    args: [
      tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      'build/dependency-cruiser.config.cjs',
      'electron',
      'renderer',
      'build',
    ],
  },
]

/** Vitest's own count: unit and integration tests. */
export const unit = {
  name: 'unit and integration',
  // Node 20 reads this file too, without TypeScript support.
  note: async () => `property seed ${(await import('../tests/setup/seed.ts')).propertySeed}`,
  args: (report) => [
    tool('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  count(report) {
    const unread = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    ).length
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unread,
      skipped: report.testResults
        .flatMap((file) => file.assertionResults)
        .filter(({ status }) => status !== 'passed' && status !== 'failed')
        .map(({ fullName }) => fullName),
    }
  },
}

/** One project of the Playwright configuration, on the shell that npm start would use. */
export const browser = (project, shell, workers) => ({
  name: project,
  // Each has its own output folder, because a parallel project would empty a shared one.
  args: () => [
    tool('@playwright/test/cli.js'),
    'test',
    `--project=${project}`,
    `--output=test-results/${project}`,
    '--reporter=list,json',
    '--pass-with-no-tests',
    `--workers=${workers}`,
  ],
  env: (report) => ({
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    HEADROOM_SHELL: shell.executable,
    HEADROOM_SHELL_MODE: shell.mode,
  }),
  // The keychain of the user who runs this is neither read nor written.
  through:
    process.platform === 'linux' && existsSync(join(root, 'build', 'with-keyring.sh'))
      ? join(root, 'build', 'with-keyring.sh')
      : null,
  count: ({ stats, errors, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: suites.flatMap(skippedIn),
  }),
})

/** Name and reason of every test of a Playwright suite that was skipped. */
function skippedIn({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(
        ({ annotations }) =>
          `${title} (${annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given'})`,
      ),
  )
  return [...own, ...suites.flatMap(skippedIn)]
}

/** Runs a check; its output is shown if it finds a problem. */
export async function check(node, step) {
  const { code, output, seconds } = await toItsEnd(node, step.args, {}, null)
  return tell(
    step.name,
    { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] },
    seconds,
    code === 0 ? '' : output,
  )
}

/** Several times the peak size of the test folders, which is under 500 MiB. */
const roomForTests = 4 * 2 ** 30

/**
 * A new folder for what tests write: in memory, if there is room and programs may run from it. On a disk,
 * databases wait at every commit. That is half the time of their tests and proves nothing, because no test
 * cuts the power.
 */
export function testFolder(memory = '/dev/shm') {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize >= roomForTests && freemem() >= roomForTests) {
      const folder = mkdtempSync(join(memory, 'headroom-tests-'))
      const program = join(folder, 'program')
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
      if (spawnSync(program).status === 0) return folder
      rmSync(folder, { recursive: true })
    }
  } catch {
    // The folder does not exist or is not writable.
  }
  return mkdtempSync(join(tmpdir(), 'headroom-tests-'))
}

/** Runs a step that counts its own tests. */
export async function suite(node, step) {
  const folder = testFolder()
  const report = join(folder, 'report.json')
  try {
    const { code, output, seconds } = await toItsEnd(
      node,
      step.args(report),
      // Tests start the same programs several hundred times: each file is parsed once.
      { ...step.env?.(report), TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      step.through ?? null,
    )
    const counted = existsSync(report)
      ? step.count(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0, skipped: [] }
    // A tool that exits with an error although no test failed counts as a failure: there was an error outside
    // the tests, or no report.
    if (code !== 0 && counted.failed === 0) counted.failed = 1
    return tell(step.name, counted, seconds, counted.failed === 0 ? '' : output, await step.note?.())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each check as work for one processor. */
export const checking = (node, some = checks) =>
  some.map((step) => ({ processors: 1, run: () => check(node, step) }))

/**
 * Runs work in order, each as soon as enough of the two processors are free; waiting work occupies none.
 * Returns the result of each; null: it has no count.
 */
export async function inOrder(work) {
  const results = []
  const running = new Set()
  let free = 2
  for (const { processors, run } of work) {
    while (free < processors) await Promise.race(running)
    free -= processors
    const one = run().then((result) => {
      results.push(result)
      free += processors
      running.delete(one)
    })
    running.add(one)
  }
  await Promise.all(running)
  return results.filter((result) => result !== null)
}

/** The last lines: skipped tests, total time since the first command, and the count. */
export function lastLines(results, seconds) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  return [
    ...results.flatMap(({ skipped }) => skipped).map((what) => `skipped: ${what}`),
    `total  ${seconds.toFixed(1)} s`,
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ]
}

/** Prints the last lines and ends with the exit code. */
export function conclude(results) {
  process.stdout.write(`${lastLines(results, (Date.now() - beganAt) / 1000).join('\n')}\n`)
  process.exit(results.every(({ failed }) => failed === 0) ? 0 : 1)
}

function tell(name, counted, seconds, output, note) {
  const mark = counted.failed === 0 ? 'passed' : 'FAILED'
  process.stdout.write(
    `${output === '' ? '' : `\n${output.trimEnd()}\n`}${mark}  ${name.padEnd(22)} ${String(counted.passed).padStart(5)} of ${counted.passed + counted.failed}  ${seconds.toFixed(1)} s${note === undefined ? '' : `  ${note}`}\n`,
  )
  return counted
}

function toItsEnd(node, args, env, through) {
  const startedAt = performance.now()
  const chunks = []
  return new Promise((settle) => {
    const [command, all] = through === null ? [node, args] : [through, [node, ...args]]
    // Neither variable is passed on: output to a pipe has no colour anyway, and Node warns on standard error if both are set.
    const child = spawn(command, all, {
      cwd: root,
      env: environment({ NO_COLOR: undefined, FORCE_COLOR: undefined, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const forget = handSignalsTo(child)
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    const end = (code) => {
      forget()
      settle({
        code,
        output: Buffer.concat(chunks).toString('utf8'),
        seconds: (performance.now() - startedAt) / 1000,
      })
    }
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${command} could not be started: ${error.message}\n`))
      end(1)
    })
    child.on('close', (code, signal) => end(exitCode(code, signal)))
  })
}
