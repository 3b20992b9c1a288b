import { once } from 'node:events'
import { expect, test, type Page } from '@playwright/test'
import { answerWith, lastQuestion, passTenSeconds } from './desktop-answers.ts'
import { goTo, startProgram, startSynced, type Home, type Program, type Service } from './program.ts'
import { arrivalsOf } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(120, 16))
})
test.afterEach(async () => {
  await answerWith(program.app, 'Quit')
  await program.close()
  await service.end()
  home.remove()
})

/** How often the service got this request, by its own count. */
const arrivals = (operation: string): Promise<number> => arrivalsOf(service, operation)
/** Rooms with two devices online: one may go offline at any time, by its own rhythm. */
async function chooseRooms(page: Page, count: number): Promise<void> {
  await goTo(page, 'Rooms')
  const box = page.getByRole('combobox', { name: /^Filter/ })
  await box.fill('online:>1')
  await box.press('Enter')
  await page.keyboard.press('Escape')
  const rows = page.getByRole('grid', { name: 'Rooms' }).getByRole('rowgroup').getByRole('checkbox')
  await expect(rows.nth(count - 1)).toBeVisible()
  for (let place = 0; place < count; place += 1) await rows.nth(place).click()
  await expect(page.getByRole('region', { name: 'Selected rooms' })).toContainText(`${count} rooms selected`)
}
const job = (page: Page) => page.getByRole('region', { name: /^Details of Reboot 8 rooms/ })

test('eight rooms are planned, confirmed, rebooted once each and watched; quitting asks, and after a restart the job waits for its technician', async () => {
  let { page } = program
  await chooseRooms(page, 8)
  await page.getByRole('button', { name: 'Reboot…' }).click()
  const plan = page.getByRole('dialog', { name: 'Reboot 8 rooms' })
  await expect(plan.getByText(/^Reboots \d+ devices in 8 rooms\./)).toBeVisible()
  await expect(plan.getByText(/^\d+ calls, /)).toBeVisible()
  expect(await arrivals('RebootRoom')).toBe(0)

  await expect(plan.getByLabel('Type 8 to start')).toBeFocused()
  await plan.getByRole('button', { name: 'One room first' }).click()
  await plan.getByRole('button', { name: 'Choose which…' }).click()
  const chosen = plan.getByRole('rowgroup').getByRole('row').nth(2).getByRole('gridcell').first()
  const name = await chosen.innerText()
  await chosen.click()
  await plan.getByRole('button', { name: 'Try this one first' }).click()
  await expect(plan.getByText(`First ${name}`)).toBeVisible()
  const start = plan.getByRole('button', { name: 'Unlock and reboot 8 rooms' })
  const number = plan.getByLabel('Type 8 to start')
  await number.fill('7')
  await number.press('Enter')
  await expect(start).toBeDisabled()
  await expect(plan.getByText('That is not 8.')).toBeVisible()
  await number.fill('8')
  await answerWith(program.app, 'No')
  await start.click()
  await expect(plan.getByRole('alert')).toContainText('Actions are locked')
  expect([(await lastQuestion(program.app))?.[0], await arrivals('RebootRoom')]).toEqual([
    'Reboot 8 rooms of Nordlys A/S?',
    0,
  ])
  await answerWith(program.app, 'Start')
  await passTenSeconds(program.app)
  await number.press('Enter')
  await page.getByRole('button', { name: 'Show job' }).click()
  await expect(job(page).getByText('1 in progress, 7 waiting')).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: /Reboot 8 rooms/ })).toBeVisible()
  expect(await arrivals('RebootRoom')).toBe(1)

  await answerWith(program.app, 'Keep running')
  await program.app.evaluate(({ app }) => app.quit())
  await expect
    .poll(() => lastQuestion(program.app))
    .toEqual([
      'A job is running.',
      'Actions in progress finish or are marked as unknown. The rest is paused until you resume it.',
    ])
  await expect(job(page)).toBeVisible()

  await answerWith(program.app, 'Quit')
  const ended = once(program.app.process(), 'exit')
  await program.app.evaluate(({ app }) => app.quit()).catch(() => undefined)
  await ended
  expect(program.pageErrors).toEqual([])

  program = await startProgram(home)
  page = program.page
  await goTo(page, 'Jobs')
  await page.getByRole('navigation', { name: 'Jobs' }).getByText('Reboot 8 rooms').click()
  await expect(job(page).getByText('Paused', { exact: true })).toBeVisible()
  expect(await arrivals('RebootRoom')).toBe(1)
  await answerWith(program.app, 'Start')
  await job(page).getByRole('button', { name: 'Unlock and resume' }).click()
  await expect(job(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  // No other reboot is sent before the first room is back, and items that were not sent are never sent after
  // cancelling.
  await job(page).getByRole('button', { name: 'Cancel job…' }).click()
  await page
    .getByRole('dialog', { name: 'Cancel “Reboot 8 rooms”?' })
    .getByRole('button', { name: 'Cancel the job' })
    .click()
  // The first reboot was accepted, and its watch ended with the job.
  await expect(job(page).getByText('7 not sent', { exact: true })).toBeVisible()
  expect(await arrivals('RebootRoom')).toBe(1)
  expect(program.pageErrors).toEqual([])
})
