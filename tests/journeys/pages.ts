import { expect, type Page } from '@playwright/test'

/** Every page by its address, with what stands in it once its answers have come. */
export const pages = [
  ['overview', 'tbody tr'],
  ['rooms', '[role="grid"] [role="row"]:nth-child(3)'],
  ['devices', '.ag-row .mark'],
  ['firmware', '[role="option"]'],
  ['definitions', '[role="option"]'],
  ['release-notes', '[role="option"]'],
  ['changes', 'main h1 ~ *, main h2'],
  ['journal', 'main h1 ~ *, main h2'],
  ['recovery', 'main input'],
  ['telemetry', 'main h1 ~ *, main h2'],
  ['webhooks', 'main h2'],
  ['explorer', '[role="option"]'],
  ['organizations', 'main h2'],
  ['preferences', '#preferences-tags'],
  ['connections', 'tbody tr'],
  ['golden-profiles', 'main h2'],
] as const

export async function openPage(page: Page, address: string, there = 'main h1'): Promise<void> {
  await page.evaluate((hash) => (location.hash = `#/${hash}`), address)
  await expect.poll(() => page.evaluate(() => location.hash.replace(/^#\/|\/$|\?.*$/g, ''))).toContain(address.split('?')[0]!.replace(/\/.*$/, ''))
  // The page before stands until the next one is loaded; one that is not in the rail has nothing to tell by but its content.
  const link = page.locator(`nav a[href="#/${address.split(/[?/]/)[0]}"]`)
  if ((await link.count()) > 0) await expect(link).toHaveAttribute('aria-current', /page|true/)
  await expect(page.locator(there).first()).toBeAttached()
}
