import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './program.ts'

/** Every page by its address, with an element that shows that it is loaded. */
export const pages = [
  ['overview', 'main section h2'],
  ['rooms', '[role="grid"] [role="row"]:nth-child(3)'],
  ['devices', '.grid-row .mark'],
  ['firmware', 'main .data-grid .picture'],
  ['firmware?part=all', 'main .data-grid .picture'],
  ['firmware?part=approved', 'main [role="tabpanel"]'],
  ['firmware?part=downloads', 'main .empty, main [role="gridcell"]'],
  ['firmware?part=kits', 'main .empty'],
  ['definitions', '[role="option"]'],
  ['release-notes', '[role="option"]'],
  ['changes', 'main h1 ~ *, main h2'],
  ['journal', 'main h1 ~ *, main h2'],
  ['recovery', 'main input'],
  ['definitions?part=schema', '[role="tab"]'],
  ['definitions?part=compare', 'select option:nth-child(3)'],
  // Offline without telemetry read before, its failure is there.
  ['definitions?part=telemetry', '[role="tabpanel"] h2, [role="tabpanel"] [role="alert"]'],
  ['explorer', '[role="option"]'],
  ['organizations', 'main h2'],
  ['preferences', '#preferences-tags'],
  ['preferences/connections', '#preferences-connections tbody tr'],
  ['golden-profiles', 'main h2'],
  ['help', 'main article h2'],
] as const

/** Exists on the page of a device or a room but not in a drawer; tabs are in both. */
export const pageOfOne = 'main h2:has-text("Details")'

export async function openPage(page: Page, address: string, there = 'main h1'): Promise<void> {
  await page.evaluate((hash) => (location.hash = `#/${hash}`), address)
  await expect
    .poll(() => page.evaluate(() => location.hash.replace(/^#\/|\/$|\?.*$/g, '')))
    .toContain(address.split('?')[0]!.replace(/\/.*$/, ''))
  // The previous page remains until the next one is loaded.
  await expect(page.locator('main')).toHaveAttribute('data-page', address.split(/[?/]/)[0]!)
  await expect(page.locator(there).first()).toBeAttached()
}

/** Filters the devices on screen to the online ones of a product, and opens the first one. */
export async function openOnlineDevice(page: Page, product: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill(`status:online product:"${product}"`)
  await box.press('Enter')
  await page.keyboard.press('Escape')
  // Until the response is drawn, the first row is still the previous one.
  await expect(page.locator('main .header .note')).toContainText(/^\d+ of /)
  const rows = page.getByRole('row').filter({ has: page.getByRole('gridcell') })
  await expect(rows.filter({ hasNotText: 'Online' })).toHaveCount(0)
  await rows.first().click()
}

/** Opens the first room with every device online, and returns its drawer. */
export async function openWholeRoom(page: Page): Promise<Locator> {
  await goTo(page, 'Rooms')
  await page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('img', { name: /^(\d+) of \1$/ }) })
    .first()
    .click()
  return page.getByRole('complementary', { name: /^Details of/ })
}
