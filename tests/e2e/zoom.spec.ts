import { expect, type CDPSession, type Page } from '@playwright/test'
import { test } from './demonstration.ts'
import { closeOverlay, openOverlay, overlays } from './dialogs.ts'
import { openPage, pages } from './pages.ts'

test.describe.configure({ mode: 'parallel' })

/** A window of 1280×720 at `zoom`, as with Ctrl+Plus: fewer CSS pixels, drawn larger. */
async function zoomTo(page: Page, zoom: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 1280 / zoom,
    height: 720 / zoom,
    deviceScaleFactor: zoom,
    mobile: false,
  })
  await expect
    .poll(() => page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]))
    .toEqual([1280 / zoom, 720 / zoom, zoom])
  return session
}

/**
 * The problems of a page at this size: it scrolls horizontally, or a control cannot be scrolled into view.
 */
const lost = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const wrong: string[] = []
    const root = document.scrollingElement!
    if (root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} wide`)
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((place) => [
      ...place.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, [role="tab"], [role="menuitem"]',
      ),
    ])
    for (const control of controls) {
      if (
        control.closest('[inert], .visually-hidden') ||
        control.classList.contains('visually-hidden') ||
        !control.checkVisibility({ visibilityProperty: true })
      )
        continue
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, top, width, height } = control.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      if (
        hit === null ||
        !(control.contains(hit) || hit.contains(control) || hit.closest('label')?.control === control)
      )
        wrong.push(
          `${control.ariaLabel ?? control.textContent.trim()} at ${Math.round(left)},${Math.round(top)} ${hit ? `under ${hit.tagName}.${hit.className}` : 'out of sight'}`,
        )
    }
    return wrong
  }, within)

for (const [size, zoom] of [
  ['1280×720', 1],
  ['200 % zoom', 2],
] as const)
  test(`at ${size} no page scrolls sideways and every control can be scrolled into view`, async ({
    demonstration: page,
  }) => {
    test.setTimeout(240_000)
    const session = await zoomTo(page, zoom)
    // Proves that the check would find an unreachable control.
    await page.evaluate(() => {
      const away = document.createElement('button')
      away.textContent = 'away'
      Object.assign(away.style, { position: 'fixed', left: '-500px' })
      document.querySelector('main .header')?.append(away)
    })
    expect(await lost(page, 'main .header')).toEqual([expect.stringMatching(/^away at -/)])
    await page.getByText('away', { exact: true }).evaluate((away) => away.remove())
    for (const [address, there] of pages) {
      await openPage(page, address, there)
      expect([
        address,
        await lost(page, 'main .header, main .toolbar, nav, [role="contentinfo"], footer'),
      ]).toEqual([address, []])
    }
    for (const overlay of overlays) {
      const opened = await openOverlay(page, overlay)
      expect([overlay.name, await lost(page, '.dialog-box')]).toEqual([overlay.name, []])
      await closeOverlay(page, opened)
    }
    // A drawer with all its tabs.
    await openPage(page, 'devices', '.grid-row .mark')
    await page.getByRole('grid', { name: 'Devices' }).getByRole('row').nth(2).click()
    const drawer = page.getByRole('complementary', { name: /^Details of/ })
    for (const tab of await drawer.getByRole('tab').all()) {
      await tab.click()
      expect([await tab.innerText(), await lost(page, 'aside')]).toEqual([await tab.innerText(), []])
    }
    // The size belongs to the session, so it is restored for the next test.
    await session.detach()
  })
