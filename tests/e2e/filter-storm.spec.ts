import { expect, test, type Locator } from '@playwright/test'
import { coreBehind, valueOf } from './core-behind.ts'
import { openPage } from './pages.ts'
import { expectCount, expectLanded, newHome, startProgram, type Home, type Program } from './program.ts'

/** `npm run bench filter-storm` uses 100,000. */
const DEVICES = Number(process.env['HEADROOM_STORM_DEVICES'] ?? 10_000)
/** The first sync takes about as long as the changes. */
const LATENCY_IN_MS = Math.round(1_000_000 / DEVICES)
const all = DEVICES.toLocaleString('en-US')

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home, {
    HEADROOM_DEMONSTRATION: `--devices ${DEVICES} --rooms 700 --latency ${LATENCY_IN_MS}`,
  })
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

/** The core's own counts, without the user interface. */
const counted = async (where: string): Promise<number> =>
  (await valueOf(coreBehind(program.page).devices.slice({ where, sort: [], start: 0, count: 1 }))).total

test(`while ${all} devices are read for the first time, filters, orders, drawers and selections change quickly, and the final state is right`, async () => {
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await openPage(page, 'devices', '.grid-row .mark')
  const grid = page.getByRole('grid', { name: 'Devices' })
  const note = page.locator('main .header .note')
  const chosen = page.getByRole('region', { name: 'Selected devices' })
  const clear = page.getByRole('button', { name: 'Clear filter', exact: true }).first()
  await expect(page.getByRole('button', { name: 'Stop sync' })).toBeVisible()
  const type = async (filter: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Filter devices' }).click()
    await page.keyboard.type(filter)
    await page.keyboard.press('Enter')
  }
  const press = async (what: Locator): Promise<void> => {
    if (await what.isVisible())
      await what.click({ position: { x: 12, y: 12 }, timeout: 2_000 }).catch(() => undefined)
  }

  const filters = [
    'status:online ',
    'fw:behind ',
    'age:>7d ',
    'evolve ',
    'room:a ',
    '!tag:loan status:offline ',
    'product:"Evolve2 65" fw:<9 ',
    'os:windows ',
  ]
  // Each filter is used once, and again for every 10,000 further devices.
  const rounds = filters.length * Math.ceil(DEVICES / 10_000)
  for (let round = 0; round < rounds; round++) {
    await type(filters[round % filters.length]!)
    // Before the response: another order, a row opened and closed, everything selected and cleared. Without
    // matches there is nothing to click.
    await press(grid.getByRole('columnheader', { name: round % 2 === 0 ? /^Serial/ : /^User or room/ }))
    if (round % 3 === 0) {
      await press(grid.getByRole('row').nth(2))
      await page.keyboard.press('Escape')
    }
    if (round % 4 === 1) {
      await press(page.getByRole('checkbox', { name: 'Select all that match' }))
      await press(page.getByRole('checkbox', { name: 'Select all that match' }))
    }
    if (await clear.isVisible()) await clear.click()
  }
  await expectCount(page, 'devices', DEVICES)
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()

  await page.keyboard.press('Escape')
  if (await chosen.isVisible()) await chosen.getByRole('button', { name: /^Clear/ }).click()
  for (const filter of filters) {
    await type(filter)
    await expect
      .poll(async () => [filter, await note.innerText()])
      .toEqual([
        filter,
        expect.stringContaining(`${(await counted(filter.trim())).toLocaleString('en-US')} of ${all}`),
      ])
    await clear.click()
  }

  await type('status:online ')
  const online = await counted('status:online')
  await expect(note).toContainText(`${online.toLocaleString('en-US')} of ${all}`)
  await page.getByRole('checkbox', { name: 'Select all that match' }).click()
  await expect(chosen.getByText(`${online.toLocaleString('en-US')} selected`)).toBeVisible()
  await grid.getByRole('row').nth(1).getByRole('checkbox').click()
  await expect(chosen.getByText(`${(online - 1).toLocaleString('en-US')} selected`)).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
