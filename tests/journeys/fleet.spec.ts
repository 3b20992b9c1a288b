import { expect, test, type Page } from '@playwright/test'
import { connect, expectCount, newHome, startProgram, startService, type Home, type Program, type Service } from './program.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '10000')
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

/** Types a serial into the filter, opens the one device found and copies its firmware link. */
async function copyLinkOf(page: Page, serial: string): Promise<string> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Devices' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type(serial)
  await expect(page.locator('main .header .note')).toContainText('1 of 10,000')
  await page.getByRole('grid').getByText(serial).click()
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await expect(drawer.getByText('Definition version in use: 14.5.0')).toBeVisible()
  await drawer.getByRole('button', { name: /Copy link/ }).click()
  await expect.poll(() => program.clipboard()).toMatch(/^http/)
  return program.clipboard()
}

test('a device among 10,000 is found by its serial and its firmware link copied; without network it is all still there; a restart finds everything', async () => {
  program = await startProgram(home, { HEADROOM_KEY: service.key })
  await connect(program.page, service, 'Ten Thousand')
  await expectCount(program.page, 'Devices', 10_000)
  await program.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Devices' }).click()
  const serial = await program.page
    .getByRole('grid')
    .getByText(/^[0-9A-F]{10,12}$/)
    .nth(4)
    .innerText()
  const link = await copyLinkOf(program.page, serial)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/.+/)
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()

  // The network goes.
  await service.end()
  await program.page.keyboard.press('F5')
  await expect(program.page.getByText(/^Offline/).first()).toBeVisible()
  await program.page.getByRole('button', { name: /Close/ }).click()
  await program.app.evaluate(({ clipboard }) => clipboard.writeText(''))
  await program.page.getByRole('button', { name: 'Clear filter' }).click()
  expect(await copyLinkOf(program.page, serial)).toBe(link)
  expect(program.pageErrors).toEqual([])
  await program.close()

  // The next morning, still without network.
  program = await startProgram(home, { HEADROOM_KEY: service.key })
  await expectCount(program.page, 'Devices', 10_000)
  await expectCount(program.page, 'Rooms', 600)
  expect(await copyLinkOf(program.page, serial)).toBe(link)
  expect(program.pageErrors).toEqual([])
})

test('while one types, the rows in sight take what matches: the open device and the chosen ones stay marked where they stand now, and no row keeps what was before', async () => {
  program = await startProgram(home, { HEADROOM_KEY: service.key })
  const { page } = program
  await connect(page, service, 'Ten Thousand')
  await expectCount(page, 'Devices', 10_000)
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Devices' }).click()
  const serials = page.getByRole('grid').locator('[col-id="serialNumber"][role="gridcell"]')
  const open = page.locator('.ag-row.open')
  const marked = (): Promise<(string | null)[]> => open.evaluateAll((rows) => rows.map((row) => row.getAttribute('row-id')))
  await expect(serials.nth(6)).toHaveText(/^[0-9A-F]{10,12}$/)
  await serials.nth(6).click()
  await expect(page.getByRole('complementary', { name: /^Details of/ })).toBeVisible()
  const [id] = await marked()
  const serial = await open.locator('[col-id="serialNumber"]').innerText()
  const chosen: (string | null)[] = []
  for (const index of [0, 1, 2, 3, 4, 5]) {
    const row = page.locator(`.ag-row[row-index="${index}"]`)
    await row.getByRole('checkbox').click()
    chosen.push(await row.getAttribute('row-id'))
  }
  expect(await marked()).toEqual([id])

  await page.getByRole('combobox', { name: 'Filter devices' }).fill('status:offline ')
  await expect(page.locator('main .header .note')).toContainText('of 10,000')
  const shown = (): Promise<unknown> =>
    page.evaluate(async (picked) => {
      type Window = { value: { rows: { id: string; serialNumber: string | null }[] } }
      const { headroom } = globalThis as unknown as { headroom: { ask(channel: string, argument: unknown): Promise<Window> } }
      const sort = [{ column: 'name', descending: false }]
      const asked = await headroom.ask('devices.window', { where: 'status:offline', sort, start: 0, count: 100 })
      const wrong = [...document.querySelectorAll('.ag-row[row-index]')].filter((row) => {
        const expected = asked.value.rows[Number(row.getAttribute('row-index'))]
        const told = row.querySelector('[col-id="serialNumber"]')?.textContent
        const is = picked.includes(expected?.id ?? null)
        const marked = row.getAttribute('aria-selected') === String(is) && row.querySelector('input')?.checked === is
        return row.getAttribute('row-id') !== expected?.id || told !== (expected?.serialNumber ?? '—') || !marked
      })
      return { rows: document.querySelectorAll('.ag-row').length > 10, wrong: wrong.length }
    }, chosen)
  await expect.poll(shown).toEqual({ rows: true, wrong: 0 })
  expect(await marked()).toEqual((await page.locator(`.ag-row[row-id="${id}"]`).count()) === 0 ? [] : [id])

  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.getByRole('combobox', { name: 'Filter devices' }).fill(serial)
  await expect(page.locator('main .header .note')).toContainText('1 of 10,000')
  await expect.poll(async () => [await serials.allInnerTexts(), await marked()]).toEqual([[serial], [id]])
})
