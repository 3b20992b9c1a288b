/** The kind of a product, derived from its name: the texts in its records, its settings, its variant code. */
export type Kind =
  | 'headset'
  | 'earbuds'
  | 'adapter'
  | 'base'
  | 'stand'
  | 'speaker'
  | 'video'
  | 'bar'
  | 'controller'
  | 'scheduler'
  | 'accessory'
  | 'partner'

interface Line {
  readonly kind: Kind
  readonly pattern: RegExp
  /** `deviceType` of the catalogue (observed values; empty for adapters). */
  readonly deviceType: string | null
  /** Type group of the variant code (published with the definitions): 0 base, 1 headset, 2 desk stand, 4 dongle, 8 speakerphone, 18 video, 19 meeting room. */
  readonly typeGroup: number
}

const lines: readonly Line[] = [
  { kind: 'partner', pattern: /^(?!Jabra)/, deviceType: null, typeGroup: 3 },
  { kind: 'stand', pattern: /Deskstand/, deviceType: '', typeGroup: 2 },
  { kind: 'adapter', pattern: /\bLink \d|USB Adapter/i, deviceType: '', typeGroup: 4 },
  { kind: 'scheduler', pattern: /Scheduler/, deviceType: 'RoomScheduler', typeGroup: 19 },
  { kind: 'controller', pattern: /Control(ler)?\b/, deviceType: 'TouchController', typeGroup: 19 },
  { kind: 'bar', pattern: /P40|U30|VBS Bar|Video Bar System/, deviceType: 'Video', typeGroup: 19 },
  { kind: 'accessory', pattern: /Reach/, deviceType: '', typeGroup: 19 },
  { kind: 'video', pattern: /PanaCast/, deviceType: 'Video', typeGroup: 18 },
  { kind: 'speaker', pattern: /Speak|Connect 4S/i, deviceType: 'Speaker', typeGroup: 8 },
  { kind: 'earbuds', pattern: /Buds/, deviceType: 'TrueWireless', typeGroup: 1 },
  { kind: 'base', pattern: /PRO 9|Engage (75|65)|Engage 45/, deviceType: 'OverTheEar', typeGroup: 0 },
  { kind: 'headset', pattern: /./, deviceType: 'OverTheEar', typeGroup: 1 },
]

export const lineOf = (name: string): Line =>
  lines.find((line) => line.pattern.test(name)) ?? {
    kind: 'headset',
    pattern: /./,
    deviceType: 'OverTheEar',
    typeGroup: 1,
  }

/**
 * Variant codes known exactly (services.md#A45); all others are made up from the type group and the product
 * id.
 */
export const knownVariants: Readonly<Record<number, string>> = {
  9416: '04-0B',
  9415: '04-0B',
  9395: '01-64',
  9403: '01-67',
  16466: '01-72',
}

/**
 * Products in the catalogue without public firmware (services.md#A45) and made-up versions for the
 * demonstration's devices, newest first.
 */
export const productsWithoutFirmware: readonly {
  readonly productId: number
  readonly name: string
  readonly versions: readonly string[]
}[] = [
  { productId: 12344, name: 'Jabra PanaCast 50 VBS Bar', versions: ['6.5.0', '6.4.2', '6.3.1'] },
  { productId: 12352, name: 'Jabra PanaCast 50 Video Bar System', versions: ['6.5.0', '6.4.2'] },
  { productId: 12353, name: 'Jabra PanaCast 55 VBS Bar', versions: ['6.5.0'] },
  { productId: 12364, name: 'Jabra PanaCast 50 VBS Touch Controller', versions: ['6.5.0', '6.4.2', '6.3.1'] },
  { productId: 12367, name: 'Jabra PanaCast Control', versions: ['6.5.0', '6.4.2', '6.2.10'] },
  { productId: 12432, name: 'Jabra Scheduler', versions: ['3.1.4', '3.1.0', '2.12.7'] },
  { productId: 13824, name: 'Jabra PanaCast Reach', versions: ['1.0.12', '1.0.9'] },
  { productId: 13825, name: 'Jabra PanaCast USB Adapter', versions: ['1.0.3'] },
  { productId: 11879, name: 'Jabra Perform Go 4', versions: ['1.2.0'] },
]

/**
 * Products of another vendor in the catalogue: empty variant code, no firmware (services.md#A6; names and
 * numbers made up).
 */
export const partnerProducts: readonly {
  readonly vendorId: number
  readonly productId: number
  readonly name: string
}[] = [
  { vendorId: 4660, productId: 257, name: 'Meeting display 65' },
  { vendorId: 4660, productId: 258, name: 'Meeting display 86' },
  { vendorId: 4661, productId: 1025, name: 'Room compute unit' },
]

/** Personal devices, with their number per hundred and twenty. Made up. */
export const personalMix: readonly (readonly [productId: number, share: number])[] = [
  [9395, 12],
  [9379, 18],
  [9495, 8],
  [9403, 9],
  [3648, 9],
  [3649, 4],
  [9462, 5],
  [9477, 3],
  [9483, 4],
  [9415, 9],
  [9416, 3],
  [9417, 4],
  [11856, 3],
  [16465, 5],
  [16466, 4],
  [4374, 3],
  [4368, 3],
  [9545, 4],
  [9533, 3],
  [9455, 3],
  [44650, 3],
  [49373, 1],
]

/**
 * The devices of each kind of room. Every such room has the first device. Made up from the products that
 * rooms use.
 */
export const roomKits: readonly {
  readonly roomType: string
  readonly share: number
  readonly seats: readonly [number, number]
  readonly products: readonly number[]
}[] = [
  {
    roomType: 'Microsoft Teams Rooms',
    share: 30,
    seats: [6, 14],
    products: [12297, 12367, 12432, 9455, 13824],
  },
  {
    roomType: 'Microsoft Teams Rooms',
    share: 12,
    seats: [12, 28],
    products: [12306, 12367, 12297, 12432, 9300],
  },
  { roomType: 'Zoom Rooms', share: 14, seats: [6, 12], products: [12297, 12367, 9333, 12432] },
  { roomType: 'Video bar system', share: 18, seats: [4, 10], products: [12344, 12364, 12432, 13824] },
  { roomType: 'Video bar system', share: 10, seats: [3, 8], products: [12417, 12367, 12432] },
  { roomType: 'BYOD', share: 9, seats: [2, 6], products: [12434, 9455] },
  { roomType: 'BYOD', share: 7, seats: [2, 4], products: [44650, 12297] },
]
