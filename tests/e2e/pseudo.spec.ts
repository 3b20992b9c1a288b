import { expect } from '@playwright/test'
import { clippedControls } from '../renderer/gallery/clipped.ts'
import { test } from './demonstration.ts'

test('with marked letters and 40 % longer text no control of any page is cut, and English returns without a restart', async ({
  demonstration: page,
}) => {
  await page.evaluate(() => (location.hash = '#/preferences'))
  await page.getByRole('radio', { name: 'Pseudo (for translators)' }).check()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^⟦.*⟧$/)
  // Each page, with an element that shows that it is loaded.
  for (const [where, there] of [
    ['overview', 'main section h2'],
    ['rooms', '[role="columnheader"]'],
    ['devices', '.grid-row .mark'],
    ['firmware', 'main .data-grid .picture'],
    ['firmware/2830/9395', 'main aside h2'],
    ['definitions', '[role="option"]'],
    ['definitions?part=compare', 'select option:nth-child(3)'],
    ['definitions?part=telemetry', 'main h2'],
    ['release-notes', '[role="option"]'],
    ['changes', 'h2'],
    ['journal', 'main h1 ~ *, main h2'],
    ['recovery', 'main input'],
    ['explorer', '[role="option"]'],
    ['organizations', 'main h2'],
    ['preferences', '#preferences-tags'],
    ['preferences/connections', '#preferences-connections tbody tr'],
    ['golden-profiles', 'main h2'],
  ] as const) {
    await page.evaluate((name) => (location.hash = `#/${name}`), where)
    await expect(page.locator('main')).toHaveText(/⟦.*⟧/)
    await expect(page.locator(there).first()).toBeAttached()
    await expect.poll(async () => [where, await page.evaluate(clippedControls)]).toEqual([where, []])
  }
  // Proves that the check would find cut text.
  await page.evaluate(() => {
    const narrow = document.createElement('button')
    narrow.textContent = 'cut off'
    Object.assign(narrow.style, { width: '20px', overflow: 'hidden', whiteSpace: 'nowrap', padding: '0' })
    document.querySelector('#page')?.prepend(narrow)
  })
  expect(await page.evaluate(clippedControls)).toEqual(['button. “cut off”'])
  await page.evaluate(() => document.querySelector('#page > button')?.remove())
  await page.evaluate(() => (location.hash = '#/preferences'))
  await page.getByRole('radio', { name: /Éñĝļîšĥ/ }).check()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Preferences')
})
