import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { dataFolder, expectLanded, newHome, smallDemonstration, startProgram } from './program.ts'

test('a page whose process ended is loaded again with its list, and the log says why', async () => {
  const home = newHome()
  const program = await startProgram(home, smallDemonstration)
  const { app, page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  // The page of Playwright ends with the process.
  const heading = (): Promise<unknown> =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(
        "document.querySelector('h1')?.textContent ?? null",
      ),
    )
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  )
  const log = join(dataFolder(home), 'logs/headroom.log')
  const logged = (): boolean =>
    existsSync(log) && readFileSync(log, 'utf8').includes('"message":"The page ended"')
  await expect.poll(logged).toBe(true)
  await expect.poll(() => heading().catch(() => null)).toBe('Overview')
  await program.close()
  home.remove()
})
