import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

// The pictures of README and of the guide: `HEADROOM_PICTURES=1 npm test -- e2e` (build/release.md).

test('the pictures of README', async ({ demonstration: page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const keep = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await expect(page.getByText(/^comparing|^Looking up|^…$/i)).toHaveCount(0)
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
    // What is drawn when nothing else happens.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await page.screenshot({ path: `build/pictures/${name}.png` })
  }
  // The whole fleet is compared, and the pictures of its products were read.
  const rail = page.getByRole('navigation').first()
  await expect(rail.getByRole('link', { name: /^Firmware\s*\d+$/ })).toBeVisible()
  await openPage(page, 'firmware', 'main .data-grid .picture')
  await openPage(page, 'devices', '.grid-row .mark')
  await openPage(page, 'overview', 'main section h2')
  await keep('overview')

  await openPage(page, 'devices?where=fw%3Abehind', '.grid-row .mark')
  await page.getByRole('gridcell').filter({ hasText: 'Jabra Link 380a' }).first().dblclick()
  await expect(page.getByRole('complementary').getByRole('heading', { level: 2 }).first()).toBeVisible()
  await keep('devices')

  await openPage(page, 'rooms', '[role="grid"] [role="row"]:nth-child(3)')
  await keep('rooms')

  await openPage(page, 'firmware', 'main .data-grid .picture')
  await keep('firmware')

  await openPage(page, 'firmware/2830/9395', 'main h2')
  await expect(page.getByText('Jabra Evolve2 65 Mono').first()).toBeVisible()
  await keep('product')

  const rooms = ['Møns Klint 1.04', 'Godsbanen 4.05 board room']
  await openPage(page, 'rooms', '[role="gridcell"]')
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill(`name:${rooms.map((name) => `"${name}"`).join(',')}`)
  await box.press('Enter')
  await page.keyboard.press('Escape')
  for (const name of rooms) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  await page.getByRole('region', { name: 'Selected rooms' }).getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByRole('table', { name: /^Comparison of / })).toBeVisible()
  await keep('compare')
})
