import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from '@playwright/test'
import { expectCount, newHome, startProgram, type Home, type Program } from './program.ts'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home)
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

/** Every violation axe finds on the page as it stands, short enough to read in a failure. */
async function violations(): Promise<string[]> {
  await program.page.evaluate(axe)
  const found = await program.page.evaluate<{ violations: readonly Violation[] }>('axe.run()')
  return found.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)
}

test('axe finds nothing on any page, light and dark, with the drawer open and without', async () => {
  const { page } = program
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(page, 'Devices', 1200)
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme)
    for (const [link, opens] of [
      ['Rooms', () => page.getByRole('grid').getByRole('row').nth(3).click()],
      ['Devices', () => page.getByRole('grid').getByRole('row').nth(3).click()],
      ['Firmware', () => page.getByRole('option').nth(2).click()],
      ['Definitions', null],
      ['Release notes', null],
      ['Journal', null],
      ['Recovery desk', null],
      ['Telemetry', null],
      ['Explorer', () => page.getByRole('option').nth(2).click()],
      ['Organizations', null],
    ] as const) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click()
      await expect(page.getByRole('heading', { name: link, level: 1 })).toBeVisible()
      expect([theme, link, await violations()]).toEqual([theme, link, []])
      if (opens === null) continue
      await opens()
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
      expect([theme, link, 'opened', await violations()]).toEqual([theme, link, 'opened', []])
    }
  }
  expect(program.pageErrors).toEqual([])
})
