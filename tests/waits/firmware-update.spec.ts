import { expect, test } from '@playwright/test'
import type { DeviceSlice } from '../../electron/contract/api/devices.ts'
import { failsByItself } from '../../electron/demo/firmware-changes.ts'
import { answerWith } from '../e2e/desktop-answers.ts'
import { addOrganization, document, headroom } from '../e2e/headroom.ts'
import { openPage } from '../e2e/pages.ts'
import {
  goTo,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from '../e2e/program.ts'
import { arrivalsOf, control, countsOf } from '../e2e/service-switches.ts'
import { firmwareAddresses } from '../reboot-room.ts'

let home: Home
let program: Program
let service: Service

const devices = 120
/** A fleet without devices whose updates fail. */
const seed = Array.from({ length: 1_000 }, (_, at) => at).find(
  (one) => !Array.from({ length: devices }, (_, index) => index).some((index) => failsByItself(one, index)),
)!

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', String(devices), '--rooms', '36', '--seed', String(seed))
  expect((await addOrganization(home, service, { templates: firmwareAddresses })).code).toBe(0)
  expect((await headroom(home, ['key', 'set', 'primary', '--stdin'], { input: service.key })).code).toBe(0)
  expect((await headroom(home, ['sync'])).code).toBe(0)
})
test.afterEach(async () => {
  await answerWith(program.app, 'Quit')
  await program.close()
  await service.end()
  home.remove()
})

// The first poll of a device that is updated, 20 s after its write.
test('two devices of a product are updated, one first: the plan shows what goes down and the cost, the first reports its version, lists and journal show it', async () => {
  const where = 'status:online fw:behind !fw:by-service'
  const found = await document<{ devices: DeviceSlice['rows'] }>(
    home,
    ['devices', '--where', where],
    service.key,
  )
  const [chosen = []] = [...Map.groupBy(found.devices, ({ productId }) => productId).values()]
    .filter(({ length }) => length > 1)
    .map((ofOne) => ofOne.slice(0, 2))
  expect(chosen).toHaveLength(2)

  program = await startProgram(home)
  const { page } = program
  await goTo(page, 'Devices')
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill(`id:${chosen.map(({ id }) => id).join(',')}`)
  await box.press('Enter')
  await page.keyboard.press('Escape')
  const boxes = page.getByRole('gridcell').getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  for (const place of [0, 1]) await boxes.nth(place).click()
  const bar = page.getByRole('region', { name: 'Selected devices' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Update firmware' }).click()

  const plan = page.getByRole('dialog', { name: 'Update firmware of 2 devices' })
  await expect(plan.getByText('Updates 2 devices. They are not available during the update.')).toBeVisible()
  await expect(plan.getByText(/^4 calls, about/)).toBeVisible()
  await expect(plan.getByText(/^Unlocks actions for 15 minutes/)).toBeVisible()
  expect(await arrivalsOf(service, 'UpdateDeviceFirmware')).toBe(0)
  await plan.getByRole('button', { name: 'One device first' }).click()
  await plan.getByRole('button', { name: 'Unlock and update 2 devices' }).click()
  await page.getByRole('button', { name: 'Show job' }).click()
  const job = page.getByRole('region', { name: 'Details of Update firmware of 2 devices' })
  await expect(job.getByText('1 in progress, 1 waits for the first of its product')).toBeVisible()
  await expect.poll(async () => Object.keys((await countsOf(service)).writes)).toHaveLength(1)
  const [first] = Object.keys((await countsOf(service)).writes)

  // By then, a device that is late after its restart is back too.
  await control(service, 'POST', '/time', { advanceInMs: 40 * 60_000 })
  await expect(job.getByRole('img', { name: '1 of 2 ended: 1 done, 1 in progress' })).toBeVisible()
  await job.getByRole('tab', { name: /^Done/ }).click()
  await expect(job.getByText('read back and verified')).toHaveCount(1)
  // The second device is read again before its write.
  await expect
    .poll(async () => (await countsOf(service)).writes)
    .toEqual(Object.fromEntries(chosen.map(({ id }) => [id, 1])))

  const { firmwareVersion: from, firmware } = chosen.find(({ id }) => id === first)!
  await openPage(page, `devices/${first}`, 'aside .firmware')
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await expect(drawer.getByTitle(/^The device reported this version on/)).toBeVisible()
  await expect(drawer.getByText(`Firmware ${firmware.latest}, the latest`)).toBeVisible()
  await drawer.getByRole('tab', { name: /^Journal/ }).click()
  await expect(drawer.getByText(/^Update firmware/)).toHaveCount(1)
  await expect(drawer.getByText(`${from} → ${firmware.latest}`)).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
