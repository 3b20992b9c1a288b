import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startKeyring, type Keyring } from './keyring.ts'
import {
  connect,
  expectCount,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
  goTo,
} from './program.ts'

let home: Home
let program: Program
let service: Service
let keyring: Keyring

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '6')
  keyring = await startKeyring()
})
test.afterEach(async () => {
  await program.close()
  await keyring.end()
  await service.end()
  home.remove()
})

/** Every file below a folder whose bytes contain the text. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < 200_000_000 && readFileSync(file).includes(text))
}

test('the key is stored in the system’s keychain: a restart uses it, no file contains it, forgetting removes it', async () => {
  program = await startProgram(home, keyring.environment)
  await connect(program.page, service, 'Nordlys A/S')
  await expectCount(program.page, 'devices', 60)
  await goTo(program.page, 'Organizations')
  await expect(program.page.getByText('In the keychain', { exact: true })).toBeVisible()
  await expect(program.page.getByText(`Ending in ${service.key.slice(-4)}`)).toBeVisible()
  await program.close()
  expect(filesWith(service.key, home.folder)).toEqual([])
  // The key and the only host it may go to.
  expect(Object.values(keyring.entries())).toEqual([
    `${service.key} ${new URL(service.managementUrl).origin}`,
  ])

  program = await startProgram(home, keyring.environment)
  await program.page.keyboard.press('F5')
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  await expect(program.page.getByRole('contentinfo').getByText('Online', { exact: true })).toBeVisible()
  await goTo(program.page, 'Organizations')
  await program.page.getByRole('button', { name: 'Forget…' }).first().click()
  await program.page.getByRole('button', { name: 'Forget the key' }).click()
  await expect(program.page.getByText('Not set').first()).toBeVisible()
  await program.close()

  program = await startProgram(home, keyring.environment)
  await goTo(program.page, 'Overview')
  await expectCount(program.page, 'devices', 60)
  await goTo(program.page, 'Organizations')
  await expect(program.page.getByText('Not set').first()).toBeVisible()
  expect(filesWith(service.key, home.folder)).toEqual([])
  expect(program.pageErrors).toEqual([])
})
