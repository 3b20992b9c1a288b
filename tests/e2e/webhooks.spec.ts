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

const schema = JSON.stringify({
  type: 'array',
  items: { type: 'object', required: ['id'], properties: { data: { required: ['deviceId'] } } },
})

test('a validation event is parsed and never leads to an internal host; a payload is checked against its schema; only the ticks are stored', async () => {
  let { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await goTo(page, 'Webhooks')
  await page.getByRole('checkbox', { name: /Name it/ }).check()
  await expect(page.getByText('1 of 6 done')).toBeVisible()

  const event = page.getByRole('textbox', { name: 'Validation event' })
  await event.fill('[{ "data": { "validationUrl": "https://2130706433/validate" } }]')
  await expect(page.getByText('The address points to a private network or to this computer.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Validate', exact: true })).toHaveCount(0)

  // The host does not exist: its name is looked up after the confirmation, and nothing is sent.
  await event.fill(
    '[{ "data": { "validationUrl": "https://validate.nowhere-at-all.example.com/validate" } }]',
  )
  await expect(page.getByRole('timer')).toHaveText(/^(10|9):\d\d$/)
  await page.getByRole('button', { name: 'Validate', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Contact validate.nowhere-at-all.example.com?')
  await page.getByRole('dialog').getByRole('button', { name: 'Validate once' }).click()
  await expect(page.getByText('validate.nowhere-at-all.example.com was not contacted')).toBeVisible()

  await page.getByRole('tab', { name: 'Read payloads' }).click()
  await page
    .getByRole('textbox', { name: 'Payload' })
    .fill('[{ "id": "1", "eventType": "firmwareChanged", "eventTime": "2026-11-21T13:58:00Z", "data": {} }]')
  await page.getByRole('textbox', { name: 'Schema file' }).fill(schema)
  await expect(page.getByText('The payload does not fit in 1 place')).toBeVisible()
  await expect(page.getByRole('cell', { name: '/0/data' })).toBeVisible()
  await expect(page.getByText('firmwareChanged', { exact: true })).toBeVisible()

  await program.close()
  program = await startProgram(home, smallDemonstration)
  page = program.page
  await goTo(page, 'Webhooks')
  await expect(page.getByRole('checkbox', { name: /Name it/ })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Validation event' })).toHaveValue('')
  expect(program.pageErrors).toEqual([])
})
