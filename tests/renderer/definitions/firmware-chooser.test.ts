// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import FirmwareChooser from '../../../renderer/definitions/FirmwareChooser.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'

it.each([
  [[9, 8, 7, 6], ['9', '8', '7', '6'], ''],
  [[9, 8, 7, 6, 2, 1], ['9', '8', '7', '6'], '3 more devices'],
  [[9, 8, 7, 6, 1], ['9', '8', '7', '6'], '1 more device'],
])('the firmware counts of the fleet add up: %j', (counts, chips, others) => {
  const fleet = counts.map((count, index) => ({
    variantType: '01-64',
    firmwareVersion: `2.${index}.0`,
    count,
  }))
  const chooser = mount(FirmwareChooser, {
    props: { variantType: '01-64', firmwareVersion: '2.0.0', variants: [], firmwareVersions: [], fleet },
    global: { plugins: [i18n] },
  })
  const rest = chooser.findAll('.fleet > .quiet').slice(1)
  expect([chooser.findAll('.count').map((one) => one.text()), rest.map((one) => one.text()).join()]).toEqual([
    chips,
    others,
  ])
})
