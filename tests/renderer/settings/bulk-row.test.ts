import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { SettingSummary } from '../../../electron/contract/api/settings.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import BulkRow from '../../../renderer/settings/BulkRow.vue'
import { openCore } from '../core.ts'
import { textIn } from '../page.ts'

it('shows the values of a setting that cannot be edited', async () => {
  await openCore()
  const setting: SettingSummary = {
    name: 'sidetone',
    kind: 'unknown',
    kindsDiffer: true,
    devices: 3,
    products: [],
    feature: null,
    published: true,
    onlySome: [],
    locked: false,
    values: ['low', 'high'],
    counts: { values: [{ value: 'low', devices: 2 }], different: 1, devices: 2 },
  }
  const row = mount(BulkRow, { props: { setting, field: null, products: [] }, global: { plugins: [i18n] } })
  expect(textIn(row.get('.notes').element)).toContain('low ×2, unknown ×1')
})
