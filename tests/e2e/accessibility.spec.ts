import { expect } from '@playwright/test'
import { expectNone, foundBy } from './axe.ts'
import { test } from './demonstration.ts'
import { closeOverlay, openOverlay, overlays } from './dialogs.ts'
import { openPage, pageOfOne, pages } from './pages.ts'

test.describe.configure({ mode: 'parallel' })

test('axe finds nothing on any page, light and dark', async ({ demonstration: page }) => {
  test.setTimeout(300_000)
  for (const [address, there] of pages) {
    await openPage(page, address, there)
    await expectNone(page, address)
  }
  for (const [address, list] of [
    ['firmware', 'option'],
    ['definitions', 'option'],
    ['release-notes', 'option'],
    ['explorer', 'option'],
  ] as const) {
    await openPage(page, address, `[role="${list}"]`)
    await page.getByRole(list).nth(2).click()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expectNone(page, `${address}, one opened`)
  }
})

test('axe would find a button without a name, and faint text in the dark theme only', async ({
  demonstration: page,
}) => {
  await openPage(page, 'telemetry')
  await page.evaluate(() => {
    const style = new CSSStyleSheet()
    style.replaceSync('[data-theme=dark] .faint { color: #333; background: #222 }')
    document.adoptedStyleSheets.push(style)
    const faint = document.createElement('p')
    faint.className = 'faint'
    faint.textContent = 'too faint'
    document.querySelector('main h1')?.parentElement?.append(document.createElement('button'), faint)
  })
  const { light, dark } = await foundBy(page)
  expect([light, dark]).toEqual([
    [expect.stringContaining('button-name')],
    [expect.stringContaining('color-contrast')],
  ])
})

test('axe finds nothing in the drawers and pages of a device and a room, on any tab', async ({
  demonstration: page,
}) => {
  test.setTimeout(300_000)
  for (const [address, whole] of [
    ['devices', 'device'],
    ['rooms', 'room'],
  ] as const) {
    await openPage(page, address, '[role="gridcell"]')
    // The count appears once the list was read.
    await expect(page.locator('main .header .note')).toContainText(/\d/)
    await page.getByRole('grid').getByRole('row').nth(2).click()
    const drawer = page.getByRole('complementary', { name: /^Details of/ })
    await expect(drawer).toBeVisible()
    const opened = await page.evaluate(() => location.hash.split('/')[2]!.split('?')[0]!)
    for (const tab of await drawer.getByRole('tab').all()) {
      await tab.click()
      await expectNone(page, `${address}, ${await tab.innerText()}`)
    }
    await openPage(page, `${whole}/${opened}`, pageOfOne)
    await expectNone(page, `${whole} as a page`)
  }
})

test('axe finds nothing in any dialog, menu or list above a page', async ({ demonstration: page }) => {
  test.setTimeout(300_000)
  for (const overlay of overlays) {
    const opened = await openOverlay(page, overlay)
    await expectNone(page, overlay.name)
    await closeOverlay(page, opened)
  }
})

test('axe finds nothing when nothing matches and when a filter cannot be parsed', async ({
  demonstration: page,
}) => {
  test.setTimeout(300_000)
  for (const [address, filter, said] of [
    ['devices', 'zzzz-nothing ', /No devices match/],
    ['rooms', 'zzzz-nothing ', /No rooms match/],
    ['changes', 'zzzz-nothing ', /No changes match/],
    ['devices', 'status:purple fw:<x ', /Did you mean|is not a version/],
  ] as const) {
    await openPage(page, address)
    await page.locator('main h1').focus()
    await page.keyboard.press('/')
    await page.keyboard.type(filter)
    await expect(page.getByText(said).first()).toBeVisible()
    await expectNone(page, `${address}, ${filter}`)
    await page.getByRole('button', { name: 'Clear filter', exact: true }).first().click()
  }
})

test('with reduced motion no animation or transition lasts longer than a millisecond', async ({
  demonstration: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = (): Promise<string[]> =>
    page.evaluate(() => {
      const longest = (times: string): number =>
        Math.max(
          ...times.split(',').map((time) => parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)),
        )
      return [...document.querySelectorAll('*')].flatMap((element) =>
        [null, '::before', '::after'].flatMap((pseudo) => {
          const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, pseudo)
          const lasts = Math.max(
            animationName === 'none' ? 0 : longest(animationDuration),
            longest(transitionDuration),
          )
          return lasts > 1 ? [`${element.tagName}.${element.className}${pseudo ?? ''} ${lasts} ms`] : []
        }),
      )
    })
  for (const [address, there] of pages) {
    await openPage(page, address, there)
    expect([address, await moving()]).toEqual([address, []])
  }
  for (const overlay of overlays) {
    const opened = await openOverlay(page, overlay)
    expect([overlay.name, await moving()]).toEqual([overlay.name, []])
    await closeOverlay(page, opened)
  }
  await page.keyboard.press('F5')
  expect(await moving()).toEqual([])
  await page.emulateMedia({ reducedMotion: null })
})
