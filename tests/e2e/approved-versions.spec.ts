import { expect, test } from '@playwright/test'
import { document } from './headroom.ts'
import { openPage } from './pages.ts'
import { startSynced, type Home, type Program, type Service } from './program.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(60, 10))
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

test('a version is approved, devices on another version are found, and the journal shows who approved it', async () => {
  const { page } = program
  await openPage(page, 'firmware/2830/9395', 'main aside h2')
  const approve = page.getByRole('button', { name: /^Approve \d/ })
  const approved = ((await approve.textContent()) ?? '').trim().replace('Approve ', '')
  await approve.click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Tested on the first floor')
  await page
    .locator('form')
    .getByRole('button', { name: /^Approve / })
    .click()
  await expect(page.getByText('Tested on the first floor')).toBeVisible()

  await openPage(page, 'devices?where=approved:no', '.grid-row .mark')
  const rows = page.getByRole('row').filter({ has: page.getByRole('gridcell') })
  await expect(rows.filter({ hasText: 'Evolve2 65 Mono' }).first()).toBeVisible()
  const { total, devices } = await document<{
    total: number
    devices: readonly { productId: number; firmwareVersion: string | null }[]
  }>(home, ['devices', '--where', 'approved:no'], service.key)
  expect([...new Set(devices.map(({ productId }) => productId))]).toEqual([9395])
  expect(devices.map(({ firmwareVersion }) => firmwareVersion)).not.toContain(approved)
  await expect(page.locator('main .header .note')).toContainText(`${total} of `)

  await openPage(page, 'journal', '[role="gridcell"]')
  await expect(page.getByRole('gridcell', { name: 'Approve firmware' })).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
