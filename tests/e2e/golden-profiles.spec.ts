import { expect, test } from '@playwright/test'
import { expectNone } from './axe.ts'
import { answerWith } from './desktop-answers.ts'
import { openOnlineDevice } from './pages.ts'
import { goTo, startSynced, type Home, type Program, type Service } from './program.ts'

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

test('a golden profile is made of one device, the others drift from it, one job corrects them, and the drift is gone', async () => {
  const { page } = program
  await goTo(page, 'Devices')
  await openOnlineDevice(page, 'PanaCast 50')
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('tab', { name: 'Settings' }).click()
  await drawer.getByRole('button', { name: 'Make a golden profile…' }).click()

  const dialog = page.getByRole('dialog', { name: 'Make a golden profile' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Meeting rooms')
  const view = dialog.locator('.golden-row').filter({ has: page.getByText('Field of view', { exact: true }) })
  await view.getByRole('checkbox').check()
  const value = view.getByRole('combobox', { name: 'Specified value of Field of view' })
  // A value other than this device's, so that there is drift whatever values the others have.
  await value.selectOption((await value.inputValue()) === '_90deg' ? '_140deg' : '_90deg')
  await dialog.getByRole('button', { name: 'Make golden profile' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('link', { name: 'Golden profiles' }).click()
  const golden = page.getByRole('region', { name: 'Golden profile Meeting rooms' })
  await expect(golden.getByText(/^1 of \d+ devices drifted/)).toBeVisible()

  await expectNone(page, 'drift with rows')

  // Devices that were not read are read after the cost was shown.
  await golden.getByRole('button', { name: /^Read \d+ devices?…/ }).click()
  await expect(golden.getByText(/^\d+ calls?[,.] /)).toBeVisible()
  await golden.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(golden.getByRole('button', { name: /^Read/ })).toBeHidden()

  const plan = page.getByRole('dialog', { name: /^Change 1 setting of / })
  await golden.getByRole('button', { name: /^Apply to \d+ drifted devices?…/ }).click()
  await expect(plan.getByRole('grid')).toContainText('Field of view')
  const typed = plan.getByRole('textbox', { name: /^Type / })
  if (await typed.count()) await typed.fill((await plan.getByText(/^Type \d/).innerText()).replace(/\D/g, ''))
  await answerWith(program.app, 'Start')
  await plan.getByRole('button', { name: /^(?:Unlock and c|C)hange \d+ devices?/ }).click()
  await expect(plan).toBeHidden()
  await expect(golden.getByText(/^No drift: /)).toBeVisible()
  await expect(golden.getByRole('button', { name: /^Apply to/ })).toBeHidden()
  expect(program.pageErrors).toEqual([])
})
