import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { answerWith, saveTo } from './desktop-answers.ts'
import { openOnlineDevice } from './pages.ts'
import { goTo, startSynced, type Home, type Program, type Service } from './program.ts'
import { arrivalsOf } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(200, 20))
})
test.afterEach(async () => {
  // A device that applies a setting late is still monitored.
  await answerWith(program.app, 'Quit')
  await program.close()
  await service.end()
  home.remove()
})

/** How often the service got this request, by its own count. */
const arrivals = (operation: string): Promise<number> => arrivalsOf(service, operation)
async function find(page: Page, where: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill(where)
  await box.press('Enter')
  await page.keyboard.press('Escape')
}
/** As people read it. */
const degrees = (value: string): string => value.replace(/^_(\d+)deg$/, '$1°')
const rowOf = (within: Locator, name: string): Locator =>
  within.locator('.setting').filter({ has: within.page().getByTitle(name, { exact: true }) })

test('two settings of one device are edited, reviewed, written in one request and read back; the journal shows both and is exported', async () => {
  const { page } = program
  await goTo(page, 'Devices')
  await openOnlineDevice(page, 'PanaCast 50')
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('tab', { name: 'Settings' }).click()
  await expect(drawer.locator('.setting').first()).toBeVisible()

  const view = rowOf(drawer, 'fieldOfView').getByRole('combobox')
  const wanted = (await view.inputValue()) === '_90deg' ? '_120deg' : '_90deg'
  await view.selectOption(wanted)
  const switched = drawer.locator('.setting').filter({ has: page.getByRole('switch') })
  const lampName = (await switched.locator('dt [title]').first().getAttribute('title')) ?? ''
  const lamp = rowOf(drawer, lampName).getByRole('switch')
  const was = await lamp.getAttribute('aria-checked')
  await lamp.click()
  await expect(drawer.getByText('2 changed')).toBeVisible()
  expect(await arrivals('UpdateDeviceSettings')).toBe(0)

  await drawer.getByRole('button', { name: 'Review changes…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change settings of/ })
  await expect(dialog.getByRole('row').filter({ hasText: 'Field of view' })).toContainText(degrees(wanted))
  await dialog.getByRole('button', { name: 'Unlock and change 2 settings' }).click()
  await expect(dialog).toBeHidden()
  await expect(drawer.getByText(/Changed and read back at|not applied yet/)).toBeVisible()
  expect(await arrivals('UpdateDeviceSettings')).toBe(1)
  await expect(drawer.getByText('2 changed')).toBeHidden()
  if (await drawer.getByText('Changed and read back at').isVisible()) {
    await expect(view).toHaveValue(wanted)
    await expect(lamp).not.toHaveAttribute('aria-checked', was ?? '')
  }

  await drawer.getByRole('link', { name: 'Open journal entry' }).click()
  await expect(page.getByRole('heading', { name: 'Journal', level: 1 })).toBeVisible()
  const line = page.getByRole('complementary', { name: 'Details of the action' })
  await expect(line.getByRole('row').filter({ hasText: 'fieldOfView' })).toContainText(degrees(wanted))
  await expect(line.getByRole('link', { name: 'Open the job' })).toBeVisible()
  await find(page, 'operation:reboot')
  await expect(page.getByText('No actions match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).first().click()
  const file = join(home.folder, 'journal.csv')
  await saveTo(program.app, file)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText(/journal\.csv/).first()).toBeVisible()
  await expect(() => expect(readFileSync(file, 'utf8')).toContain(`fieldOfView=${wanted}`)).toPass()
  expect(program.pageErrors).toEqual([])
})

test('one setting of many devices: known values are shown, devices that do not allow it are skipped, the others are changed by a job', async () => {
  const { page } = program
  await goTo(page, 'Devices')
  await find(page, 'product:"PanaCast 50","Engage 75"')
  await page.getByRole('checkbox', { name: 'Select all that match' }).click()
  await page.getByRole('button', { name: 'Change settings…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change settings of/ })
  await dialog.getByRole('button', { name: /^Read settings \(/ }).click()
  await expect(dialog.getByRole('button', { name: /^Read one (?!of each)/ })).toHaveCount(0)
  const field = dialog.locator('.bulk-row').filter({ has: page.getByText('Field of view', { exact: true }) })
  await field.getByRole('checkbox').check()
  await field.getByRole('combobox').selectOption('_120deg')
  await dialog.getByRole('button', { name: 'Preview…' }).click()

  const plan = page.getByRole('dialog', { name: /^Change 1 setting of / })
  await expect(plan.getByRole('grid')).toContainText('120°')
  await expect(plan.getByText(/value not allowed/).first()).toBeVisible()
  const typed = plan.getByRole('textbox', { name: /^Type / })
  if (await typed.count()) await typed.fill((await plan.getByText(/^Type \d/).innerText()).replace(/\D/g, ''))
  await answerWith(program.app, 'Start')
  await plan.getByRole('button', { name: /^(?:Unlock and c|C)hange \d+ devices?/ }).click()
  await expect(plan).toBeHidden()
  await goTo(page, 'Jobs')
  await expect(page.getByText(/Change 1 setting/).first()).toBeVisible()
  await goTo(page, 'Journal')
  await expect(page.getByRole('grid').getByText('Change settings').first()).toBeVisible()
  await find(page, 'operation:settings outcome:accepted')
  await expect(page.getByRole('grid').getByText('Accepted').first()).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
