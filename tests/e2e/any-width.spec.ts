import { expect, type Page } from '@playwright/test'
import { inFull } from '../setup/in-full.ts'
import { test } from './demonstration.ts'
import { openPage, pages } from './pages.ts'

test.describe.configure({ mode: 'parallel' })

/**
 * Texts of which less than 30 px, or nine tenths, are in sight, and bold ones that are not whole, although nothing can be scrolled to
 * show them. A column of a list can be widened.
 */
const squeezed = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const isText = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && (textContent ?? '').trim() !== '',
      )
      if (!isText || !element.checkVisibility({ visibilityProperty: true })) return []
      if (element.closest('.visually-hidden, svg, .grid-cell, [aria-hidden=true]') !== null) return []
      const text = document.createRange()
      text.selectNodeContents(element)
      const { left, right, width } = text.getBoundingClientRect()
      let [from, to] = [left, right]
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const { overflowX, position } = getComputedStyle(around)
        if (/auto|scroll/.test(overflowX) || position === 'fixed') break
        if (overflowX === 'visible') continue
        const box = around.getBoundingClientRect()
        from = Math.max(from, box.left)
        to = Math.min(to, box.right)
      }
      const needed = element.closest('strong') === null ? Math.min(30, width * 0.9) : width - 1
      return to - from < needed ? [`${element.textContent.trim()}: ${to - from} of ${width} px`] : []
    }),
  )

/** Opens a state and expects that it has no squeezed text in windows of these widths; `npm test` looks at every second one. */
async function expectRoom(page: Page, state: string, proofStep: number): Promise<void> {
  const step = inFull ? proofStep : 2 * proofStep
  const widths = Array.from({ length: Math.floor(960 / step) + 1 }, (_, at) => 960 + at * step)
  const found: (readonly [number, readonly string[]])[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    // Rules that depend on the size follow in a frame, of which one may be under way.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    found.push([width, await squeezed(page)])
  }
  await page.setViewportSize({ width: 1280, height: 720 })
  expect([state, found]).toEqual([state, widths.map((width) => [width, []])])
}

test('in a window of any width no text of a page is squeezed away', async ({ demonstration: page }) => {
  for (const [address, there] of pages) {
    await openPage(page, address, there)
    await expectRoom(page, address, 160)
  }
})

for (const [list, where] of [
  ['devices', 'fw:behind'],
  ['rooms', 'health:ok'],
] as const)
  test(`in a window of any width no text is squeezed away while one of the ${list} is open and all are selected`, async ({
    demonstration: page,
  }) => {
    await openPage(page, `${list}?where=${where}`, '[role="gridcell"]')
    await page.getByRole('grid').getByRole('row').nth(2).click()
    await expect(page.getByRole('complementary', { name: /^Details of/ })).toBeVisible()
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('region', { name: `Selected ${list}` })).toContainText('selected')
    await expectRoom(page, list, 40)
    await page.keyboard.press('Escape')
  })

test('at 1920 px Rooms says in full why each needs attention', async ({ demonstration: page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await openPage(page, 'rooms', '[role="grid"] [role="row"]:nth-child(3)')
  const reasons = page.locator('[role="gridcell"][data-column="health"]')
  await expect(reasons.first()).toContainText('offline')
  const cut = await reasons.evaluateAll((cells) =>
    cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((cell) => cell.textContent),
  )
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(cut).toEqual([])
})
