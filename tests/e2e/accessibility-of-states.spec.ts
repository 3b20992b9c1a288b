import { expect, test } from '@playwright/test'
import { accessibleTree } from './accessible-tree.ts'
import { expectNone } from './axe.ts'
import { openPage } from './pages.ts'
import {
  connect,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'

let home: Home
let program: Program
let service: Service | null = null

test.beforeEach(() => {
  home = newHome()
  service = null
})
test.afterEach(async () => {
  await program.close()
  await service?.end()
  home.remove()
})

test('on the first page axe finds nothing, and a screen reader gets a name for every control', async () => {
  program = await startProgram(home)
  await expect(program.page.getByRole('heading', { level: 1 })).toBeVisible()
  const tree = await accessibleTree(program.page)
  expect(await tree.nameless()).toEqual([])
  await expectNone(program.page, 'welcome')
})

test('axe finds nothing on empty pages and without a network', async () => {
  service = await startService('--devices', '0', '--rooms', '0')
  program = await startProgram(home)
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

test('axe finds nothing during the first sync and after it failed', async () => {
  service = await startService('--devices', '20000', '--latency', '400')
  program = await startProgram(home)
  const { page } = program
  await connect(page, service, 'Slow A/S')
  for (const address of ['overview', 'devices', 'rooms', 'changes']) {
    await openPage(page, address)
    await expectNone(page, `${address}, first sync`)
  }
  await service.end()
  await expect(page.getByText(/^Offline/).first()).toBeVisible()
  for (const address of ['overview', 'devices', 'rooms']) {
    await openPage(page, address)
    await expectNone(page, `${address}, sync broke off`)
  }
})
