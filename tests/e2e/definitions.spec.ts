import { expect, test } from '@playwright/test'
import { test as readOnly } from './demonstration.ts'
import { expectLanded, goTo, newHome, smallDemonstration, startProgram } from './program.ts'

test('the definition version is limited to the installed package, or to the definition limit of the organization', async () => {
  const home = newHome()
  const program = await startProgram(home, smallDemonstration)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await goTo(page, 'Definitions')
  await expect(page.getByText('Uses definitions 14.5.0 (schema 1.11.0)')).toBeVisible()
  await expect(
    page.getByText(/the highest supported\. The service has 14\.6\.0 \(schema 1\.12\.0\)/),
  ).toBeVisible()

  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /Search/ }))
    .first()
    .fill('0x24B3')
  await page
    .getByRole('option', { name: /Evolve2 65/ })
    .or(page.getByRole('link', { name: /Evolve2 65/ }))
    .first()
    .click()
  await expect(page.getByRole('tab', { name: /Properties/ })).toBeVisible()
  await expect(page.getByText(/\d+ properties/)).toBeVisible()

  await goTo(page, 'Organizations')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('Advanced').click()
  await page.getByRole('textbox', { name: /^Highest definition version/ }).fill('14.3.0')
  await page.getByRole('button', { name: 'Save' }).click()
  await goTo(page, 'Definitions')
  await expect(
    page.getByText(/Uses definitions 14\.3\.0 \(schema .*\), the limit of this organization/),
  ).toBeVisible()
  expect(program.pageErrors).toEqual([])
  await program.close()
  home.remove()
})

readOnly(
  'two firmware versions are compared by keyboard, and the equal settings are shown on request',
  async ({ demonstration: page }) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('compare')
    await page.keyboard.press('Enter')
    const first = page.getByRole('group', { name: 'From', exact: true })
    await expect(first.getByLabel('Product').getByRole('option', { name: /0x24B3/ })).toBeAttached()
    for (const [side, version] of [
      [first, '2.7.2'],
      [page.getByRole('group', { name: 'To', exact: true }), '2.9.2'],
    ] as const) {
      await side.getByLabel('Product').selectOption('2830/9395')
      await side.getByLabel('Firmware').fill(version)
    }
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^[1-9]\d* added · [1-9]\d* changed · [1-9]\d* removed$/)).toBeVisible()
    const grid = page.getByRole('grid', { name: 'Differences' })
    await expect(grid.getByRole('gridcell', { name: 'Added' }).first()).toBeVisible()
    await page.getByRole('button', { name: /^\d+ equal$/ }).press('Enter')
    await expect(page.getByRole('button', { name: /^\d+ equal$/, pressed: true })).toBeVisible()
  },
)
