import { expect } from '@playwright/test'
import { coreBehind, valueOf } from './core-behind.ts'
import { test } from './demonstration.ts'
import { answerWith } from './desktop-answers.ts'
import { holdAnswer, holding } from './held-answers.ts'
import { openPage } from './pages.ts'
import { expectCount, expectLanded, goTo, newHome, smallDemonstration, startProgram } from './program.ts'

test('late rows of the previous list do not change the count after the filter changed', async ({
  demonstration: page,
  shared,
}) => {
  await openPage(page, 'devices', '.grid-row .mark')
  const note = page.locator('main .header .note')
  await expect(note).toContainText('1,200 devices')
  const further = await holdAnswer(shared, 'devices.slice', '"start":1150')
  await page.getByRole('grid', { name: 'Devices' }).getByRole('row').nth(3).click()
  await page.keyboard.press('Control+End')
  await further.taken()

  await page.getByRole('combobox', { name: 'Filter devices' }).click()
  await page.keyboard.type('status:offline ')
  await page.keyboard.press('Enter')
  const some = /^\d{1,3} of 1,200/
  await expect(note).toContainText(some)
  await further.release()
  expect(await note.innerText()).toMatch(some)
})

test('late rows of a range are not selected after the selection was cleared', async ({
  demonstration: page,
  shared,
}) => {
  await openPage(page, 'devices', '.grid-row .mark')
  const boxes = page.getByRole('grid', { name: 'Devices' }).getByRole('rowgroup').getByRole('checkbox')
  const chosen = page.getByRole('region', { name: 'Selected devices' })
  await boxes.nth(1).click()
  await expect(chosen).toContainText('1 selected')
  const range = await holdAnswer(shared, 'devices.slice', '"count":5')
  await boxes.nth(5).click({ modifiers: ['Shift'] })
  await range.taken()

  await chosen.getByRole('button', { name: /^Clear/ }).click()
  await expect(chosen).toBeHidden()
  await range.release()
  await expect(chosen).toBeHidden()
  await expect(boxes.and(page.locator(':checked'))).toHaveCount(0)
})

test('late jobs of one organization are not shown for another that was selected meanwhile', async () => {
  const home = newHome()
  const program = await startProgram(home, smallDemonstration, holding)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await expectCount(page, 'devices', 60)
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  const terms = { startAt: Date.now() + 3_600_000, window: null, keepTrying: false, canary: false }
  const selection = { kind: 'matching', where: 'online:>1', except: [] } as const
  const core = coreBehind(page)
  const plan = await valueOf(
    core.jobs.plan({ work: { kind: 'reboot-rooms', of: 'rooms', selection }, ...terms }),
  )
  await answerWith(program.app, 'Start')
  const job = await valueOf(core.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber }))
  const strip = page.getByRole('contentinfo').getByRole('link', { name: /^Reboot \d+ rooms/ })
  await expect(strip).toBeVisible()

  const jobs = await holdAnswer(program, 'jobs.list')
  await valueOf(core.jobs.pause({ id: job.id }))
  await jobs.taken()
  const { presets } = await valueOf(core.organizations.list())
  await valueOf(
    core.organizations.add({
      ...presets.find(({ name }) => name === 'custom')!.draft,
      name: 'Nordlys A/S',
      managementUrl: 'https://nordlys.invalid',
      metadataUrl: 'https://nordlys.invalid',
    }),
  )
  await goTo(page, 'Jobs')
  const none = page.getByText('No jobs yet')
  await expect(none).toBeVisible()
  await jobs.release()
  await expect(none).toBeVisible()
  await expect(strip).toBeHidden()
  expect(program.pageErrors).toEqual([])
  await answerWith(program.app, 'Quit')
  await program.close()
  home.remove()
})
