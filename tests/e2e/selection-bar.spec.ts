import { expect, type Page } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

/** What the bar does not show whole: its count, or an action. */
const notWhole = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const bar = document.querySelector('.selection-bar')!.getBoundingClientRect()
    const count = document.querySelector('.selection-bar [role=status]')!
    const texts = document.createRange()
    texts.selectNodeContents(count.querySelector('strong')!)
    const place = count.getBoundingClientRect()
    const isWhole = [...texts.getClientRects()].every(
      ({ left, right, bottom }) => left >= place.left && right <= place.right && bottom <= place.bottom + 1,
    )
    return [
      ...(isWhole ? [] : [count.textContent]),
      ...[...document.querySelectorAll('.selection-bar :is(button, a)')]
        .filter((action) => action.getBoundingClientRect().right > bar.right)
        .map((action) => action.textContent),
    ]
  })

for (const list of ['devices', 'rooms'])
  test(`beside one of the ${list} that is open, in a window of any width, the bar says how many are selected and shows every action whole`, async ({
    demonstration: page,
  }) => {
    await openPage(page, list, '[role="gridcell"]')
    await page.getByRole('grid').getByRole('row').nth(2).click()
    await expect(page.getByRole('complementary', { name: /^Details of/ })).toBeVisible()
    await page.keyboard.press('Control+a')
    await expect(page.locator('.selection-bar [role=status]')).toContainText('selected')
    const found: [number, readonly string[]][] = []
    const widths = Array.from({ length: 25 }, (_, step) => 960 + 40 * step)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      // The rules of queries about sizes follow in a frame, of which one may be under way.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      )
      found.push([width, await notWhole(page)])
    }
    expect(found).toEqual(widths.map((width) => [width, []]))
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('button', { name: /^Clear/ }).click()
  })
