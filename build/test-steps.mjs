// The steps of npm test and npm run check: each runs a tool to its end and returns how many of its tests passed and failed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { passedBefore, passes } from './passed-checks.mjs'
import { beganAt, environment, exitCode, handSignalsTo, remembered, root } from './prepare.mjs'

const tool = (path) => join(root, 'node_modules', path)
/** Caches of tools. */
const cache = (name) => join(remembered, name)
/** Everything that types depend on. */
const typed = /\.([cm]?ts|vue|json)$|^build\/types\.mjs$/

/**
 * Each counts as one test. The slow ones come first, so that two in parallel end at about the same time. `reads`: the paths of the files
 * that decide its result; while none of them changes, a check that passed is not repeated.
 */
export const checks = [
  { name: 'types', reads: typed, args: ['build/types.mjs'] },
  {
    name: 'lint-components',
    reads:
      /^(renderer|electron\/contract)\/|^build\/eslint|^(eslint\.config\.js|\.oxlintrc\.json|tsconfig\.json|package-lock\.json)$/,
    args: [tool('eslint/bin/eslint.js'), 'renderer', '--max-warnings', '0'],
  },
  {
    name: 'format',
    reads: /./,
    args: [tool('oxfmt/bin/oxfmt'), '--check'],
  },
  {
    name: 'lint',
    reads: /\.([cm]?[jt]s|vue|json)$/,
    args: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  },
  {
    name: 'dead code',
    reads: /\.([cm]?[jt]s|vue|json|css|html|ya?ml)$/,
    args: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'],
  },
  {
    name: 'directions',
    reads: /\.([cm]?[jt]s|vue|json)$/,
    args: [
      tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', 'build/dependency-cruiser.config.cjs', 'electron', 'renderer', 'build'],
    ],
  },
]

/** Vitest's own count: unit and integration tests, of all files or of these. */
export const unit = (files = []) => ({
  name: 'unit',
  // Node 20 reads this file too, without TypeScript support.
  note: async () => `property seed ${(await import('../tests/setup/seed.ts')).propertySeed}`,
  args: (report) => [
    tool('vitest/vitest.mjs'),
    'run',
    ...files,
    // Failures only, with what was expected.
    '--reporter=minimal',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  count({ numPassedTests, numFailedTests, testResults }) {
    const broken = ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0
    return {
      passed: numPassedTests,
      failed: numFailedTests + testResults.filter(broken).length,
      skipped: testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status !== 'passed' && status !== 'failed')
        .map(({ fullName }) => fullName),
      files: testResults.map(({ name, status, startTime, endTime }) => ({
        path: relative(root, name),
        failed: status === 'failed',
        seconds: (endTime - startTime) / 1000,
      })),
    }
  },
})

/** One project of the Playwright configuration, all files or these, on the shell that npm start would use. */
export const browser = (project, shell, workers, files = []) => ({
  name: project,
  // Each has its own output folder, because a parallel project would empty a shared one.
  args: () => [
    tool('@playwright/test/cli.js'),
    'test',
    ...files,
    `--project=${project}`,
    `--output=${join(left, project)}`,
    '--reporter=json',
    `--workers=${workers}`,
  ],
  env: (report) => ({
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    HEADROOM_SHELL: shell.executable,
    HEADROOM_SHELL_MODE: shell.mode,
    // Beside it, Chromium cannot give its processes their names. The stand-in keeps it from its Chromium.
    ...(shell.mode === 'electron' && { GLIBC_TUNABLES: undefined }),
  }),
  // The keychain of the user who runs this is neither read nor written.
  through:
    process.platform === 'linux' && existsSync(join(root, 'build', 'with-keyring.sh'))
      ? join(root, 'build', 'with-keyring.sh')
      : null,
  count({ stats, errors, suites }) {
    const specs = suites.flatMap(specsIn)
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: specs.flatMap(({ title, tests }) =>
        tests
          .filter(({ status }) => status === 'skipped')
          .map(
            ({ annotations }) =>
              `${title} (${annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given'})`,
          ),
      ),
      files: [...Map.groupBy(specs, ({ file }) => file)].map(([file, some]) => ({
        path: file,
        failed: some.some(({ ok }) => !ok),
        seconds: sum(some.flatMap(resultsOf).map(({ duration }) => duration)) / 1000,
      })),
    }
  },
  explain: ({ errors, suites }) =>
    [
      ...errors.map(messageOf),
      ...suites
        .flatMap(specsIn)
        .filter(({ ok }) => !ok)
        .map(explained),
    ].join('\n\n'),
})

/** What failing end-to-end tests leave: traces and pictures. */
const left = 'test-results'
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)]
const resultsOf = ({ tests }) => tests.flatMap(({ results }) => results)
const messageOf = ({ message = '', snippet = '' }) =>
  stripVTControlCharacters([message, snippet].filter((text) => text !== '').join('\n'))

/** A failed test of Playwright: name, file and line, what was expected, the program's own last lines, and what it left. */
function explained(spec) {
  const results = resultsOf(spec).filter(({ errors }) => errors.length > 0)
  const printed = results.flatMap(({ stdout, stderr }) => [...stdout, ...stderr]).map(({ text = '' }) => text)
  const files = results.flatMap(({ attachments }) => attachments).flatMap(({ path }) => path ?? [])
  return [
    `${spec.file}:${spec.line} › ${spec.title}`,
    ...results.flatMap(({ errors }) => errors.map(messageOf)),
    ...printed
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .slice(-40),
    ...files.map((path) => relative(root, path)),
  ].join('\n')
}

