import { expect, test } from '@playwright/test'
import { startHolder } from './a-holder.ts'
import { coreBehind, valueOf } from './core-behind.ts'
import {
  expectCount,
  newHome,
  openLink,
  smallDemonstration,
  startProgram,
  type Home,
  type Program,
} from './program.ts'

let home: Home
let program: Program

test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

test('a copied link opens its room in the running window, and at the next start', async () => {
  program = await startProgram(home, smallDemonstration)
  const { page } = program
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(page, 'rooms', 6)
  const { rows } = await valueOf(coreBehind(page).rooms.list({ where: '', sort: [], start: 0, count: 1 }))
  const room = rows[0]!
  const link = `headroom://room/${room.id}?in=Demonstration`

  await openLink(home, link)
  await expect(page.getByRole('heading', { name: room.name ?? '', level: 1 })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Copy Headroom link' }).click()
  await expect.poll(() => program.clipboard()).toBe(link)

  await openLink(home, `headroom://reboot/${room.id}`)
  await expect(page.getByRole('heading', { name: 'This link cannot be opened' })).toBeVisible()
  expect(program.pageErrors).toEqual([])

  await program.close()
  program = await startProgram(home, smallDemonstration, [], undefined, '', link)
  await expect(program.page.getByRole('heading', { name: room.name ?? '', level: 1 })).toBeVisible()
  expect(program.pageErrors).toEqual([])

  // Another program owns the data folder: the link is clicked while this one waits for it.
  await program.close()
  const holder = await startHolder(home)
  program = await startProgram(home, smallDemonstration, [], undefined, 'holder=')
  await openLink(home, `headroom://reboot/${room.id}`)
  holder.kill('SIGKILL')
  await expect
    .poll(async () => {
      const windows = program.app.windows()
      const names = windows.map((one) =>
        one
          .getByRole('heading')
          .allInnerTexts()
          .catch(() => []),
      )
      return (await Promise.all(names)).flat()
    })
    .toContain('This link cannot be opened')
})
