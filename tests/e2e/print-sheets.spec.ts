import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

test('two selected rooms are printed on one sheet each, in the order of the list, and nothing else is visible on paper of either size', async ({
  demonstration: page,
}) => {
  await page.evaluate(() => {
    window.print = () => undefined
    document.documentElement.dataset['theme'] = 'dark'
  })
  await openPage(page, 'rooms', '[role="gridcell"]')
  const boxes = page.getByRole('gridcell').getByRole('checkbox')
  await boxes.nth(2).click()
  await boxes.nth(0).click()
  const chosen = [boxes.nth(0), boxes.nth(2)]
  const names = await Promise.all(
    chosen.map(async (box) => (await box.getAttribute('aria-label'))!.replace(/^Select /, '')),
  )
  await page.getByRole('button', { name: 'Print sheets…' }).click()
  const sheets = page.locator('.paper-sheet')
  await expect(sheets).toHaveCount(2)
  await expect(sheets.first()).toBeHidden()

  await page.emulateMedia({ media: 'print' })
  await expect(sheets.locator('h1')).toHaveText(names)
  await expect(page.locator('#app')).toBeHidden()
  for (const [width, height] of [
    [794, 1123],
    [816, 1056],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const sheet of await sheets.all()) {
      for (const part of ['.top', '.say', '.plan', '.devices', '.call', '.lines', '.foot', '.qr'])
        await expect(sheet.locator(part)).toBeVisible()
      expect(await sheet.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    }
  }
  expect(await sheets.first().evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
  // Other tests share the window.
  await page.emulateMedia({ media: null })
  await page.setViewportSize({ width: 1280, height: 720 })
})
