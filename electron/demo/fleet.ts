import type { Product, Variant } from './catalogue.ts'
import { jabraVendor, productOf, products } from './catalogue.ts'
import { deviceIdOf, deviceOfId, groupKind, guidIdOf, indexOfGuid, roomKind } from './identities.ts'
import type { Site } from './names.ts'
import { sites } from './names.ts'
import { personalMix, roomKits } from './product-lines.ts'
import { mix, pick, roll } from './random.ts'

const day = 86_400_000
/** Devices are replaced at three in the morning, so that ids do not change during a working day. */
const turnOfDay = 3 * 3_600_000

interface FleetOptions {
  readonly devices: number
  readonly rooms: number
  readonly seed: number
}

/** Immutable device properties. */
export interface DeviceFacts {
  readonly index: number
  readonly id: string
  readonly generation: number
  /** When this device replaced the previous one, epoch milliseconds. */
  readonly startedAt: number
  /** How long a device is used before its replacement, milliseconds. */
  readonly staysForMs: number
  readonly product: Product
  readonly variant: Variant
  readonly site: Site
  /** null: a personal device. */
  readonly room: RoomFacts | null
  /** Position among the room's devices; 0 for personal ones. */
  readonly position: number
}

export interface RoomFacts {
  readonly index: number
  readonly id: string
  readonly groupIds: readonly string[]
  readonly site: Site
  readonly kit: (typeof roomKits)[number]
  /** Indexes of the room's devices. */
  readonly firstDevice: number
  readonly deviceCount: number
}

/** Selects by share: the items' shares are summed once. */
const sharedOut = <T>(list: readonly T[], shareOf: (item: T) => number): ((chance: number) => T) => {
  const slots = list.flatMap((item) => Array.from({ length: shareOf(item) }, () => item))
  return (chance) => pick(slots, chance)
}

const siteBy = sharedOut(sites, (site) => site.share)
const kitBy = sharedOut(roomKits, (kit) => kit.share)
const personalBy = sharedOut(personalMix, ([, share]) => share)

/** In each block of twelve rooms, one has two group ids, so the list contains thirteen entries. */
const block = 12
const twin = 5

/**
 * The devices and rooms. Room devices come first, then personal ones; only the start of each room's devices
 * is stored, everything else is computed from seed, position and time.
 */
export class Fleet {
  readonly deviceTotal: number
  readonly roomTotal: number
  /** Entries of the room list: rooms with two group ids count twice. */
  readonly roomEntries: number
  /** The first `roomDevices` devices are in rooms. */
  readonly roomDevices: number
  readonly #seed: number
  readonly #starts: Uint32Array

  constructor(options: FleetOptions) {
    this.#seed = options.seed
    this.deviceTotal = options.devices
    this.roomTotal = options.rooms
    this.roomEntries = options.rooms + Math.floor((options.rooms + block - 1 - twin) / block)
    this.#starts = new Uint32Array(options.rooms + 1)
    for (let room = 0; room < options.rooms; room += 1) {
      const empty = room % 41 === 30
      const wanted = empty
        ? 0
        : Math.max(
            room % block === twin ? 2 : 1,
            Math.min(this.#kitOf(room).products.length, 2 + Math.floor(roll(options.seed, room, 201) * 4)),
          )
      const start = this.#starts[room] ?? 0
      this.#starts[room + 1] = Math.min(options.devices, start + wanted)
    }
    this.roomDevices = this.#starts[options.rooms] ?? 0
  }

  #kitOf(room: number): (typeof roomKits)[number] {
    return kitBy(roll(this.#seed, room, 202))
  }

  room(index: number): RoomFacts {
    const twins = index % block === twin
    const first = this.#starts[index] ?? 0
    return {
      index,
      id: guidIdOf(this.#seed, roomKind, index),
      groupIds: [
        guidIdOf(this.#seed, groupKind, index * 2),
        ...(twins ? [guidIdOf(this.#seed, groupKind, index * 2 + 1)] : []),
      ],
      site: siteBy(roll(this.#seed, index, 203)),
      kit: this.#kitOf(index),
      firstDevice: first,
      deviceCount: (this.#starts[index + 1] ?? first) - first,
    }
  }

  /** The room and group of an entry in the list. */
  roomEntry(entry: number): { readonly room: RoomFacts; readonly groupId: string } {
    const blockAt = Math.floor(entry / (block + 1))
    const within = entry % (block + 1)
    const room = this.room(blockAt * block + (within <= twin ? within : within - 1))
    return { room, groupId: room.groupIds[within === twin + 1 ? 1 : 0] ?? '' }
  }

  roomOfGroup(groupId: string): { readonly room: RoomFacts; readonly groupId: string } | null {
    const index = indexOfGuid(this.#seed, groupKind, groupId)
    if (index === null || index >= this.roomTotal * 2) return null
    const room = this.room(Math.floor(index / 2))
    const own = room.groupIds[index % 2]
    return own === undefined ? null : { room, groupId: own }
  }

  roomOfId(id: string): RoomFacts | null {
    const index = indexOfGuid(this.#seed, roomKind, id)
    return index === null || index >= this.roomTotal ? null : this.room(index)
  }

  #roomIndexOf(device: number): number {
    let low = 0
    let high = this.roomTotal
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= device) low = middle
      else high = middle
    }
    return low
  }

  groupOf(facts: DeviceFacts): string | null {
    return facts.room === null
      ? null
      : (facts.room.groupIds[facts.position % facts.room.groupIds.length] ?? null)
  }

  device(index: number, now: number): DeviceFacts {
    const seed = this.#seed
    const inRoom = index < this.roomDevices
    // Rooms keep their devices for years; personal devices are replaced sometimes: the old id ends, a new one
    // appears.
    const stays = (inRoom ? 1500 : 400) + (mix(seed, index, 204) % 400)
    const today = Math.floor((now - turnOfDay) / day)
    const phase = mix(seed, index, 205) % stays
    const generation = Math.floor((today + phase) / stays)
    const room = inRoom ? this.room(this.#roomIndexOf(index)) : null
    const position = room === null ? 0 : index - room.firstDevice
    const product = this.#productOf(index, generation, room, position)
    const variants = product.product.variants.filter((variant) => variant.productId === product.productId)
    return {
      index,
      id: deviceIdOf(seed, index, generation),
      generation,
      startedAt:
        (generation * stays - phase) * day +
        turnOfDay -
        Math.floor(roll(seed, index, generation, 206) * 11 * 3_600_000),
      staysForMs: stays * day,
      product: product.product,
      variant: pick(variants, roll(seed, index, generation, 207)),
      site: room?.site ?? siteBy(roll(seed, index, 203, 1)),
      room,
      position,
    }
  }

  #productOf(
    index: number,
    generation: number,
    room: RoomFacts | null,
    position: number,
  ): { readonly product: Product; readonly productId: number } {
    const productId =
      room === null
        ? personalBy(roll(this.#seed, index, generation, 208))[0]
        : (room.kit.products[position % room.kit.products.length] ?? 12297)
    const product = productOf(jabraVendor, productId) ?? products[0]
    if (product === undefined) throw new RangeError('the catalogue is empty')
    return {
      product,
      productId: product.variants.some((variant) => variant.productId === productId)
        ? productId
        : (product.variants[0]?.productId ?? productId),
    }
  }

  /** The device that has this id now; null: there is none, or it was replaced. */
  deviceOfId(id: string, now: number): DeviceFacts | null {
    const found = deviceOfId(this.#seed, id)
    if (found === null || found.index >= this.deviceTotal) return null
    const facts = this.device(found.index, now)
    return facts.id === id ? facts : null
  }
}
