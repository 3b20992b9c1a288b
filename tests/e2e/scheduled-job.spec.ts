import { once } from 'node:events'
import { expect, test } from '@playwright/test'
import { answerWith, lastQuestion } from './desktop-answers.ts'
import { openWholeRoom } from './pages.ts'
import { goTo, startProgram, startSynced, type Home, type Program, type Service } from './program.ts'
import { arrivalsOf } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(100, 12))
})
test.afterEach(async () => {
  await answerWith(program.app, 'Quit')
  await program.close()
  await service.end()
  home.remove()
})

test('a room is scheduled for tomorrow: quitting warns, the next start reports that it needs unlocking, and one click arms it', async () => {
  let { page } = program
  const room = await openWholeRoom(page)
  const name = await room.getByRole('heading', { level: 2 }).innerText()
  await room.getByRole('button', { name: 'Reboot room…' }).click()
  const plan = page.getByRole('dialog', { name: `Reboot ${name}` })
  await plan.getByRole('button', { name: 'At a time' }).click()
  await plan.getByLabel('Start day').selectOption({ label: 'Tomorrow' })
  await plan.getByLabel('Start time').fill('22:00')
  await expect(plan.getByText(/^from \d+ \w+ \d+ 22:00 \(\w+\/\w+\)$/)).toBeVisible()
  await plan.getByRole('button', { name: /^Unlock and reboot 1 room at / }).click()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: `Reboot ${name}` })).toBeVisible()

  await answerWith(program.app, 'Keep running')
  await program.app.evaluate(({ app }) => app.quit())
  await expect
    .poll(() => lastQuestion(program.app))
    .toEqual(['A job is scheduled.', expect.stringContaining(`Reboot ${name}: `)])
  await answerWith(program.app, 'Quit')
  const ended = once(program.app.process(), 'exit')
  await program.app.evaluate(({ app }) => app.quit()).catch(() => undefined)
  await ended

  program = await startProgram(home)
  page = program.page
  const bar = page.getByRole('contentinfo')
  await expect(bar.getByText(`Reboot ${name}: Scheduled, needs unlocking`)).toBeVisible()
  await goTo(page, 'Jobs')
  await page.getByRole('navigation', { name: 'Jobs' }).getByText(`Reboot ${name}`).click()
  const job = page.getByRole('region', { name: `Details of Reboot ${name}` })
  await expect(job.getByText('Scheduled, needs unlocking')).toBeVisible()
  await job.getByRole('button', { name: 'Unlock and run as scheduled' }).click()
  await expect(job.getByText('Waiting', { exact: true })).toBeVisible()
  expect(await arrivalsOf(service, 'RebootRoom')).toBe(0)
  expect(program.pageErrors).toEqual([])
})
