import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demonstrationProcess } from '../../electron/cli/demonstration.ts'

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('a demonstration that did not start, or has ended, is started again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-demonstration-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'demonstration.mjs')
  // The first run ends at once; each later one ends when it has told its address.
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
const runs = ${JSON.stringify(join(folder, 'runs'))}
appendFileSync(runs, '.')
const run = readFileSync(runs, 'utf8').length
if (run > 1) console.log(JSON.stringify({ managementUrl: 'http://127.0.0.1:' + run, metadataUrl: '', key: '' }))`,
  )
  const { start } = demonstrationProcess(script, [])
  await expect(start()).rejects.toMatchObject({ failure: { kind: 'service-unavailable' } })
  const first = (await start()).managementUrl
  expect(first).toBe('http://127.0.0.1:2')
  let next = first
  while (next === first) {
    await turn()
    next = (await start()).managementUrl
  }
  expect(next).toBe('http://127.0.0.1:3')
})

test('a demonstration that was ended by the system has failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-demonstration-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'demonstration.mjs')
  writeFileSync(script, "process.kill(process.pid, 'SIGKILL')")
  expect(await demonstrationProcess(script, []).serve([])).toBe(3)
})
