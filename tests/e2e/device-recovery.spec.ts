import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { goTo } from './program.ts'

test('a device in recovery mode is recognised by its USB id, with the firmware that recovers it', async ({
  demonstration: page,
  shared,
}) => {
  await goTo(page, 'Device recovery')
  await page.getByLabel('USB ID').fill('VID_0B0E&PID_4050')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Firmware 4\.1\.3 restores/)).toBeVisible()
  await page.getByRole('button', { name: /Copy link/ }).click()
  await expect.poll(() => shared.clipboard()).toMatch(/Jabra_Engage_50_II_4\.1\.3\.zip/)
})
