import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { headroom } from '../e2e/headroom.ts'
import { newHome, startProgram, type Home, type Program } from '../e2e/program.ts'

let home: Home

test.beforeEach(async () => {
  home = newHome()
  expect((await headroom(home, ['org', 'list'])).code).toBe(0)
})
test.afterEach(() => home.remove())

/** Another program locks the file exclusively; returns the function that ends it. */
function locked(file: string): () => void {
  const other = new DatabaseSync(join(home.folder, 'home', `${file}.sqlite`))
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return () => other.close()
}

const startWaiting = (): Promise<Program> => startProgram(home, {}, [], undefined, 'waitsFor=')

for (const file of ['workbook', 'store', 'ledger']) {
  test(`a start that waits for ${file}.sqlite shows a window, and continues once the file is free`, async () => {
    const unlock = locked(file)
    const { app, page, pageErrors, close } = await startWaiting()
    await expect(page.getByRole('heading', { name: 'Headroom is starting' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText(
      `Another program, such as a backup or a database viewer, has locked ${file}.sqlite. Headroom waits up to 10 s.`,
    )
    // The main window is prepared meanwhile, and not shown.
    const opened = app.windows().find((one) => one !== page)!
    unlock()
    await expect(opened.getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
    await expect.poll(() => page.isClosed()).toBe(true)
    expect(pageErrors).toEqual([])
    await close()
  })
}

test('closing the waiting window quits', async () => {
  const unlock = locked('workbook')
  const { app } = await startWaiting()
  const ended = once(app.process(), 'exit')
  await app
    .evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((one) => one.webContents.getURL().includes('waitsFor'))
        ?.close(),
    )
    .catch(() => undefined)
  await ended
  unlock()
})
