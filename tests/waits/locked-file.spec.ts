import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { headroom } from '../journeys/headroom.ts'
import { newHome, startProgram, type Home } from '../journeys/program.ts'

let home: Home

test.beforeEach(async () => {
  home = newHome()
  expect((await headroom(home, ['org', 'list'])).code).toBe(0)
})
test.afterEach(() => home.remove())

/** Another program has the file to itself; answers the function that ends it. */
function locked(file: string): () => void {
  const other = new DatabaseSync(join(home.folder, 'home', `${file}.sqlite`))
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return () => other.close()
}

for (const file of ['workbook', 'store', 'ledger']) {
  test(`a start that waits for ${file}.sqlite says so in a window, and goes on once the file is free`, async () => {
    const unlock = locked(file)
    const { app, page, pageErrors, close } = await startProgram(home)
    await expect(page.getByRole('heading', { name: 'Headroom is starting' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText(
      `Another program, such as a backup or a database viewer, has ${file}.sqlite locked. Headroom waits for it, 10 s at most.`,
    )
    const opening = app.waitForEvent('window')
    unlock()
    const opened = await opening
    await expect(opened.getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
    expect([page.isClosed(), pageErrors]).toEqual([true, []])
    await close()
  })
}

test('whoever closes the window that waits quits', async () => {
  const unlock = locked('workbook')
  const { app } = await startProgram(home)
  const ended = once(app.process(), 'exit')
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close()).catch(() => undefined)
  await ended
  unlock()
})
