import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'
import { newHome, startProgram, type Home } from '../e2e/program.ts'

// The 30 s after which the window shows more are real time.
const holderProgram = resolve(import.meta.dirname, '../adapters/owner/a-holder.ts')
let home: Home
let holder: ChildProcess

test.beforeEach(async () => {
  home = newHome()
  holder = spawn(process.execPath, ['--no-warnings', holderProgram, join(home.folder, 'home')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: holder.stdout! })[Symbol.asyncIterator]()
  await lines.next()
  holder.stdin!.write('take\n')
  expect((await lines.next()).value).toBe('owned')
})
test.afterEach(() => {
  holder.kill('SIGKILL')
  home.remove()
})

test('the window shows which program owns the data folder, then that nothing is read, and opens when the owner has ended', async () => {
  const program = await startProgram(home)
  const status = program.page.getByRole('status')
  await expect(status).toHaveText(
    `The data folder is in use by holder ${holder.pid}. Headroom takes over as soon as ongoing calls have finished.`,
  )
  await expect(status).toContainText('Headroom tries again every 5 seconds.')
  const opened = program.app.waitForEvent('window', { timeout: 60_000 })
  holder.kill('SIGKILL')
  await expect((await opened).getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
  await program.close()
})

test('declining to wait for the owner of the data folder quits', async () => {
  const { app, page } = await startProgram(home)
  const ended = once(app.process(), 'exit')
  // The program may have ended before the click is confirmed.
  await page
    .getByRole('button', { name: 'Quit' })
    .click()
    .catch(() => undefined)
  expect(await ended).toEqual([0, null])
})
