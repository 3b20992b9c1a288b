import { expect, test } from '@playwright/test'
import { openWholeRoom } from './pages.ts'
import { goTo, startSynced, type Home, type Program, type Service } from './program.ts'
import { arrivalsOf } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeAll(async () => {
  ;({ home, program, service } = await startSynced(100, 12))
})
test.afterAll(async () => {
  await program.close()
  await service.end()
  home.remove()
})

/** How often the service got this request, by its own count. */
const arrivals = (operation: string): Promise<number> => arrivalsOf(service, operation)

test('the Explorer runs an operation and shows the response as received; its shell text contains no key', async () => {
  const { page } = program
  await goTo(page, 'Explorer')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('ListMeetingRooms')
  await page.getByRole('option', { name: /^List meeting rooms/ }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('200 OK')).toBeVisible()
  await expect(page.getByRole('tree').getByText('items', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'curl, PowerShell' }).click()
  await expect(page.getByText(/\$HEADROOM_KEY/).first()).toBeVisible()
  expect(await page.content()).not.toContain(service.key)
  expect(program.pageErrors).toEqual([])
})

test('a room is rebooted once: the plan lists what goes down and unlocks actions, the room shows that it restarts, the second one waits for its minute', async () => {
  const { page } = program
  const status = page.getByRole('contentinfo')
  await expect(status.getByText('Actions locked')).toBeVisible()
  const room = await openWholeRoom(page)
  const name = await room.getByRole('heading', { level: 2 }).innerText()
  const devices = await room.getByRole('listitem').count()
  await room.getByRole('button', { name: 'Reboot room…' }).click()

  const dialog = page.getByRole('dialog', { name: `Reboot ${name}` })
  await expect(
    dialog.getByText(new RegExp(`^(This device reboots|These ${devices} devices reboot)`)),
  ).toBeVisible()
  await expect(dialog.getByRole('region').getByRole('listitem')).toHaveCount(devices)
  expect(await arrivals('RebootRoom')).toBe(0)
  await dialog.getByRole('button', { name: 'Unlock and reboot 1 room' }).click()
  await expect(dialog).toBeHidden()
  await expect(room.getByRole('heading', { name: 'Rebooting' })).toBeVisible()
  await expect(
    room.getByText(/^Accepted at .* Headroom watches the room until it is back online\./),
  ).toBeVisible()
  await expect(
    page.getByRole('grid').getByRole('row').filter({ hasText: name }).getByText('Rebooting'),
  ).toBeVisible()
  expect(await arrivals('RebootRoom')).toBe(1)
  await expect(status.getByText(/Actions unlocked, 1[45]:\d\d left/)).toBeVisible()

  await room.getByRole('button', { name: 'Reboot room…' }).click()
  await expect(dialog.getByText(/^from \d\d:\d\d/)).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await arrivals('RebootRoom')).toBe(1)

  await goTo(page, 'Journal')
  await expect(page.getByRole('grid').getByText(name)).toBeVisible()
  await expect(page.getByRole('grid').getByText('Accepted')).toHaveCount(1)

  await status.getByRole('button', { name: /Actions unlocked/ }).click()
  await expect(status.getByText('Actions locked')).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
