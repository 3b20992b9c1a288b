import { z } from 'zod'
import { id, nothing, selection, text } from '../argument-parts.ts'
import type { DeviceList, PastedList } from './devices.ts'
import { local, event, method } from '../method.ts'

/** A local tag: a name that a technician gives to devices. It never leaves this machine. */
export interface Tag {
  readonly name: string
  /** Devices of the current organization that have it, including gone ones. */
  readonly count: number
}

export interface TagChange {
  /** Devices that were changed. */
  readonly changed: number
  /**
   * The id that undoes exactly this change, once, during this run (for the last 20 changes); null: nothing
   * changed.
   */
  readonly undo: string | null
}

const name = text(500)
const names = z.array(name).max(50).readonly()

export const tags = {
  list: method(nothing).returns<readonly Tag[]>(),
  change: local(z.strictObject({ selection, add: names, remove: names })).returns<TagChange>(),
  rename: local(z.strictObject({ from: name, to: name })).returns<TagChange>(),
  remove: local(z.strictObject({ name })).returns<TagChange>(),
  undo: local(z.strictObject({ undo: id })).returns<TagChange>(),
  changed: event<{ readonly count: number }>(),
}

/** Pasted lists of devices. */
export const lists = {
  list: method(nothing).returns<readonly DeviceList[]>(),
  /**
   * `keep` false: only searches, and stores no list. A list of that name is replaced; null: named after the
   * time.
   */
  paste: local(
    z.strictObject({ text: text(2_000_000), keep: z.boolean(), name: name.nullable() }),
  ).returns<PastedList>(),
  remove: local(z.strictObject({ name })).returns<readonly DeviceList[]>(),
}
