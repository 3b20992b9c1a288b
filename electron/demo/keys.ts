import { randomBytes, timingSafeEqual } from 'node:crypto'

export const keySlots = ['primary', 'secondary'] as const
type KeySlot = (typeof keySlots)[number]

// In the form of the gateway's own keys: 32 hex digits.
const fresh = (): string => randomBytes(16).toString('hex')

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * The subscription's two keys. A regenerated key differs from that moment on; its old value is refused at
 * once.
 */
export class SubscriptionKeys {
  #primary: string
  /** null: there is only one key. */
  #secondary: string | null

  constructor(primary: string | null, secondary: string | null) {
    this.#primary = primary ?? fresh()
    this.#secondary = secondary
  }

  get primary(): string {
    return this.#primary
  }

  /** `primaryToo` false: the primary key is treated as refused. */
  accepts(key: string, primaryToo = true): boolean {
    const known = [primaryToo ? this.#primary : null, this.#secondary].map(
      (one) => one !== null && same(Buffer.from(one).toString('hex'), Buffer.from(key).toString('hex')),
    )
    return known.includes(true)
  }

  regenerate(slot: KeySlot): string {
    const key = fresh()
    if (slot === 'primary') this.#primary = key
    else this.#secondary = key
    return key
  }
}
