import { expect } from '@playwright/test'
import { accessibleTree } from './accessible-tree.ts'
import { test } from './demonstration.ts'
import { closeOverlay, openOverlay, overlays } from './dialogs.ts'
import { openPage, pages } from './pages.ts'
import { newHome, startProgram } from './program.ts'

test.describe.configure({ mode: 'parallel' })

test('a screen reader gets a name for every control of the first page', async () => {
  const home = newHome()
  const program = await startProgram(home)
  const tree = await accessibleTree(program.page)
  expect(await tree.nameless()).toEqual([])
  await program.close()
  home.remove()
})

test('a screen reader gets a name for every control of every page and dialog, unique in each toolbar', async ({
  demonstration: page,
}) => {
  test.setTimeout(300_000)
  const tree = await accessibleTree(page)
  for (const [address, there] of pages) {
    await openPage(page, address, there)
    await expect.poll(async () => [address, await tree.nameless()]).toEqual([address, []])
    expect([address, await tree.shared('main .header, main .toolbar')]).toEqual([address, []])
  }
  for (const overlay of overlays) {
    const opened = await openOverlay(page, overlay)
    await expect.poll(async () => [overlay.name, await tree.nameless()]).toEqual([overlay.name, []])
    await closeOverlay(page, opened)
  }
  await tree.close()
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
