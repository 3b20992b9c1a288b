import { expect, it } from 'vitest'
import { formFactorOf, formFactors, type FormFactor } from '../../electron/contract/form-factor.ts'
import { partnerProducts, productsWithoutFirmware } from '../../electron/demo/product-lines.ts'

it.each<[FormFactor, readonly string[]]>([
  [
    'headset-stereo',
    [
      'Jabra Evolve2 65 Stereo',
      'Jabra Evolve2 85',
      'Jabra UC VOICE 750a MS Duo',
      'Jabra Engage 75',
      'Jabra PRO 9450',
    ],
  ],
  ['headset-mono', ['Jabra Evolve 65 TE Mono', 'Jabra BIZ 2400 II USB BT Mono', 'Jabra Perform Go 4']],
  ['earbuds', ['Jabra Evolve2 Buds', 'Jabra Evolve 75e']],
  ['speakerphone', ['Jabra Speak 410', 'Jabra Speak2 75 (Teams)', 'Jabra Connect 4S']],
  ['video-bar', ['Jabra PanaCast 50', 'Jabra PanaCast 50 VBS Bar', 'Jabra PanaCast P40']],
  ['camera', ['Jabra PanaCast 20', 'Jabra PanaCast U30']],
  ['panel', ['Jabra Scheduler', 'Meeting display 65']],
  ['controller', ['Jabra PanaCast Control', 'Jabra PanaCast 50 VBS Touch Controller']],
  ['dongle', ['Jabra Link 380a', 'Jabra PanaCast USB Adapter']],
  ['base', ['Jabra Evolve2 Deskstand']],
  ['unknown-device', ['Room compute unit', '', 'Linkping 4']],
])('%s: %j', (form, names) => {
  expect(names.map((name) => formFactorOf(name))).toEqual(names.map(() => form))
})

it('decides by the catalogue before the name, except for less specific values', () => {
  expect([
    formFactorOf('Jabra Evolve2 65', 'TrueWireless'),
    formFactorOf('Nameless', 'RoomScheduler'),
    formFactorOf('Jabra Evolve2 65 Mono', 'OverTheEar'),
    formFactorOf(null, 'OverTheEar'),
    formFactorOf('Nameless', 'Hologram'),
    formFactorOf(null),
  ]).toEqual(['earbuds', 'panel', 'headset-mono', 'headset-stereo', 'unknown-device', 'unknown-device'])
})

it('knows all demonstration products without firmware, except the computer of a room', () => {
  const names = [...productsWithoutFirmware, ...partnerProducts].map(({ name }) => name)
  expect([names.filter((name) => formFactorOf(name) === 'unknown-device'), formFactors.length]).toEqual([
    ['Room compute unit'],
    11,
  ])
})