/** Runs a check, unless it passed before and nothing that it reads has changed; its output is shown if it finds a problem. */
export async function check(node, step) {
  if (passedBefore(step)) return tell(step.name, { passed: 1, failed: 0, skipped: [] }, 'nothing changed')
  const { code, output, ...took } = await toItsEnd(node, step.args, {}, null)
  const failed = code === 0 ? 0 : 1
  if (failed === 0) passes(step)
  return tell(step.name, { passed: 1 - failed, failed, skipped: [] }, times(took), output)
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

/**
 * For Linux's allocator: memory in few large pieces. Page by page it is a seventh of the processor time of a short command in a virtual
 * machine.
 */
const memoryAtOnce = ['hugetlb=1', 'top_pad=16777216', 'trim_threshold=268435456', 'mmap_threshold=268435456']
  .map((tunable) => `glibc.malloc.${tunable}`)
  .join(':')

/** Runs a step that counts its own tests. */
export async function suite(node, step) {
  const folder = testFolder()
  const file = join(folder, 'report.json')
  try {
    const ended = await toItsEnd(
      node,
      step.args(file),
      // Tests start the same programs several hundred times: each file is compiled once.
      {
        TMPDIR: folder,
        NODE_COMPILE_CACHE: cache('compiled'),
        GLIBC_TUNABLES: memoryAtOnce,
        ...step.env?.(file),
      },
      step.through ?? null,
    )
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
    const counted = report === null ? { passed: 0, failed: 0, skipped: [], files: [] } : step.count(report)
    // A tool that exits with an error although no test failed counts as a failure: there was an error outside the tests, or no report.
    // One that ran nothing has shown nothing.
    if (counted.failed === 0 && (ended.code !== 0 || counted.passed === 0)) counted.failed = 1
    const explanation = report === null ? '' : (step.explain?.(report) ?? '')
    const note = await step.note?.()
    return tell(
      step.name,
      counted,
      `${times(ended)}${note === undefined ? '' : `  ${note}`}`,
      explanation === '' ? ended.output : explanation,
    )
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

/**
 * The last lines: the dearest files if requested, skipped tests, where traces and pictures are, the total time since the first command, and
 * the count.
 */
export function lastLines(results, seconds, processorSeconds, dearest = 0) {
  const files = results.flatMap((result) => result.files ?? []).sort((a, b) => b.seconds - a.seconds)
  const passed = sum(results.map((result) => result.passed))
  const failed = sum(results.map((result) => result.failed))
  return [
    ...files.slice(0, dearest).map(({ path, seconds: took }) => `${took.toFixed(1).padStart(7)} s  ${path}`),
    ...results.flatMap(({ skipped }) => skipped).map((what) => `skipped: ${what}`),
    ...results
      .filter((result) => result.failed > 0 && existsSync(join(root, left, result.name)))
      .map(({ name }) => `traces and pictures of failed tests: ${left}/${name}`),
    `total  ${times({ seconds, processorSeconds })}`,
    `${passed} passed, ${failed} failed`,
  ]
}

/** Prints the last lines and ends with the exit code. */
export function conclude(results, dearest = 0) {
  const lines = lastLines(results, (Date.now() - beganAt) / 1000, processorSecondsOfChildren(), dearest)
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exit(results.every(({ failed }) => failed === 0) ? 0 : 1)
}

/** `processorSeconds` null: this system does not tell it. */
const times = ({ seconds, processorSeconds = null }) =>
  `${seconds.toFixed(1)} s${processorSeconds === null ? '' : `, ${processorSeconds.toFixed(1)} s of processor time`}`

/** Prints the line of a step, after its output if it failed. */
function tell(name, counted, how, output = '') {
  const { passed, failed } = counted
  const before = failed === 0 ? 'passed' : `\n${output.trim()}\nFAILED`
  process.stdout.write(
    `${before}  ${name.padEnd(16)} ${String(passed).padStart(5)} of ${passed + failed}  ${how}\n`,
  )
  return { name, ...counted }
}

/** Processor time of all ended children and theirs (proc_pid_stat(5), in hundredths of a second), in seconds; null where it is not told. */
function processorSecondsOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return null
  }
}
let accounted = 0
/** The increase since the last time: the processor time of the child that just ended. */
export function processorSecondsOfLast() {
  const all = processorSecondsOfChildren()
  if (all === null) return null
  const own = all - accounted
  accounted = all
  return own
}

/** Runs a tool: its exit code, output and times. */
export function toItsEnd(node, args, env, through) {
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
    let processorSeconds = null
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    const end = (code) => {
      forget()
      settle({
        code,
        output: Buffer.concat(chunks).toString('utf8'),
        seconds: (performance.now() - startedAt) / 1000,
        processorSeconds,
      })
    }
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${command} could not be started: ${error.message}\n`))
      end(1)
    })
    child.on('exit', () => (processorSeconds = processorSecondsOfLast()))
    child.on('close', (code, signal) => end(exitCode(code, signal)))
  })
}
