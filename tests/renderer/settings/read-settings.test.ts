import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import type { ReadSettings as Report, SettingsCost } from '../../../electron/contract/api/settings.ts'
import { done, type Outcome } from '../../../electron/contract/failure.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import ReadSettings from '../../../renderer/settings/ReadSettings.vue'
import { useReadSettings } from '../../../renderer/settings/read-settings-store.ts'
import { settle } from '../core.ts'

const report: Report = { devices: 4, withoutSettings: 0, missed: 0, notInInventory: 0, calls: 2 }

test.each<[Partial<Report>, string]>([
  [{}, 'Settings of 4 devices read in 2 calls'],
  [{ devices: 100, calls: 1 }, 'Settings of 100 devices read in 1 call'],
  [{ devices: 1, calls: 2 }, 'Settings of 1 device read in 2 calls'],
  [
    { missed: 56, notInInventory: 1 },
    'Settings of 4 devices read in 2 calls. 56 devices of the organization were not in the answer. 1 device of the answer is not in the inventory',
  ],
])('a report of %j is told', async (changes, told) => {
  const pinia = createPinia()
  Object.assign(useReadSettings(pinia), {
    costOf: async () => ({ ok: true, value: { devices: 60, calls: 2, byPages: true } }),
    load: async () => ({ ok: true, value: { ...report, ...changes } }),
  })
  const page = mount(ReadSettings, {
    props: { selection: { kind: 'matching', where: '', except: [] }, label: 'Read' },
    global: { plugins: [i18n, pinia] },
  })
  await page.find('button').trigger('click')
  await settle()
  await page.find('button.primary').trigger('click')
  await settle()
  expect(messages.value.map(({ text }) => text)).toEqual([told])
})

test('the cost of an earlier selection is never shown for another one', async () => {
  const pinia = createPinia()
  const cost = Promise.withResolvers<Outcome<SettingsCost>>()
  Object.assign(useReadSettings(pinia), { costOf: () => cost.promise })
  const page = mount(ReadSettings, {
    props: { selection: { kind: 'matching', where: 'room:A', except: [] }, label: 'Read' },
    global: { plugins: [i18n, pinia] },
  })
  await page.find('button').trigger('click')
  await page.setProps({ selection: { kind: 'matching', where: 'room:B', except: [] } })
  cost.resolve(done({ devices: 60, calls: 2, byPages: true }))
  await settle()
  expect([page.find('[role=status]').exists(), page.find('button').text()]).toEqual([false, 'Read'])
})
