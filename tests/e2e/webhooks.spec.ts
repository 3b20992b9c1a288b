import { expect, test } from '@playwright/test'
import {
  expectLanded,
  goTo,
  newHome,
  smallDemonstration,
  startProgram,
  type Home,
  type Program,
} from './program.ts'

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home, smallDemonstration)
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

test('a validation event is parsed, never leads to an internal host, and is not stored', async () => {
  let { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await goTo(page, 'Organizations')
  const card = page.getByRole('region', { name: 'Webhooks' })
  await card.getByText('How to create one in the portal').click()
  await expect(card.getByRole('listitem')).toHaveCount(6)

  const event = card.getByRole('textbox', { name: 'Validation event' })
  await event.fill('[{ "data": { "validationUrl": "https://2130706433/validate" } }]')
  await expect(card.getByText('The address points to a private network or to this computer.')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Validate', exact: true })).toHaveCount(0)

  // The host does not exist: its name is looked up after the confirmation, and nothing is sent.
  await event.fill(
    '[{ "data": { "validationUrl": "https://validate.nowhere-at-all.example.com/validate" } }]',
  )
  await expect(card.getByRole('timer')).toHaveText(/^(10|9):\d\d$/)
  await card.getByRole('button', { name: 'Validate', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Contact validate.nowhere-at-all.example.com?')
  await page.getByRole('dialog').getByRole('button', { name: 'Validate once' }).click()
  await expect(card.getByText('validate.nowhere-at-all.example.com was not contacted')).toBeVisible()

  await program.close()
  program = await startProgram(home, smallDemonstration)
  page = program.page
  await goTo(page, 'Organizations')
  await expect(page.getByRole('textbox', { name: 'Validation event' })).toHaveValue('')
  expect(program.pageErrors).toEqual([])
})
