import { expect, test as base, type Page } from '@playwright/test'
import { expectCount, expectLanded, newHome, startProgram, type Program } from './program.ts'

/** The built app with the demonstration synced, for read-only tests: it is started once, and each test begins on a freshly loaded page. */
export const test = base.extend<{ readonly demonstration: Page }, { readonly shared: Program }>({
  shared: [
    async ({}, use) => {
      const home = newHome()
      const program = await startProgram(home)
      await program.page.getByRole('button', { name: 'Open the demonstration' }).click()
      await expectCount(program.page, 'devices', 1200)
      await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
      await use(program)
      await program.close()
      home.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  demonstration: async ({ shared }, use) => {
    const { app, page, pageErrors } = shared
    await page.evaluate(() => (location.hash = '#/overview'))
    // A page may not navigate by itself: the program reloads it.
    const loaded = page.waitForEvent('load')
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.reload())
    await loaded
    await expectLanded(page)
    await expectCount(page, 'devices', 1200)
    await use(page)
    expect(pageErrors).toEqual([])
  },
})
