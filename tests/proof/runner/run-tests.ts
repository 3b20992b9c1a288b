import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Count } from '../../setup/cases.ts'
import type { Result } from './part.ts'

const root = resolve(import.meta.dirname, '../../..')
const isWindows = process.platform === 'win32'
/** For a test with its full count on a slow machine: a limit against endless loops. */
const testTimeoutInMs = 1_800_000

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** A counterexample may be long; its seed and path come before it, the reason after it. */
const shortened = (text: string): string =>
  text.length <= 8_000 ? text : `${text.slice(0, 4_000)}\n[…]\n${text.slice(-4_000)}`

/** What the report of Vitest, its exit code and its output say about failures; a skipped test is one. */
export function failuresIn(report: Report | null, code: number | null, output: string): Result['failed'] {
  const failed = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [{ test: name, detail: message }] : []),
    ...assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, status, failureMessages }) => ({
        test: fullName,
        detail: shortened(failureMessages.join('\n')) || `This test was not run (${status}).`,
      })),
  ])
  if (failed.length > 0 || (report !== null && code === 0)) return failed
  return [{ test: 'Vitest', detail: `It ended with ${code ?? 'a signal'}.\n${shortened(output)}` }]
}

/** Runs Vitest in a folder. `report` null: it ended without one. */
export async function runVitest(
  tests: readonly string[],
  {
    cwd,
    stop,
    words = [],
    environment = {},
  }: {
    readonly cwd: string
    readonly stop: AbortSignal
    readonly words?: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
  },
): Promise<{ readonly report: Report | null; readonly code: number | null; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-proof-'))
  const reported = join(folder, 'report.json')
  try {
    const child = spawn(
      process.execPath,
      [
        join(cwd, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...tests,
        '--reporter=json',
        `--outputFile=${reported}`,
        ...words,
      ],
      {
        cwd,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: !isWindows,
      },
    )
    // Its worker and the programs of a test would go on without it; all are in its process group.
    const end = (): void => {
      if (isWindows || child.pid === undefined) child.kill()
      else process.kill(-child.pid, 'SIGKILL')
    }
    stop.addEventListener('abort', end)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
    const code = await new Promise<number | null>((ended, refused) => {
      child.once('close', ended)
      child.once('error', refused)
    })
    stop.removeEventListener('abort', end)
    const text = existsSync(reported) ? readFileSync(reported, 'utf8') : ''
    return { report: text === '' ? null : (JSON.parse(text) as Report), code, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs one test file with every case, and returns what it counted. */
export async function runTests(file: string, seed: number, stop: AbortSignal): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-proof-'))
  const counted = join(folder, 'counts')
  const startedAt = performance.now()
  try {
    const { report, code, output } = await runVitest([file], {
      cwd: root,
      stop,
      words: [`--testTimeout=${testTimeoutInMs}`],
      environment: {
        HEADROOM_CASES: 'all',
        HEADROOM_COUNTED_IN: counted,
        HEADROOM_PROPERTY_SEED: String(seed),
      },
    })
    const text = existsSync(counted) ? readFileSync(counted, 'utf8') : ''
    return {
      counts: text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Count),
      failed: failuresIn(report, code, output),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
