import { expect, type Locator, type Page } from '@playwright/test'
import { expectNone } from './axe.ts'
import { coreBehind, valueOf } from './core-behind.ts'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'
import { expectLanded, newHome, startProgram } from './program.ts'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Devices' })
const head = (page: Page, name: string): Locator =>
  grid(page).getByRole('columnheader', { name: new RegExp(`^${name}`) })
async function boxOf(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await what.boundingBox()
  if (!box) throw new Error('not in sight')
  return box
}
const order = (page: Page): Promise<readonly string[]> =>
  grid(page)
    .getByRole('columnheader')
    .evaluateAll((heads) => heads.map((one) => (one as HTMLElement).dataset['column'] ?? ''))
/** The texts of a column that are cut. */
const cut = (page: Page, column: string): Promise<readonly string[]> =>
  page
    .locator(`.grid-cell[data-column="${column}"]`)
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    )

test('at the usual size no serial and no status is cut, and a hovered header keeps its line', async ({
  demonstration: page,
}) => {
  await openPage(page, 'devices', '.grid-row .mark')
  expect([await cut(page, 'serialNumber'), await cut(page, 'status')]).toEqual([[], []])
  const label = head(page, 'Last seen').locator('.grid-label')
  const before = await boxOf(label)
  await head(page, 'Last seen').hover()
  await expect(head(page, 'Last seen').getByRole('button', { name: 'Filter Last seen' })).toBeVisible()
  expect(await boxOf(label)).toEqual(before)
})

test('columns are widened, fitted to their texts and moved by the pointer, and stay so after a restart', async () => {
  const home = newHome()
  let program = await startProgram(home)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  // Rows and counts change until then.
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  await openPage(page, 'devices', '.grid-row .mark')
  const serial = head(page, 'Serial')
  const before = await boxOf(serial)
  const edge = before.x + before.width - 1
  await page.mouse.move(edge, before.y + 10)
  await page.mouse.down()
  await page.mouse.move(edge + 60, before.y + 10, { steps: 4 })
  await page.mouse.up()
  expect(Math.round((await boxOf(serial)).width - before.width)).toBe(60)

  const wide = await boxOf(serial)
  await page.mouse.dblclick(wide.x + wide.width - 1, wide.y + 10)
  await expect.poll(async () => (await boxOf(serial)).width).toBeLessThan(wide.width)
  expect(await cut(page, 'serialNumber')).toEqual([])

  const [from, to] = [await boxOf(serial), await boxOf(head(page, 'Firmware'))]
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 5, to.y + 10, { steps: 6 })
  await page.mouse.up()
  const moved = [
    'box',
    'userOrRoom',
    'productName',
    'firmwareVersion',
    'serialNumber',
    'status',
    'lastSeenAt',
  ]
  expect(await order(page)).toEqual(moved)
  const { width } = await boxOf(serial)

  await expect
    .poll(async () => {
      const { layouts } = await valueOf(coreBehind(page).app.preferences())
      return layouts.devices?.columns.map((one) => one.column)
    })
    .toEqual(moved.slice(1))
  await program.close()
  program = await startProgram(home)
  await openPage(program.page, 'devices', '.grid-row .mark')
  expect([await order(program.page), (await boxOf(head(program.page, 'Serial'))).width]).toEqual([
    moved,
    width,
  ])
  await program.close()
  home.remove()
})

test('the keyboard moves from group to group, and the groups stay', async ({ demonstration: page }) => {
  await openPage(page, 'devices', '.grid-row .mark')
  await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'By product' })
  const groups = page.getByRole('grid', { name: 'By product' })
  const rows = groups.locator('.grid-row')
  await expect(rows.nth(2)).toBeVisible()
  /** Name and count of each; the number of updates grows while the catalogue is read. */
  const counted = async (): Promise<string[][]> =>
    (await rows.allInnerTexts()).map((text) => text.split(/\s*\n\s*/).slice(0, 2))
  const before = await counted()
  await groups.focus()
  for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  const chosen = before[1]?.[0] ?? ''
  await expect(page.getByRole('main').getByText(`“${chosen}”`)).toBeVisible()
  await expect(groups.locator('.grid-row.open')).toContainText(chosen)
  expect(await counted()).toEqual(before)
  await expectNone(page, 'devices in groups')
  // Grouping and columns are remembered, and other tests use the same program.
  await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'No groups' })
  await expect(groups).toHaveCount(0)
})

test('without a pointer pinned columns stay visible up to the last column, and a screen reader gets the whole row', async ({
  demonstration: page,
}) => {
  await openPage(page, 'devices', '.grid-row .mark')
  await grid(page).focus()
  await page.keyboard.press('ArrowUp')
  for (const key of ['Alt+p', 'Shift+ArrowRight']) await page.keyboard.press(key)
  for (let presses = 0; presses < 24; presses++) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+End')
  const last = page.locator('.grid-cell.active')
  await expect(last).toHaveAttribute('data-column', 'lastSeenAt')
  await expect(last).toBeInViewport({ ratio: 1 })
  // Compared within the same row, because rows above and below the visible ones exist too.
  const row = ((await last.getAttribute('id')) ?? '').replace(/\d+$/, '')
  const pinned = page.locator(`.grid-pins [id^="${row}"][data-column="userOrRoom"]`)
  await expect(pinned).toBeInViewport()
  await expect(pinned).not.toBeEmpty()
  await expectNone(page, 'devices with a pinned column')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('button', { name: 'Reset columns and order' }).click()
  await expect(page.locator('.grid-pins [data-column="userOrRoom"]')).toHaveCount(0)
})
