import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startKeyring, type Keyring } from './keyring.ts'
import {
  connect,
  expectCount,
  goTo,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'
import { refusedCalls, regenerateKey } from './service-switches.ts'

const secondaryKey = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

let home: Home
let program: Program
let service: Service
let keyring: Keyring

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '6', '--secondary-key', secondaryKey)
  keyring = await startKeyring()
  program = await startProgram(home, keyring.environment)
  await connect(program.page, service, 'Nordlys A/S')
  await expectCount(program.page, 'devices', 60)
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
})
test.afterEach(async () => {
  await program.close()
  await keyring.end()
  await service.end()
  home.remove()
})

/** Files below the home whose bytes contain one of the texts. */
const filesWith = (texts: readonly string[]): string[] =>
  readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return texts.some((text) => bytes.includes(text))
    })

const card = (page: Page, slot: 'Primary' | 'Secondary') => page.getByRole('region', { name: `${slot} key` })
async function enterKey(page: Page, key: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Subscription key').fill(key)
  await dialog.getByRole('button', { name: 'Store and check' }).click()
  await expect(dialog).toBeHidden()
}

test('a regenerated primary key costs one refusal, the secondary one takes over and the switch is reported; the new key ends the reminder; removing everything leaves no key', async () => {
  const { page } = program
  await goTo(page, 'Organizations')
  await card(page, 'Secondary').getByRole('button', { name: 'Enter key' }).click()
  await enterKey(page, secondaryKey)
  await expect(card(page, 'Primary').getByText('In use')).toBeVisible()

  // Another person regenerates the primary key in the portal while the program runs.
  const newKey = await regenerateKey(service, 'primary', secondaryKey)
  await goTo(page, 'Devices')
  await page.keyboard.press('F5')
  await expect(
    page.getByText('Nordlys A/S continues with the secondary key. Replace the primary key.'),
  ).toBeVisible()
  await expect(page.getByRole('contentinfo').getByText('Online', { exact: true })).toBeVisible()
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  // Each stream in flight may have got it once, before the first response arrived.
  const refused = await refusedCalls(service, secondaryKey)
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThanOrEqual(3)

  await goTo(page, 'Organizations')
  const rotation = page.getByRole('region', { name: 'Key rotation' })
  await expect(
    rotation.getByRole('heading', { name: 'Regenerate the primary key in the portal' }),
  ).toBeVisible()
  await expect(card(page, 'Primary').getByText('Regenerate it')).toBeVisible()
  await expect(card(page, 'Secondary').getByText('In use')).toBeVisible()
  await rotation.getByRole('button', { name: 'Enter the new primary key' }).click()
  await enterKey(page, newKey)
  await expect(page.getByText('Regenerate it')).toBeHidden()
  await expect(page.getByText('Replace the primary one.')).toBeHidden()
  await expect(card(page, 'Primary').getByText('Accepted')).toBeVisible()
  const { origin } = new URL(service.managementUrl)
  expect(Object.values(keyring.entries()).toSorted()).toEqual(
    [`${newKey} ${origin}`, `${secondaryKey} ${origin}`].toSorted(),
  )

  // Back to the primary key with the assistant, using the keyboard.
  await page.getByRole('button', { name: 'Rotate keys' }).press('Enter')
  await rotation.getByRole('button', { name: 'Use the primary key' }).press('Enter')
  await expect(card(page, 'Primary').getByText('In use')).toBeVisible()
  await expect(
    rotation.getByRole('heading', { name: 'Regenerate the secondary key in the portal' }),
  ).toBeVisible()

  // The reminder remains after a restart.
  await program.close()
  program = await startProgram(home, keyring.environment)
  const again = program.page
  await goTo(again, 'Organizations')
  await expect(
    again.getByRole('heading', { name: 'Regenerate the secondary key in the portal' }),
  ).toBeVisible()
  await again.getByRole('button', { name: 'Remove…' }).click()
  await expect(again.getByText('The journal of its actions is kept')).toBeVisible()
  await again.getByRole('button', { name: 'Remove Nordlys A/S' }).click()
  await expect(again.getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
  await expect.poll(() => keyring.entries()).toEqual({})
  expect(program.pageErrors).toEqual([])
  await program.close()
  expect(filesWith([service.key, secondaryKey, newKey])).toEqual([])
})

test('with both keys regenerated everything stops with one message, and continues with the entered key', async () => {
  const { page } = program
  const newKey = await regenerateKey(service, 'primary', service.key)
  await page.keyboard.press('F5')
  await expect(page.getByText('The service refused the primary subscription key.')).toHaveCount(1)
  const before = await refusedCalls(service, newKey)
  await page.keyboard.press('F5')
  await page.getByRole('button', { name: 'Open Organizations' }).click()
  await expect(page.getByRole('heading', { name: 'The service refused the key' })).toBeVisible()
  expect(await refusedCalls(service, newKey)).toBe(before)
  await page.getByRole('button', { name: 'Enter the primary key' }).click()
  await enterKey(page, newKey)
  await expect(page.getByText('The service refused the key')).toBeHidden()
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  expect(await refusedCalls(service, newKey)).toBe(before)
})
