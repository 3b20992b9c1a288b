import { expect, test, type Page } from '@playwright/test'
import { coreBehind, valueOf } from './core-behind.ts'
import {
  expectCount,
  goTo,
  reload,
  startProgram,
  startSynced,
  type Home,
  type Program,
  type Service,
} from './program.ts'

let home: Home
let program: Program
let service: Service

test.beforeAll(async () => {
  ;({ home, program, service } = await startSynced(10_000, 600))
})
test.beforeEach(async () => {
  await program.page.setViewportSize({ width: 1280, height: 720 })
  await reload(program)
  await goTo(program.page, 'Devices')
})
test.afterAll(async () => {
  await program.close()
  await service.end()
  home.remove()
})

/** Types a serial into the filter, opens the one device found and copies its firmware link. */
async function copyLinkOf(page: Page, serial: string): Promise<string> {
  await goTo(page, 'Devices')
  await page.keyboard.press('/')
  await page.keyboard.type(serial)
  await expect(page.locator('main .header .note')).toContainText('1 of 10,000')
  await page.getByRole('grid').getByText(serial).click()
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('tab', { name: 'Advanced' }).click()
  await expect(drawer.getByText('Definition version in use: 14.5.0')).toBeVisible()
  await drawer.getByRole('tab', { name: 'Overview' }).click()
  await drawer.getByRole('button', { name: /Copy link/ }).click()
  await expect.poll(() => program.clipboard()).toMatch(/^http/)
  return program.clipboard()
}

/** Whether the visible rows are those of the core at their positions, and the selected ones are checked. */
function rowsInSight(page: Page, where: string, chosen: readonly (string | null)[] = []): Promise<unknown> {
  return page.evaluate(
    async ([asked, picked]) => {
      type Answer = { value: { rows: { id: string; serialNumber: string | null }[] } }
      const rows = [...document.querySelectorAll('[role="row"].grid-row')]
      const indexOf = (row: Element): number => Number(row.getAttribute('aria-rowindex')) - 2
      const start = Math.min(...rows.map(indexOf))
      const answer = (await window.headroom!.call('devices.slice', {
        where: asked,
        sort: [],
        start,
        count: 100,
      })) as Answer
      const wrong = rows.filter((row) => {
        const expected = answer.value.rows[indexOf(row) - start]
        const serial = row.querySelector('[data-column="serialNumber"]')?.textContent
        const is = picked.includes(expected?.serialNumber ?? null)
        const marked =
          row.getAttribute('aria-selected') === String(is) &&
          row.querySelector('[role="checkbox"]')?.getAttribute('aria-checked') === String(is)
        return serial !== (expected?.serialNumber ?? '—') || !marked
      })
      return { some: rows.length > 10, wrong: wrong.length }
    },
    [where, chosen] as const,
  )
}

test.describe('the list of 10,000 devices', () => {
  test('a scroll bar dragged to the middle or the end shows the rows of that place', async () => {
    const { page } = program
    // Only a complete list has a middle and an end.
    await expect(page.getByRole('grid', { name: 'Devices' })).toHaveAttribute('aria-rowcount', '10001')
    await expect(page.locator('.grid-row .mark').nth(10)).toBeVisible()
    for (const share of [0.6, 1]) {
      await page.locator('.data-grid').evaluate(async (list, end) => {
        const from = list.scrollTop
        const to = (list.scrollHeight - list.clientHeight) * end
        for (let frame = 1; frame <= 30; frame++) {
          await new Promise(requestAnimationFrame)
          list.scrollTop = from + ((to - from) * frame) / 30
        }
      }, share)
      await expect(page.locator(`.grid-row[aria-rowindex="${share === 1 ? 10_001 : 6_002}"]`)).toBeVisible()
      await expect.poll(() => rowsInSight(page, '')).toEqual({ some: true, wrong: 0 })
    }
    expect(program.pageErrors).toEqual([])
  })

  test('while typing, matches replace the visible rows: the open device and the selected ones remain marked at their new position, and no row keeps old data', async () => {
    const { page } = program
    // At 1280 pixels the serial numbers are hidden beside an open drawer.
    await page.setViewportSize({ width: 1600, height: 900 })
    const serials = page.getByRole('grid').locator('[data-column="serialNumber"][role="gridcell"]')
    const marked = (): Promise<string[]> =>
      page.locator('.grid-row.open [data-column="serialNumber"]').allInnerTexts()
    // Rows that the larger window shows anew are empty until they arrive.
    const first = async (): Promise<string[]> => (await serials.allInnerTexts()).slice(0, 7)
    await expect.poll(first).toEqual(Array(7).fill(expect.stringMatching(/^[0-9A-F]{10,12}$/)))
    const [serial = ''] = (await first()).slice(-1)
    await serials.nth(6).click()
    await expect(page.getByRole('complementary', { name: /^Details of/ })).toBeVisible()
    const chosen: (string | null)[] = []
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const row = page.locator(`.grid-row[aria-rowindex="${index + 2}"]`)
      await row.getByRole('checkbox').click()
      chosen.push(await row.locator('[data-column="serialNumber"]').innerText())
    }
    expect(await marked()).toEqual([serial])

    await page.getByRole('combobox', { name: 'Filter devices' }).fill('status:offline ')
    await expect(page.locator('main .header .note')).toContainText('of 10,000')
    await expect.poll(() => rowsInSight(page, 'status:offline', chosen)).toEqual({ some: true, wrong: 0 })
    // As an offline device it is one of the first seven, else it does not match.
    const query = { where: `status:offline ${serial}`, sort: [], start: 0, count: 1 }
    const { total } = await valueOf(coreBehind(page).devices.slice(query))
    await expect.poll(marked).toEqual(total === 1 ? [serial] : [])

    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByRole('combobox', { name: 'Filter devices' }).fill(serial)
    await expect(page.locator('main .header .note')).toContainText('1 of 10,000')
    await expect
      .poll(async () => [await serials.allInnerTexts(), await marked()])
      .toEqual([[serial], [serial]])
  })
})

// The last one, because it ends the service.
test('a device among 10,000 is found by its serial and its firmware link copied; without a network everything is still there; a restart finds everything', async () => {
  const serial = await program.page
    .getByRole('grid')
    .getByText(/^[0-9A-F]{10,12}$/)
    .nth(4)
    .innerText()
  const link = await copyLinkOf(program.page, serial)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/.+/)

  // Disconnects the network.
  await service.end()
  await program.page.keyboard.press('F5')
  await expect(program.page.getByText(/^Offline/).first()).toBeVisible()
  await program.page.getByRole('button', { name: /Close/ }).click()
  await program.app.evaluate(({ clipboard }) => clipboard.writeText(''))
  await program.page.getByRole('button', { name: 'Clear filter' }).click()
  expect(await copyLinkOf(program.page, serial)).toBe(link)
  expect(program.pageErrors).toEqual([])
  await program.close()

  // Starts the program on the next morning, still without a network.
  program = await startProgram(home)
  await expectCount(program.page, 'devices', 10_000)
  await goTo(program.page, 'Rooms')
  await expectCount(program.page, 'rooms', 600)
  expect(await copyLinkOf(program.page, serial)).toBe(link)
  expect(program.pageErrors).toEqual([])
})
