import { expect } from '@playwright/test'
import { beginWalk } from './accessible.ts'
import { expectNone, foundBy } from './axe.ts'
import { test } from './demonstration.ts'
import { closeOverlay, openOverlay, overlays, planOfUpdate } from './dialogs.ts'
import { openPage, pageOfOne, pages } from './pages.ts'

test.describe.configure({ mode: 'parallel' })

/** What every stop of a walk shows (accessible.ts). */
const nothing =
  'axe finds nothing, no mark fades in a contrast theme, every control has a name and can be scrolled into view at 1280×720 and at 200 % zoom, and with reduced motion nothing moves'
/** The parts of a page whose controls are always within reach. */
const frame = 'main .header, main .toolbar, nav, [role="contentinfo"], footer'

/** Parts that take about as long, so that workers share them. */
const parts = <T>(all: readonly T[], count: number): readonly (readonly T[])[] => {
  const size = Math.ceil(all.length / count)
  return Array.from({ length: count }, (_, part) => all.slice(part * size, (part + 1) * size))
}

for (const some of parts(pages, 2))
  test(`on the pages from ${some[0]?.[0]} to ${some.at(-1)?.[0]} ${nothing}`, async ({
    demonstration: page,
  }) => {
    const walk = await beginWalk(page)
    for (const [address, there] of some) await walk.stop(address, frame, () => openPage(page, address, there))
    await walk.end()
  })

for (const some of parts([...overlays, planOfUpdate], 2))
  test(`in the dialogs, menus and lists above a page from ${some[0]?.name} to ${some.at(-1)?.name} ${nothing}`, async ({
    demonstration: page,
  }) => {
    const walk = await beginWalk(page)
    for (const overlay of some) {
      const opened = await walk.stop(overlay.name, '.dialog-box', () => openOverlay(page, overlay))
      await closeOverlay(page, opened)
    }
    await walk.end()
  })

for (const [address, whole] of [
  ['devices', 'device'],
  ['rooms', 'room'],
] as const)
  test(`in the drawer and on the page of a ${whole}, on any tab, ${nothing}`, async ({
    demonstration: page,
  }) => {
    const walk = await beginWalk(page)
    await openPage(page, address, '[role="gridcell"]')
    // The count appears once the list was read.
    await expect(page.locator('main .header .note')).toContainText(/\d/)
    await page.getByRole('grid').getByRole('row').nth(2).click()
    const drawer = page.getByRole('complementary', { name: /^Details of/ })
    await expect(drawer).toBeVisible()
    const opened = await page.evaluate(() => location.hash.split('/')[2]!.split('?')[0]!)
    for (const tab of await drawer.getByRole('tab').all())
      await walk.stop(`${address}, ${await tab.innerText()}`, 'aside', () => tab.click())
    await walk.stop(`${whole} as a page`, frame, () => openPage(page, `${whole}/${opened}`, pageOfOne))
    await walk.end()
  })

test('axe finds nothing with one of a list opened', async ({ demonstration: page }) => {
  for (const [address, there] of [
    ['firmware/2830/9395', 'main aside h2'],
    ['firmware/2830/9379?version=2.7.2', 'main aside h2'],
  ] as const) {
    await openPage(page, address, there)
    await expectNone(page, address)
  }
  for (const address of ['definitions', 'release-notes', 'explorer']) {
    await openPage(page, address, '[role="option"]')
    await page.getByRole('option').nth(2).click()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expectNone(page, `${address}, one opened`)
  }
})

test('with reduced motion nothing moves during a sync', async ({ demonstration: page }) => {
  const walk = await beginWalk(page)
  await page.keyboard.press('F5')
  expect(await walk.moving()).toEqual([])
  await walk.end()
})

test('axe finds nothing when nothing matches and when a filter cannot be parsed', async ({
  demonstration: page,
}) => {
  for (const [address, filter, said] of [
    ['devices', 'zzzz-nothing ', /No devices match/],
    ['rooms', 'zzzz-nothing ', /No rooms match/],
    ['changes', 'zzzz-nothing ', /No changes match/],
    ['devices', 'status:purple fw:<x ', /Did you mean|is not a version/],
  ] as const) {
    await openPage(page, address)
    await page.locator('main h1').focus()
    await page.keyboard.press('/')
    await page.keyboard.type(filter)
    await expect(page.getByText(said).first()).toBeVisible()
    await expectNone(page, `${address}, ${filter}`)
    await page.getByRole('button', { name: 'Clear filter', exact: true }).first().click()
  }
})

test('axe would find a button without a name, and faint text in the dark theme only', async ({
  demonstration: page,
}) => {
  await openPage(page, 'recovery')
  await page.evaluate(() => {
    const style = new CSSStyleSheet()
    style.replaceSync('[data-theme=dark] .faint { color: #333; background: #222 }')
    document.adoptedStyleSheets.push(style)
    const faint = document.createElement('p')
    faint.className = 'faint'
    faint.textContent = 'too faint'
    document.querySelector('main h1')?.parentElement?.append(document.createElement('button'), faint)
  })
  const { light, dark } = await foundBy(page, true)
  expect([light, dark]).toEqual([
    [expect.stringContaining('button-name')],
    [expect.stringContaining('color-contrast')],
  ])
})

test('a control out of sight would be found at both sizes', async ({ demonstration: page }) => {
  const walk = await beginWalk(page)
  await page.evaluate(() => {
    const away = document.createElement('button')
    away.textContent = 'away'
    Object.assign(away.style, { position: 'fixed', left: '-500px' })
    document.querySelector('main .header')?.append(away)
  })
  const found = [expect.stringMatching(/^away at -/)]
  expect([await walk.lostAt(2, 'main .header'), await walk.lostAt(1, 'main .header')]).toEqual([found, found])
  await walk.end()
})

test('each cell of a list has a header, and each row says what it is', async ({ demonstration: page }) => {
  for (const [address, label] of [
    ['devices', 'Devices'],
    ['rooms', 'Rooms'],
  ] as const) {
    await openPage(page, address, '[role="grid"] [role="row"]:nth-child(3)')
    const grid = page.getByRole('grid', { name: label })
    await expect(grid.getByRole('gridcell').first()).toBeVisible()
    const read = await grid.evaluate((element) => {
      // With all columns visible, the position identifies a column.
      const columnOf = (cell: Element): string =>
        cell.getAttribute('aria-colindex') ??
        String([...(cell.parentElement?.children ?? [])].indexOf(cell) + 1)
      const heads = new Map(
        [...element.querySelectorAll('[role="columnheader"]')].map((head) => [
          columnOf(head),
          (
            head.ariaLabel ??
            (head.textContent.trim() || head.querySelector('[aria-label]')?.ariaLabel) ??
            ''
          ).trim(),
        ]),
      )
      const cells = [...element.querySelectorAll('[role="gridcell"], [role="rowheader"]')]
      return {
        heads: [...heads.values()],
        cells: cells.length,
        without: cells
          .filter((cell) => (heads.get(columnOf(cell)) ?? '') === '')
          .map((cell) => cell.outerHTML.slice(0, 120)),
      }
    })
    expect([
      address,
      read.without,
      read.cells > 20,
      read.heads.some((head) => /^(User or room|Name|Room)/.test(head)),
    ]).toEqual([address, [], true, true])
  }
})
