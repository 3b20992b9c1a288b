/** The general shape of a device: one drawing for each. */
export const formFactors = [
  'headset-stereo',
  'headset-mono',
  'earbuds',
  'speakerphone',
  'video-bar',
  'camera',
  'panel',
  'controller',
  'dongle',
  'base',
  'unknown-device',
] as const
export type FormFactor = (typeof formFactors)[number]

/**
 * Names in order of priority: a "Link" among headsets is a dongle, a "Touch Controller" of a bar is not a
 * bar. Derived from the catalogue's names; extend it for new products.
 */
const byName: readonly (readonly [RegExp, FormFactor])[] = [
  [/touch ?controller|panacast control|\bcontroller\b/i, 'controller'],
  [/scheduler|\bpanel\b|display/i, 'panel'],
  [/desk ?stand|charging|\bcradle\b|\bbase\b/i, 'base'],
  [/adapter|dongle|\blink\b/i, 'dongle'],
  [/\bbuds?\b|earbuds|\bevolve 75e\b|\bevolve 65e\b|\bconnect 5t\b|\belite\b/i, 'earbuds'],
  [/\bspeak ?2?\b|speakerphone|\bconnect 4s\b/i, 'speakerphone'],
  [/panacast (20|reach|u30)\b|webcam|\bcamera\b/i, 'camera'],
  [/panacast|video bar|\bvbs\b/i, 'video-bar'],
  [/\bmono\b|\bperform\b|\btalk\b/i, 'headset-mono'],
  [/evolve|engage|\bbiz\b|\bpro\b|uc voice|headset|stereo|\bduo\b/i, 'headset-stereo'],
]
/**
 * Values of the product catalogue that are sufficient alone; for `OverTheEar` and `Video` the name decides.
 */
const byType: ReadonlyMap<string, FormFactor> = new Map([
  ['TrueWireless', 'earbuds'],
  ['Speaker', 'speakerphone'],
  ['TouchController', 'controller'],
  ['RoomScheduler', 'panel'],
])
const typeAlone: ReadonlyMap<string, FormFactor> = new Map([
  ['OverTheEar', 'headset-stereo'],
  ['Video', 'video-bar'],
])

/** From the catalogue's values for the product, else from its name; `unknown-device` if neither decides. */
export function formFactorOf(productName: string | null, deviceType: string | null = null): FormFactor {
  return (
    byType.get(deviceType ?? '') ??
    byName.find(([name]) => name.test(productName ?? ''))?.[1] ??
    typeAlone.get(deviceType ?? '') ??
    'unknown-device'
  )
}
