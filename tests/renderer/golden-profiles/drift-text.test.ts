import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { GoldenSettingSummary, SettingDrift } from '../../../electron/contract/api/golden-profiles.ts'
import { driftOf } from '../../../renderer/golden-profiles/drift-text.ts'
import WantedSettings from '../../../renderer/golden-profiles/WantedSettings.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore } from '../core.ts'
import { textIn } from '../page.ts'

const choice = { isChoice: true } as const
const drift = (of: Pick<SettingDrift, 'isChoice'>): SettingDrift => ({
  name: 'x',
  ...of,
  reason: 'value',
  now: 'fullScreen',
  wanted: 'minus3dB',
  refused: null,
})

it('the values of a choice are put into words, and typed text stays as it is', async () => {
  await openCore()
  const said = (of: Pick<SettingDrift, 'isChoice'>): string => driftOf({ drift: [drift(of)] }, null)
  expect([said(choice), said({})]).toEqual(['X: full screen → −3 dB', 'X: fullScreen → minus3dB'])
})

it('and so are the wanted settings', async () => {
  await openCore()
  const setting: GoldenSettingSummary = {
    name: 'x',
    wanted: 'minus3dB',
    locked: null,
    asWanted: 0,
    drifted: 1,
    notAvailable: 0,
    refused: null,
    instead: [{ value: 'fullScreen', count: 1 }],
  }
  const shown = (of: Pick<GoldenSettingSummary, 'isChoice'>): string =>
    textIn(
      mount(WantedSettings, {
        props: { settings: [{ ...setting, ...of }], productId: 1, only: null },
        global: { plugins: [i18n] },
      }).element,
    )
  expect([shown(choice), shown({})].map((text) => text.match(/−3 dB|minus3dB|full ?Screen/gi))).toEqual([
    ['−3 dB', 'full screen'],
    ['minus3dB', 'fullScreen'],
  ])
})
