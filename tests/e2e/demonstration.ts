import { expect, test as base, type Page } from '@playwright/test'
import { holding } from './held-answers.ts'
import { expectCount, newHome, reload, startProgram, type Program } from './program.ts'

/**
 * The built app with the demonstration synced, for read-only tests: each worker starts it once, and each test begins on a freshly loaded
 * page. Tests of a long file run in `parallel` mode, so that all workers share them.
 */
export const test = base.extend<{ readonly demonstration: Page }, { readonly shared: Program }>({
  shared: [
    async ({}, use) => {
      const home = newHome()
      const program = await startProgram(home, {}, holding)
      await program.page.getByRole('button', { name: 'Open the demonstration' }).click()
      await expectCount(program.page, 'devices', 1200)
      await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
      await use(program)
      // No test is running.
      await program.app.close()
      home.remove()
    },
    { scope: 'worker' },
  ],
  demonstration: async ({ shared }, use) => {
    const { page, pageErrors } = shared
    // The last test may have left a smaller window.
    await page.setViewportSize({ width: 1280, height: 720 })
    await reload(shared)
    await expectCount(page, 'devices', 1200)
    await use(page)
    await shared.explain()
    expect(pageErrors).toEqual([])
  },
})
