import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('a warning of Vue or of the router, or any console output, fails only the test that caused it, with its text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-quiet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--config',
      'tests/setup/planted/vitest.config.ts',
      '--root',
      root,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    {
      cwd: root,
    },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  expect(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status, failureMessages }) => [
        title,
        status,
        /\[Vue warn\]: Missing required prop|No match found|out of paper|soon withdrawn/.exec(
          failureMessages.join(),
        )?.[0],
      ]),
    ),
  ).toEqual([
    ['a component warns', 'failed', '[Vue warn]: Missing required prop'],
    ['the router warns', 'failed', 'No match found'],
    ['a program tells an error', 'failed', 'out of paper'],
    ['a library notes something', 'failed', 'soon withdrawn'],
    ['nothing warns', 'passed', undefined],
  ])
})
