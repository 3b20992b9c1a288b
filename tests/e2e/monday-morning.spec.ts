import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { coreBehind, valueOf } from './core-behind.ts'
import { test } from './demonstration.ts'
import { saveTo } from './desktop-answers.ts'
import { goTo, newHome, startSynced } from './program.ts'
import { daysPass } from './service-switches.ts'

const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))

test('Monday morning: changes of the weekend by day, headsets that went on and off in one line, marked as seen, and undone', async () => {
  const { home, program, service } = await startSynced(1200, 72)
  const { page } = program
  const core = coreBehind(page)
  const changesLink = page.getByRole('link', { name: /^[1-9][\d,]* changes?$/ })
  await expect(changesLink).toBeHidden()
  await daysPass(service, 2)
  await page.keyboard.press('F5')
  await expect(changesLink).toBeVisible()
  // Joins the running sync.
  await valueOf(core.sync.run())
  await changesLink.click()
  await expect(page.getByRole('heading', { name: 'Changes', level: 1 })).toBeVisible()
  // According to the core, without headsets that went online and offline.
  const changed = (await valueOf(core.overview.get())).changes.total
  await expect(
    page.getByText(new RegExp(`^${changed.toLocaleString('en-US')} changes, none marked as seen yet`)),
  ).toBeVisible()
  const ofDays = (await page.locator('#page h2 .count').allInnerTexts()).map(numberIn)
  expect(ofDays.reduce((sum, one) => sum + one, 0)).toBe(changed)

  const folded = page.getByRole('button', { name: /times personal devices went online or offline/ }).first()
  const size = numberIn(await folded.innerText())
  await folded.click()
  const whole = page.getByRole('button', {
    name: `Show all ${size.toLocaleString('en-US')} as a list`,
  })
  await whole.click()
  await expect(page.getByRole('button', { name: /^Only: / })).toBeVisible()
  const list = page.getByRole('grid', { name: 'Changes, newest first' })
  await expect(list).toHaveAttribute('aria-rowcount', String(size + 1))

  await page.getByRole('button', { name: 'Mark as seen' }).click()
  await expect(page.getByText('Nothing new since you last looked')).toBeVisible()
  await goTo(page, 'Overview')
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
  await expect(changesLink).toBeHidden()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(changesLink).toHaveText(`${changed.toLocaleString('en-US')} changes`)
  expect(program.pageErrors).toEqual([])
  await program.close()
  await service.end()
  home.remove()
})

test('Monday morning: devices behind on firmware are counted, listed and exported, and the file contains the same number', async ({
  demonstration: page,
  shared,
}) => {
  const home = newHome()
  const updatesLink = page.getByRole('link', { name: /devices are behind$/ })
  let behind = 0
  // The catalogue is read after the fleet: the number grows until every product is known.
  await expect(async () => {
    await goTo(page, 'Overview')
    behind = numberIn(await updatesLink.innerText())
    expect(behind).toBeGreaterThan(0)
    await updatesLink.click()
    await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible()
    await expect(page.getByText(`${behind.toLocaleString('en-US')} of 1,200`).first()).toBeVisible({
      timeout: 3_000,
    })
  }).toPass()

  // The same for revoked firmware, with the built-in view; the file is named after the view.
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitemradio', { name: /Firmware behind/ }).click()
  const note = page.locator('header .note')
  await expect(note).not.toHaveText(new RegExp(`^${behind.toLocaleString('en-US')} of`))
  const file = join(home.folder, 'behind.csv')
  await saveTo(shared.app, file)
  const dialog = page.getByRole('dialog', { name: 'Export devices' })
  let shown = 0
  // As above: the counts of the list and of the dialog are equal once every product is known.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    shown = numberIn(await note.innerText())
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await expect(dialog.getByText(`All ${shown} devices that match`)).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await dialog.getByRole('radio', { name: 'CSV' }).check()
  await dialog.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText(new RegExp(`behind\\.csv written: ${shown} rows`)).first()).toBeVisible()

  const [about, head, ...rows] = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  expect(rows).toHaveLength(shown)
  expect(about).toMatch(/Demonstration.*Firmware behind.*fw:behind,revoked.*as of \d{4}-\d\d-\d\dT/)
  expect(head).toMatch(/^User or room,.*Serial number,/)
  home.remove()
})
