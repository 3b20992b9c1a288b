import { expect } from '@playwright/test'
import { callCore } from './core-behind.ts'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

test('a product’s picture is shown in the list and on its page, and a drawing if there is none', async ({
  demonstration: page,
}) => {
  const addresses: string[] = []
  page.on('request', (request) => void addresses.push(request.url()))
  // The document with picture addresses; a sync prefetches it.
  await callCore(page, 'releaseNotes.get', { vendorId: 2830, productId: 9395 })
  await openPage(page, 'firmware/2830/9395', 'main h1:has-text("Evolve2")')
  const tile = page.locator('main .tile')
  await expect
    .poll(() =>
      tile.locator('img').evaluateAll((found) => found.map((one) => (one as HTMLImageElement).naturalWidth)),
    )
    .toEqual([224])
  await openPage(page, 'devices?where=pid:9395', '.grid-row .mark')
  const inList = () =>
    page
      .locator('.grid-row .picture')
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundImage.slice(0, 19))
  await expect.poll(inList).toBe('url("data:image/png')
  // A photograph of a dark product on white would be a column of bright tiles.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(inList).toBe('url("data:image/svg')
  await page.emulateMedia({ colorScheme: 'light' })

  // A drawing with a script, which the demonstration sends for this one.
  await openPage(page, 'firmware/2830/13824', 'main h1:has-text("Reach")')
  await expect(tile.locator('.picture.camera')).toBeVisible()
  const reach = { vendorId: 2830, productId: 13824 }
  expect(await callCore(page, 'pictures.get', reach)).toEqual({ ok: true, value: null })
  expect(await tile.locator('img').count()).toBe(0)
  expect(addresses.filter((address) => /:\d+\/pictures\/|\.example\//.test(address))).toEqual([])
})
