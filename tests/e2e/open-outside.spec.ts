import type { ElectronApplication } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { coreBehind } from './core-behind.ts'
import { answerWith, lastQuestion } from './desktop-answers.ts'
import { openPage } from './pages.ts'
import { expectCount, newHome, smallDemonstration, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeAll(async () => {
  home = newHome()
  program = await startProgram(home, smallDemonstration)
  await program.page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(program.page, 'devices', 60)
  await keepOpened(program.app)
})
test.afterAll(async () => {
  await program.close()
  home.remove()
})

/** Records the addresses that would be opened in the system's browser. */
const keepOpened = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { openedOutside: opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
const opened = (): Promise<readonly string[]> =>
  program.app.evaluate(() => (globalThis as unknown as { openedOutside: readonly string[] }).openedOutside)
const forgetQuestion = (): Promise<void> =>
  program.app.evaluate(() => void Object.assign(globalThis, { askedOfTechnician: null }))

test('the main process decides about links: no http of another host, no other port, no other scheme', async () => {
  const { page, app } = program
  await answerWith(app, 'Open')
  const core = coreBehind(page)
  const urls = [
    'http://example.com/',
    'http://127.0.0.1:9/',
    'http://localhost/',
    'file:///etc/passwd',
    'https://a:b@example.com/',
    'javascript:alert(1)',
  ]
  const asked: unknown[] = []
  for (const url of urls) asked.push(await core.app.openOutside({ url }))
  const refused = urls.map(() => ({
    ok: false,
    failure: expect.objectContaining({ field: 'url' }) as object,
  }))
  expect([asked, await opened(), await lastQuestion(app)]).toEqual([refused, [], null])
})

test('links of the demonstration open from every page once its host was allowed, and Connections lists it', async () => {
  const { page, app } = program
  await openPage(page, 'firmware/2830/9395', 'main aside h2')
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More about this product' }).click()
    await page.getByRole('menuitem', { name: 'Open in browser' }).click()
  }
  await answerWith(app, 'Stay here')
  await open()
  await expect
    .poll(() => lastQuestion(app))
    .toEqual([
      expect.stringMatching(/^Open an address at 127\.0\.0\.1:\d+ in the browser\?$/),
      expect.stringContaining('http://127.0.0.1:'),
    ])
  expect(await opened()).toEqual([])

  await answerWith(app, 'Open')
  await open()
  await expect.poll(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\//)])

  await forgetQuestion()
  await openPage(page, 'recovery/16464', 'main input')
  await page.getByRole('button', { name: 'Open link' }).click()
  await expect.poll(async () => (await opened()).length).toBe(2)
  await openPage(page, 'devices', '.grid-row .mark')
  await page.locator('.grid-row .mark').first().click()
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('button', { name: 'Open link', exact: true }).first().click()
  await expect.poll(async () => (await opened()).length).toBe(3)
  expect([(await opened())[2], await lastQuestion(app)]).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\//),
    null,
  ])

  await openPage(page, 'preferences/connections', '#preferences-connections tbody tr')
  const listed = page.locator('#preferences-connections tbody')
  await expect(listed.locator('th').filter({ hasText: '127.0.0.1' })).toHaveCount(1)
  await expect(listed.getByRole('row').filter({ hasText: 'in your browser' })).toContainText('3')
  expect(program.pageErrors).toEqual([])
})
