import { expect, test } from '@playwright/test'
import { lastNotification, recordNotifications } from './desktop-answers.ts'
import { goTo, startSynced, type Home, type Program, type Service } from './program.ts'
import { regenerateKey } from './service-switches.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(60, 6))
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

test('a kind of notification is selected; when the service refuses the key the system is asked to show one, and its click opens Organizations', async () => {
  const { page, app } = program
  await recordNotifications(app)
  await goTo(page, 'Preferences')
  const refused = page.getByRole('switch', { name: 'The service refused the key' })
  await refused.click()
  await expect(refused).toBeChecked()

  await regenerateKey(service, 'primary', service.key)
  await page.keyboard.press('F5')
  await expect.poll(() => lastNotification(app)).toMatch(/: the service refused the key$/)
  await app.evaluate(() =>
    (globalThis as { notified?: { emit: (event: string) => void } }).notified?.emit('click'),
  )
  await expect(page.getByRole('heading', { level: 1, name: 'Organizations' })).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
