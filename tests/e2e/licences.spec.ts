import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

test('the licences of all dependencies are readable in the program, which opens and closes them by keyboard', async ({
  demonstration: page,
}) => {
  await openPage(page, 'preferences/about', '#preferences-about')
  await page.getByRole('button', { name: 'Licences…' }).focus()
  await page.keyboard.press('Enter')
  const notices = page.getByRole('dialog', { name: 'Third-party licences' })
  for (const name of ['vue', 'pinia', 'reka-ui', 'zod'])
    await expect(notices.getByRole('region')).toContainText(new RegExp(`^${name} \\d`, 'm'))
  await page.keyboard.press('Escape')
  await expect(notices).toBeHidden()
})
