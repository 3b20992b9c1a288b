import type { DeviceList, DeviceSelection, PastedList } from '../../contract/device.ts'
import { Failed } from '../../contract/failure.ts'
import type { Tag, TagChange } from '../../contract/tag.ts'
import type { Clock } from '../host.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'

/** What a technician puts on devices: tags, and lists of devices pasted from elsewhere. Rejects with Failed `invalid`, `not-found` or `cache-unusable`. */
export interface Tags {
  list(organizationId: string): Promise<readonly Tag[]>
  change(
    organizationId: string,
    change: { readonly selection: DeviceSelection; readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<TagChange>
  rename(organizationId: string, names: { readonly from: string; readonly to: string }): Promise<TagChange>
  remove(organizationId: string, name: string): Promise<TagChange>
  undo(organizationId: string, undo: string): Promise<TagChange>
  lists(organizationId: string): Promise<readonly DeviceList[]>
  paste(organizationId: string, pasted: { readonly text: string; readonly keep: boolean; readonly name: string | null }): Promise<PastedList>
  removeList(organizationId: string, name: string): Promise<readonly DeviceList[]>
  /** Tags or lists changed: what is remembered of filtered orders is looked up again. Returns the function that ends it. */
  onChange(listener: (organizationId: string) => void): () => void
}

export interface TagsParts {
  readonly workbook: Workbook
  readonly store: Store
  readonly clock: Clock
  readonly newId: () => string
  readonly selected: (organizationId: string, selection: DeviceSelection) => Promise<readonly string[]>
}

/** Brings the store's copy of tags and lists up to date with the workbook, which alone is true. */
export async function openTags(_parts: TagsParts): Promise<Tags> {
  const notYet = (): Promise<never> => Promise.reject(new Failed({ kind: 'invalid', field: 'call', message: 'This cannot be asked yet.' }))
  return {
    list: async () => [],
    change: notYet,
    rename: notYet,
    remove: notYet,
    undo: notYet,
    lists: async () => [],
    paste: notYet,
    removeList: notYet,
    onChange: () => () => undefined,
  }
}
