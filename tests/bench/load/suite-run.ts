import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

interface Report {
  readonly numPassedTests: number
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
export interface SuiteRun {
  readonly passed: number
  /** Each failed test, or file that could not be run, with its first lines. */
  readonly failed: readonly { readonly test: string; readonly detail: string }[]
  readonly seconds: number
}

/** Runs files of the test suite in a separate environment. */
export async function runTests(
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  const report = join(folder, 'report.json')
  const startedAt = performance.now()
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const child = spawn(
      process.execPath,
      [vitest, 'run', ...files, '--reporter=json', `--outputFile=${report}`, '--testTimeout=600000'],
      {
        cwd: root,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    await once(child, 'close')
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const failed = testResults.flatMap(({ name, message, assertionResults }) => [
      ...(assertionResults.length === 0 ? [{ test: name, detail: message }] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          test: fullName,
          detail: failureMessages.join('\n').slice(0, 2_000),
        })),
    ])
    return { passed: numPassedTests, failed, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
