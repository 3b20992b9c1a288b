import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { shellMode } from '../stand-in/shell.ts'
import { coreBehind, valueOf } from './core-behind.ts'
import { saveTo } from './desktop-answers.ts'
import { openPage, pageOfOne, pages } from './pages.ts'
import {
  connect,
  expectCount,
  goTo,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'
import { daysPass } from './service-switches.ts'

const MONTH_IN_MS = 30 * 86_400_000

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '300', '--rooms', '18')
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

/** A Node with a clock that is ahead, for the stand-in to run the program with; Playwright removes NODE_OPTIONS. */
function nodeAhead(): string {
  const script = join(home.folder, 'node-ahead')
  writeFileSync(
    script,
    `#!/bin/sh\nexec '${process.execPath}' --import '${join(import.meta.dirname, 'clock-ahead.mjs')}' "$@"\n`,
  )
  chmodSync(script, 0o755)
  return script
}

test.skip(
  shellMode !== 'stand-in' || process.platform === 'win32',
  'only the stand-in’s clock can be moved, and by a shell script',
)
test('on a site visit without a network, 30 days after the last sync, everything read is there, with its age, and nothing fails', async () => {
  program = await startProgram(home)
  const before = program.page
  await connect(before, service, 'Nordlys A/S')
  await expectCount(before, 'devices', 300)
  await expect(before.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  // In a single day of 300 devices there may be no change that counts.
  await daysPass(service, 7)
  await before.keyboard.press('F5')
  await expect(before.getByRole('link', { name: /^[1-9][\d,]* changes?$/ })).toBeVisible()
  await expect(before.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  await openPage(before, 'devices', '.grid-row .mark')
  await before.keyboard.press('/')
  // Of a product with release notes.
  await before.keyboard.type('fw:behind product:"Evolve2 65" ')
  await before.keyboard.press('Enter')
  const grid = before.getByRole('grid', { name: 'Devices' })
  await expect(before.getByText(/^\d+ of 300/).first()).toBeVisible()
  await grid.getByRole('row').nth(2).click()
  await expect(before.getByRole('complementary').getByRole('button', { name: /Copy link/ })).toBeVisible()
  const address = await before.evaluate(() => location.hash)
  // The fleet's data is prefetched: notes, definitions and pictures come after the firmware.
  const core = coreBehind(program.page)
  let [documents, pictures] = [0, 0]
  await expect
    .poll(
      async () => {
        const last = documents + pictures
        documents = (await valueOf(core.metadata.cacheSize())).documents
        pictures = (await valueOf(core.pictures.list())).length
        return pictures > 0 && documents + pictures === last
      },
      { intervals: [1_500] },
    )
    .toBe(true)
  expect(program.pageErrors).toEqual([])
  await program.close()
  await service.end()

  // A month later, without a network.
  program = await startProgram(home, {
    STANDIN_NODE: nodeAhead(),
    HEADROOM_JOURNEY_AHEAD_MS: String(MONTH_IN_MS),
  })
  const { page } = program
  await page.clock.setSystemTime(Date.now() + MONTH_IN_MS)
  await expect(page.getByText(/^Offline/).first()).toBeVisible()
  await goTo(page, 'Overview')
  await expectCount(page, 'devices', 300)
  await expectCount(page, 'rooms', 18)
  for (const [name, there] of pages) {
    await openPage(page, name, there)
    await expect(page.getByRole('main').getByText(/Something went wrong in Headroom/)).toHaveCount(0)
  }
  await expect(
    page
      .getByRole('contentinfo')
      .getByText(/30 d|month|4 w/)
      .first(),
  ).toBeVisible()

  await openPage(page, 'overview', 'main section h2')
  await expect(page.getByRole('link', { name: '300 devices were read over 24 h ago' })).toBeVisible()

  // The device as it was a month ago: all tabs, its link with its age, and the release notes.
  await page.evaluate((hash) => (location.hash = hash), address)
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('button', { name: /Copy link/ }).click()
  await expect.poll(() => program.clipboard()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//)
  for (const tab of await drawer.getByRole('tab').all()) {
    await tab.click()
    await expect(drawer.getByRole('tabpanel')).not.toBeEmpty()
  }
  await drawer.getByRole('tab', { name: 'Overview' }).click()
  await drawer.getByRole('link', { name: 'Release notes' }).click()
  await expect(page.getByRole('heading', { name: 'Release notes', level: 1 })).toBeVisible()
  await expect(page.getByRole('article').first()).toContainText(/^\d+\.\d+/)
  await page.getByRole('tab', { name: /^Links/ }).click()
  await expect(page.getByText(/www\.jabra\.com/).first()).toBeVisible()
  await goTo(page, 'Definitions')
  await expect(page.getByText(/Uses definitions 14\.5\.0/)).toBeVisible()

  // A room in its drawer and on its own page.
  await openPage(page, 'rooms', '[role="gridcell"]')
  await page.getByRole('grid').getByRole('row').nth(2).click()
  const room = await page.evaluate(() => location.hash.split('/')[2]!.split('?')[0]!)
  await expect(
    page
      .getByRole('complementary', { name: /^Details of/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await openPage(page, `room/${room}`, pageOfOne)

  // The changes before that month, and the fleet as a file.
  await openPage(page, 'changes?where=&span=all', 'main h2')
  await page
    .locator('main')
    .getByRole('button', { expanded: false })
    .filter({ hasText: /device|room/ })
    .first()
    .click()
  await expect(page.locator('main .row').first()).toBeVisible()
  await openPage(page, 'devices', '.grid-row .mark')
  if (await page.getByRole('button', { name: 'Clear filter', exact: true }).isVisible())
    await page.getByRole('button', { name: 'Clear filter', exact: true }).click()
  const file = join(home.folder, 'fleet.csv')
  await saveTo(program.app, file)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('dialog', { name: 'Export devices' }).getByRole('radio', { name: 'CSV' }).check()
  await page.getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText(/fleet\.csv written: 300 rows/).first()).toBeVisible()
  expect(readFileSync(file, 'utf8').trimEnd().split('\r\n')).toHaveLength(302)

  // Pictures come from the cache.
  await expect
    .poll(() =>
      page
        .locator('.grid-row .picture')
        .evaluateAll((all) =>
          all.some((one) => getComputedStyle(one).backgroundImage.startsWith('url("data:image/')),
        ),
    )
    .toBe(true)

  // Tags, lists and views work without a network as well.
  await page.getByRole('grid', { name: 'Devices' }).getByRole('row').nth(2).click()
  await drawer.getByLabel('Add a tag').fill('visited')
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('button', { name: 'Remove visited' })).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
