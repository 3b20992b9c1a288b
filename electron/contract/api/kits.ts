import { z } from 'zod'
import { product, selection, text } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { DeviceSelection } from './devices.ts'
import type { ProductId } from './firmware.ts'

/** The content of a kit: everything that any of these selects. */
export interface KitContents {
  /** A selection with the vocabulary of rooms; null: none. */
  readonly rooms: DeviceSelection | null
  /** null: none. */
  readonly devices: DeviceSelection | null
  readonly products: readonly ProductId[]
  /** `approved`: the approved version if there is one; else the latest. */
  readonly version: 'approved' | 'latest'
}

/** What a kit lacks, with the reason as text: it is part of the kit. */
export interface KitPart {
  readonly what: string
  readonly reason: string
}

/** The content of a kit before anything is fetched. */
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
  /** The total size of the firmware whose size is known. */
  readonly bytes: number
  readonly missing: readonly KitPart[]
}

export interface MadeKit {
  /** Without links. */
  readonly folder: string
  /** Without the manifest and its checksums. */
  readonly files: number
  readonly bytes: number
  readonly missing: readonly KitPart[]
}

/**
 * The result of verifying a kit against its own manifest, which shows damage but not origin. Paths are those
 * of the manifest.
 */
export interface VerifiedKit {
  /** Files that the manifest lists. */
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
   * Fetches the files that the folder lacks and writes the pages. `folder`: an absolute path; empty, new, or
   * a kit of this organization. `withPeople`: includes names of devices and users, IP and MAC addresses.
   */
  make: method(contents.extend({ folder: text(4_000), withPeople: z.boolean() })).returns<MadeKit>(),
}
