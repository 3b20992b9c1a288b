import { z } from 'zod'
import { product, selection, text } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { DeviceSelection } from './devices.ts'
import type { ProductId } from './firmware.ts'

/** What goes into a kit: everything that any of these means. */
export interface KitContents {
  /** By the vocabulary of rooms; null: none. */
  readonly rooms: DeviceSelection | null
  /** null: none. */
  readonly devices: DeviceSelection | null
  readonly products: readonly ProductId[]
  /** `approved`: what is approved, where something is; else the latest. */
  readonly version: 'approved' | 'latest'
}

/** What a kit lacks, and why, in words: it stands in the kit. */
export interface KitPart {
  readonly what: string
  readonly reason: string
}

/** What would go into a kit, before anything is fetched. */
export interface KitPlan {
  readonly rooms: number
  readonly devices: number
  readonly products: number
  /** Each once; several products may share one. `bytes` null: not published. */
  readonly files: readonly {
    readonly product: ProductId & { readonly name: string }
    readonly version: string
    readonly bytes: number | null
  }[]
  /** Of the firmware whose size is known. */
  readonly bytes: number
  readonly missing: readonly KitPart[]
}

export interface MadeKit {
  /** Without links. */
  readonly folder: string
  /** Without the manifest and its sums. */
  readonly files: number
  readonly bytes: number
  readonly missing: readonly KitPart[]
}

/** A kit against its own manifest, which shows damage and not origin. Paths are those of the manifest. */
export interface VerifiedKit {
  /** Of the manifest. */
  readonly files: number
  readonly ok: number
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}

const contents = z.strictObject({
  rooms: selection.nullable(),
  devices: selection.nullable(),
  products: z.array(product).max(500).readonly(),
  version: z.enum(['approved', 'latest']),
})

export const kits = {
  plan: method(contents).returns<KitPlan>(),
  /**
   * Fetches what the folder does not hold yet and writes the pages. `folder`: an absolute path; empty, new, or a kit of this organization.
   * `withPeople`: names of devices and users, IP and MAC addresses too.
   */
  make: method(contents.extend({ folder: text(4_000), withPeople: z.boolean() })).returns<MadeKit>(),
}
