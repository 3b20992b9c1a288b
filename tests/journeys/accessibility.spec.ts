import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test, type Page } from '@playwright/test'
import { closeOverlay, openOverlay, overlays } from './dialogs.ts'
import { openPage, pages } from './pages.ts'
import { connect, expectCount, newHome, startProgram, startService, type Home, type Program, type Service } from './program.ts'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

let home: Home
let program: Program
let service: Service | null = null

test.beforeEach(async () => {
  home = newHome()
  service = null
})
test.afterEach(async () => {
  await program.close()
  await service?.end()
  home.remove()
})

/** Every violation axe finds on the page as it stands, short enough to read in a failure. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<{ violations: readonly Violation[] }>('axe.run()')
  return found.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)
}
const wear = (page: Page, theme: Theme): Promise<string> => page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme)
/** Colours on their way from one theme to the other are no one's choice. */
const settled = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.getAnimations().filter((one) => one instanceof CSSTransition).length)).toBe(0)
/** In both themes; `what` names the state in a failure. */
async function expectNone(page: Page, what: string): Promise<void> {
  for (const theme of themes) {
    await wear(page, theme)
    await settled(page)
    expect([what, theme, await violations(page)]).toEqual([what, theme, []])
  }
}
async function openDemonstration(): Promise<Page> {
  program = await startProgram(home)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(page, 'Devices', 1200)
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  return page
}

test('axe finds nothing on any page, light and dark', async () => {
  test.setTimeout(300_000)
  program = await startProgram(home)
  await expectNone(program.page, 'welcome')
  await program.close()
  const page = await openDemonstration()
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
  expect(program.pageErrors).toEqual([])
})

test('axe finds nothing in the drawers and pages of a device and a room, on none of their tabs', async () => {
  test.setTimeout(300_000)
  const page = await openDemonstration()
  for (const [address, whole] of [
    ['devices', 'device'],
    ['rooms', 'room'],
  ] as const) {
    await openPage(page, address, '[role="gridcell"]')
    await page.getByRole('grid').getByRole('row').nth(2).click()
    const drawer = page.getByRole('complementary', { name: /^Details of/ })
    await expect(drawer).toBeVisible()
    const opened = await page.evaluate(() => location.hash.split('/')[2]!.split('?')[0]!)
    for (const tab of await drawer.getByRole('tab').all()) {
      await tab.click()
      await expectNone(page, `${address}, ${await tab.innerText()}`)
    }
    await openPage(page, `${whole}/${opened}`, 'main [role="tab"]')
    await expectNone(page, `${whole} as a page`)
  }
  expect(program.pageErrors).toEqual([])
})

test('axe finds nothing in any dialog, menu or list that lies over a page', async () => {
  test.setTimeout(300_000)
  const page = await openDemonstration()
  for (const overlay of overlays) {
    const opened = await openOverlay(page, overlay)
    await expectNone(page, overlay.name)
    await closeOverlay(page, opened)
  }
  expect(program.pageErrors).toEqual([])
})

test('axe finds nothing where there is nothing at all, and without network', async () => {
  test.setTimeout(300_000)
  service = await startService('--devices', '0', '--rooms', '0')
  program = await startProgram(home, { HEADROOM_KEY: service.key })
  const { page } = program
  await connect(page, service, 'Empty A/S')
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  for (const address of ['overview', 'rooms', 'devices', 'changes', 'journal']) {
    await openPage(page, address)
    await expectNone(page, `${address}, nothing there`)
  }
  await service.end()
  await page.keyboard.press('F5')
  await expect(page.getByText(/^Offline/).first()).toBeVisible()
  await openPage(page, 'devices')
  await expectNone(page, 'offline, nothing known')
})

test('axe finds nothing where nothing matches and where a filter cannot be read', async () => {
  test.setTimeout(300_000)
  const page = await openDemonstration()
  for (const [address, filter, said] of [
    ['devices', 'zzzz-nothing ', /No device matches/],
    ['rooms', 'zzzz-nothing ', /No room matches/],
    ['changes', 'zzzz-nothing ', /No change matches/],
    ['devices', 'status:purple fw:<x ', /Did you mean|is neither a version/],
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

test('axe finds nothing during the first sync and after it failed', async () => {
  test.setTimeout(300_000)
  service = await startService('--devices', '20000', '--latency', '400')
  program = await startProgram(home, { HEADROOM_KEY: service.key })
  const { page } = program
  await connect(page, service, 'Slow A/S')
  for (const address of ['overview', 'devices', 'rooms', 'changes']) {
    await openPage(page, address)
    await expectNone(page, `${address}, first sync`)
  }
  await service.end()
  await expect(page.getByText(/^Offline/).first()).toBeVisible({ timeout: 60_000 })
  for (const address of ['overview', 'devices', 'rooms']) {
    await openPage(page, address)
    await expectNone(page, `${address}, sync broke off`)
  }
})

test('whoever asked for less motion gets none: no animation or transition lasts longer than a millisecond', async () => {
  const page = await openDemonstration()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = (): Promise<string[]> =>
    page.evaluate(() => {
      const longest = (times: string): number => Math.max(...times.split(',').map((time) => parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)))
      return [...document.querySelectorAll('*')].flatMap((element) =>
        [null, '::before', '::after'].flatMap((pseudo) => {
          const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, pseudo)
          const lasts = Math.max(animationName === 'none' ? 0 : longest(animationDuration), longest(transitionDuration))
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
})
