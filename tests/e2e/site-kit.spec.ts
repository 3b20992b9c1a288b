import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, expect, test } from '@playwright/test'
import { standBetween } from '../hostile-service.ts'
import { chooseFolder } from './desktop-answers.ts'
import { openPage } from './pages.ts'
import { connect, newHome, startProgram, startService } from './program.ts'

/** A separate browser, as on the recipient's computer. */
const browserPath = process.env['STANDIN_CHROMIUM'] ?? '/usr/bin/chromium'

test('a kit of a room opens from its folder in a browser: hostile names are text, no script runs, no request is sent, and missing parts are listed', async () => {
  test.skip(!existsSync(browserPath), `there is no browser at ${browserPath}`)
  const home = newHome()
  let connections = 0
  const trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/x`
  const service = await startService('--devices', '20', '--rooms', '4', '--fault', 'link-expired=1')
  const hostile = await standBetween(
    service,
    () =>
      `"></title><script>planted=1</script><img data-planted src="${address}" onerror="planted=1"><iframe data-planted src="${address}"></iframe><meta data-planted http-equiv="refresh" content="0;url=${address}">`,
  )
  const program = await startProgram(home)
  const { app, page } = program
  const folder = join(home.folder, 'kit')
  mkdirSync(folder)
  await chooseFolder(app, folder)
  await connect(page, { ...service, ...hostile }, 'Nordlys <b data-planted>A/S</b>')
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()

  await openPage(page, 'rooms', '[role="gridcell"]')
  await page.getByRole('gridcell').getByRole('checkbox').first().click()
  await page
    .getByRole('region', { name: 'Selected rooms' })
    .getByRole('button', { name: 'Site kit…' })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveAccessibleName('Make a site kit for 1 room')
  await expect(dialog.getByText('A sheet for 1 room')).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose a folder' }).click()
  await dialog.getByRole('button', { name: 'Make the kit' }).click()
  await expect(dialog.getByText(`The kit is in ${folder}`)).toBeVisible()
  await expect(dialog).toHaveAccessibleName('Site kit made')
  // The firmware of room devices is large, so here the file host rejects the requests.
  await expect(
    dialog.getByRole('region', { name: 'Not in the kit' }).getByRole('listitem').first(),
  ).toBeVisible()
  expect(program.pageErrors).toEqual([])
  await program.close()
  await hostile.stop()
  await service.end()

  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  expect(pages.length).toBeGreaterThan(2)
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  const shown = await browser.newPage()
  const asked: string[] = []
  shown.on('request', (request) => asked.push(request.url()))
  const addresses = pages.map((name) => pathToFileURL(join(folder, name)).href)
  for (const one of addresses) {
    await shown.goto(one)
    await expect(shown.getByText(/planted/).first()).toBeVisible()
    expect(
      await shown.evaluate(() => [
        document.querySelectorAll('[data-planted], script, iframe, img').length,
        (globalThis as { planted?: unknown }).planted ?? null,
      ]),
    ).toEqual([0, null])
  }
  expect([asked, connections]).toEqual([addresses, 0])

  await shown.goto(pathToFileURL(join(folder, 'index.html')).href)
  const sheet = shown
    .getByRole('heading', { name: /^Rooms/ })
    .locator('+ table')
    .getByRole('link')
  await sheet.first().click()
  await expect(shown.getByRole('img', { name: 'QR code' })).toBeVisible()
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"complete": true')
  await browser.close()
  trap.close()
  home.remove()
})
