import { expect, test } from '@playwright/test'
import {
  expectCount,
  expectLanded,
  fillInService,
  goTo,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'

let home: Home
let program: Program
let service: Service | null = null

test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  await program.close()
  await service?.end()
  service = null
  home.remove()
})

test('first run: the demonstration, a room, a device, its firmware link, its notes and the definition version', async () => {
  program = await startProgram(home)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await expectCount(page, 'rooms', 72)
  await expectCount(page, 'devices', 1200)
  await expect(page.getByRole('navigation').getByText('Demonstration', { exact: true }).last()).toBeVisible()

  await goTo(page, 'Rooms')
  // The list is sorted by need, and the first sync may still change it: a click could hit another room.
  await page.getByRole('combobox', { name: 'Filter rooms' }).fill('"Beacon Hill 2.23"')
  await expect(page.locator('main header')).toContainText('1 of 72')
  await page.getByRole('grid').getByText('Beacon Hill 2.23', { exact: true }).click()
  const room = page.getByRole('complementary', { name: /Beacon Hill 2\.23/ })
  await room
    .getByRole('link', { name: /PanaCast 50/ })
    .first()
    .click()
  const device = page.getByRole('complementary', { name: /Details of Beacon Hill 2\.23/ })
  await expect(device.getByText(/^Jabra PanaCast 50 · /)).toBeVisible()
  await expect(device.getByRole('heading', { name: /^Firmware / })).toBeVisible()
  await device.getByRole('button', { name: /Copy link/ }).click()
  await expect.poll(() => program.clipboard()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//)
  await device.getByRole('tab', { name: 'Advanced' }).click()
  await expect(device.getByText('Definition version in use: 14.5.0')).toBeVisible()
  await expect(device.getByText(/the installed package supports versions up to 14\.5\.0/)).toBeVisible()

  await device.getByRole('tab', { name: 'Overview' }).click()
  await device.getByRole('link', { name: 'Release notes' }).click()
  await expect(page.getByRole('heading', { name: 'Release notes', level: 1 })).toBeVisible()
  await page.getByRole('tab', { name: /^Links/ }).click()
  await expect(page.getByText(/www\.jabra\.com/).first()).toBeVisible()
  expect(program.pageErrors).toEqual([])
})

test('a wrong key is rejected without losing the typed values, then the right one is accepted', async () => {
  service = await startService('--devices', '300', '--rooms', '12')
  program = await startProgram(home)
  const { page } = program
  await fillInService(page, service, 'Nordlys A/S')

  const key = page.getByLabel('Subscription key', { exact: true })
  await key.fill('two words')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('The key contains spaces or line breaks. Copy it again.')).toBeVisible()

  await key.fill('00000000000000000000000000000000')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText(/The service refused this key/)).toBeVisible()
  await expect(page.getByLabel('Management address')).toHaveValue(service.managementUrl)

  await key.fill(`  ${service.key}\n`)
  await page.getByRole('button', { name: /^(Connect|Try again)$/ }).click()
  await expectLanded(page)
  await expectCount(page, 'devices', 300)
  await expectCount(page, 'rooms', 12)
  expect(await page.content()).not.toContain(service.key)
  expect(program.pageErrors).toEqual([])
})

test('an address without https is rejected at the field, before anything is sent', async () => {
  program = await startProgram(home)
  const { page } = program
  await page.getByRole('button', { name: 'Other', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Plain')
  await page.getByLabel('Management address').fill('http://api.example.com')
  await page.getByLabel('Subscription key', { exact: true }).fill('0123456789abcdef0123456789abcdef')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText(/Use https:\/\//)).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
