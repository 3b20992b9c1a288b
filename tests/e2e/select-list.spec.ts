import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

test('the list of a field opens and chooses by keyboard, and Esc closes it without the dialog around it', async ({
  demonstration: page,
}) => {
  await openPage(page, 'devices', '.grid-row .mark')
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  const field = dialog.getByRole('combobox').last()
  const isOpen = (): Promise<boolean> => field.evaluate((element) => element.matches(':open'))
  const before = await field.inputValue()
  await field.focus()
  await page.keyboard.press('Space')
  await expect.poll(isOpen).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(isOpen).toBe(false)
  await expect(dialog).toBeVisible()
  await expect(field).toBeFocused()

  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(isOpen).toBe(false)
  expect(await field.inputValue()).not.toBe(before)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
