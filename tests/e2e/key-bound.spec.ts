import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { expectNone } from './axe.ts'
import { addOrganization, headroom, type Said } from './headroom.ts'
import { startKeyring, type Keyring } from './keyring.ts'
import {
  expectCount,
  goTo,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'
import { countsOf } from './service-switches.ts'

let home: Home
let keyring: Keyring
let service: Service
/** A host of an attacker, which would receive the key. */
let stranger: Service
let program: Program | null = null

test.beforeEach(async () => {
  home = newHome()
  keyring = await startKeyring()
  service = await startService('--devices', '60', '--rooms', '6')
  stranger = await startService('--devices', '20', '--rooms', '2', '--key', service.key)
  await addOrganization(home, service)
})
test.afterEach(async () => {
  await program?.close()
  program = null
  await stranger.end()
  await service.end()
  await keyring.end()
  home.remove()
})

const prompt = (words: readonly string[], input = ''): Promise<Said> =>
  headroom(home, words, { input, environment: keyring.environment })
const originOf = ({ managementUrl }: Service): string => new URL(managementUrl).origin
const keyKept = (): readonly string[] => Object.values(keyring.entries())
/** Changes the file as a restore, a file sync or another program would, while this one is not running. */
function editAddress(to: Service): void {
  const workbook = new DatabaseSync(join(home.folder, 'home', 'workbook.sqlite'))
  workbook.prepare('UPDATE organization SET management_url = ?').run(to.managementUrl)
  workbook.close()
}
/** All calls that reached the other host, with any response. */
const reachedStranger = async (): Promise<unknown> => (await countsOf(stranger)).arrivals

test('an edited address receives nothing; the key is sent once the address is corrected', async () => {
  await prompt(['key', 'set', 'primary', '--stdin'], service.key)
  program = await startProgram(home, keyring.environment)
  let { page } = program
  await expectCount(page, 'devices', 60)
  expect(keyKept()).toEqual([`${service.key} ${originOf(service)}`])

  await program.close()
  editAddress(stranger)
  program = await startProgram(home, keyring.environment)
  page = program.page
  await expect(
    page.getByText(
      `The primary subscription key belongs to ${originOf(service)}, but would have been sent to ${originOf(stranger)}. Nothing was sent.`,
    ),
  ).toBeVisible()
  // Cached data remains.
  await goTo(page, 'Overview')
  await expectCount(page, 'devices', 60)
  await goTo(page, 'Organizations')
  await expect(
    page.getByText(`This key belongs to ${originOf(service)}, but this organization’s address`),
  ).toBeVisible()
  await expectNone(page, 'a key that is not sent')
  expect(await reachedStranger()).toEqual({})

  // After the address was corrected, the key is sent to its host.
  const dialog = page.getByRole('dialog')
  const saveAddress = async (managementUrl: string): Promise<void> => {
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Management address').fill(managementUrl)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  await saveAddress(service.managementUrl)
  await expect(dialog).toBeHidden()
  await page.getByRole('region', { name: 'Primary key' }).getByRole('button', { name: 'Check key' }).click()
  await expect(page.getByText('Accepted')).toBeVisible()

  // If another address is entered, the key is requested.
  await saveAddress(service.managementUrl.replace('127.0.0.1', 'localhost'))
  const elsewhere = originOf(service).replace('127.0.0.1', 'localhost')
  await expect(dialog).toContainText(`The address now points to ${elsewhere}.`)
  expect(keyKept()).toEqual([])
  await dialog.getByLabel('Subscription key').fill(service.key)
  await dialog.getByRole('button', { name: 'Store and check' }).click()
  await expect(dialog).toBeHidden()
  expect(keyKept()).toEqual([`${service.key} ${elsewhere}`])
  expect(await reachedStranger()).toEqual({})
  expect(program.pageErrors).toEqual([])
})

test('on the command line an edited address receives nothing and is reported with both hosts', async () => {
  await prompt(['key', 'set', 'primary', '--stdin'], service.key)
  expect(await prompt(['key', 'check'])).toMatchObject({ code: 0 })
  expect(keyKept()).toEqual([`${service.key} ${originOf(service)}`])

  editAddress(stranger)
  const { code, output, errors } = await prompt(['sync', '--json'])
  expect([code, output, JSON.parse(errors)]).toEqual([
    3,
    '',
    { kind: 'key-not-bound', slot: 'primary', boundTo: originOf(service), wouldGoTo: originOf(stranger) },
  ])
  // Metadata needs no key.
  expect((await prompt(['definitions', 'latest', '--json'])).code).toBe(0)
  expect(await reachedStranger()).toEqual({})
  expect(keyKept()).toEqual([`${service.key} ${originOf(service)}`])
})

test('on the command line an unreadable keychain entry is reported and left unchanged until a key is entered', async () => {
  await prompt(['key', 'set', 'primary', '--stdin'], service.key)
  const [account = ''] = Object.keys(keyring.entries())
  keyring.put(account, `${service.key}\nof the test service`)
  const { code, errors } = await prompt(['key', 'check', '--json'])
  expect([code, JSON.parse(errors)]).toEqual([3, { kind: 'key-unreadable', slot: 'primary' }])
  expect(keyKept()).toEqual([`${service.key}\nof the test service`])
  expect((await prompt(['key', 'set', 'primary', '--stdin'], service.key)).code).toBe(0)
  expect((await prompt(['key', 'check'])).code).toBe(0)
})
