import { expect, test } from '@playwright/test'
import { beginWalk } from './accessible.ts'
import { answerWith } from './desktop-answers.ts'
import { openPage } from './pages.ts'
import { expectCount, newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home)
  await program.page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(program.page, 'devices', 1200)
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
})
test.afterEach(async () => {
  // The job may still run.
  await answerWith(program.app, 'Quit')
  await program.close()
  home.remove()
})

/** Of the demonstration: the same products, and the second has older firmware on three devices. */
const [a, b] = ['Møns Klint 1.04', 'Godsbanen 4.05 board room']

test('two selected rooms are compared, and the second becomes like the first by a plan for its firmware and then one for settings', async () => {
  const { page } = program
  await openPage(page, 'rooms', '[role="gridcell"]')
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill(`name:"${a}","${b}"`)
  await box.press('Enter')
  await page.keyboard.press('Escape')
  for (const name of [a, b]) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  await page.getByRole('region', { name: 'Selected rooms' }).getByRole('link', { name: 'Compare' }).click()

  const table = page.getByRole('table', { name: `Comparison of ${a} and ${b}` })
  await expect(table.getByRole('checkbox', { name: /^Firmware: Update to / })).toHaveCount(3)
  const end = page.locator('main footer')
  await expect(end).toContainText(`3 updates in ${b}. 1 plan.`)
  await page.getByRole('button', { name: /^Unknown \d+$/ }).click()
  await page
    .getByRole('row', { name: /^Door panel: Settings/ })
    .getByRole('button', { name: /^Read / })
    .click()
  const panel = page.locator('main tbody').filter({ hasText: 'Door panel' }).first()
  await expect(panel.getByRole('checkbox', { name: /: Set / }).first()).toBeVisible()
  await expect(end).toContainText(/3 updates, then \d+ settings?, in .* 2 plans, one after the other/)

  const walk = await beginWalk(page)
  await walk.stop('comparison', 'main .header, .sides', () => expect(table).toBeVisible())
  await walk.end()

  await page.getByRole('button', { name: 'Make B like A…' }).click()
  await answerWith(program.app, 'Start')
  const first = page.getByRole('dialog', { name: /^Update firmware of 3 devices/ })
  await first.getByRole('button', { name: /update 3 devices$/i }).click()
  await expect(first).toBeHidden()
  const second = page.getByRole('dialog', { name: /^Change .*settings? / })
  await expect(second).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Rooms', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Selected rooms' })).toContainText('2 rooms selected')
  expect(program.pageErrors).toEqual([])
})
