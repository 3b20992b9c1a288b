import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { expectNone } from './axe.ts'
import { chooseFolder } from './desktop-answers.ts'
import { document } from './headroom.ts'
import { openPage } from './pages.ts'
import { startSynced, type Home, type Program, type Service } from './program.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(60, 10))
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

test('the firmware of a headset is found, downloaded into a chosen folder, checked, and known to the command line', async () => {
  const { app, page } = program
  const folder = join(home.folder, 'visit')
  mkdirSync(folder)
  await chooseFolder(app, folder)
  await openPage(page, 'firmware?part=downloads', 'main .empty')
  await page.getByRole('button', { name: 'Change folder…' }).click()
  await expect(page.getByText(`Firmware files are saved to ${folder}.`)).toBeVisible()

  await page.getByRole('tab', { name: /^All/ }).click()
  await page.getByRole('textbox', { name: 'Search products' }).fill('Evolve2 65 Mono')
  await page
    .getByRole('row', { name: /Evolve2 65 Mono/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(page.getByRole('tab', { name: /^Downloads/, selected: true })).toBeVisible()
  await expect(
    page.getByRole('grid', { name: 'Downloads' }).getByText('Downloaded', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText(/Published size: matches\. Published MD5: matches\./)).toBeVisible()

  await expectNone(page, 'downloads with rows')

  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/^Jabra Evolve2 65 Mono .+\.zip$/)
  const { files } = await document<{ files: readonly { result: string; by: string }[] }>(
    home,
    ['firmware', 'verify', join(folder, file)],
    service.key,
  )
  expect(files).toMatchObject([{ result: 'known', by: 'ledger' }])
  expect(program.pageErrors).toEqual([])
})
