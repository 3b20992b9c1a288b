import { expect, test } from '@playwright/test'
import { expectLanded, newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

test('the definition version is held at the installed package, and at the organization’s own ceiling when it has one', async () => {
  program = await startProgram(home)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Definitions' }).click()
  await expect(page.getByText('Version in use 14.5.0 — schema 1.11.0')).toBeVisible()
  await expect(
    page.getByText(
      /The service's latest is 14\.6\.0 \(schema 1\.12\.0\)\. Held at the installed package's 14\.5\.0/,
    ),
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

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('Advanced').click()
  await page.getByRole('textbox', { name: /^Definition ceiling/ }).fill('14.3.0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Definitions' }).click()
  await expect(page.getByText(/Held at 14\.3\.0, the ceiling set for this organization/)).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
