import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@playwright/test'
import { startHolder } from '../e2e/a-holder.ts'
import { newHome, startAgain, startProgram, type Home } from '../e2e/program.ts'

// The 30 s after which the window shows more are real time.
let home: Home
let holder: ChildProcess

test.beforeEach(async () => {
  home = newHome()
  holder = await startHolder(home)
})
test.afterEach(() => {
  holder.kill('SIGKILL')
  home.remove()
})

test('the window shows which program owns the data folder, then that nothing is read, and opens when the owner has ended', async () => {
  const program = await startProgram(home)
  const status = program.page.getByRole('status')
  await expect(status).toHaveText(
    `The data folder is in use by holder ${holder.pid}. Headroom takes over as soon as its calls have finished.`,
  )
  await expect(status).toContainText('Headroom tries again every 5 seconds.')
  const opened = program.app.waitForEvent('window')
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

test('a second start shows the window that waits for the data folder', async () => {
  const { app, page, close } = await startProgram(home)
  await expect(page.getByRole('status')).toContainText('The data folder is in use by')
  const visible = (): Promise<readonly boolean[]> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible()))
  const before = await visible()
  await startAgain(home)
  await expect.poll(visible).toEqual([true])
  expect(before).toEqual([false])
  await close()
})
