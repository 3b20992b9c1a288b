import type { Trouble } from '../../contract/app.ts'
import { Failed, type KeySlot } from '../../contract/failure.ts'
import type { KeyCheck, KeyState, Organization, OrganizationDraft, OrganizationList } from '../../contract/organization.ts'
import type { Log } from '../host.ts'
import type { OrganizationsHost } from './organizations-host.ts'
import type { KeyRing } from '../service-client/service-client.ts'
import type { Workbook } from '../storage/workbook.ts'
import { KeychainStanding } from './keychain-standing.ts'
import { KeyDoor } from './key-door.ts'
import { checkedKey } from './key-text.ts'
import {
  deleteOrganization,
  insertOrganization,
  namesake,
  readAll,
  updateOrganization,
  writeCurrent,
  type StoredOrganization,
  type StoredPicture,
} from './organizations-rows.ts'
import { presets } from './presets.ts'
import { checkedDraft, foldedName } from './profile-check.ts'

interface ById {
  readonly id: string
}
interface ByKey extends ById {
  readonly slot: KeySlot
}

/** Profiles of organizations and their subscription keys. A key goes in and out through key rings only, never through a record. */
export interface Organizations {
  /** Reads the workbook again, for another program may have changed it. Rejects with Failed `cache-unusable`. */
  list(): Promise<OrganizationList>
  /** The new one becomes current. Rejects with Failed `invalid` (`field` names the member) or `cache-unusable`. */
  add(draft: OrganizationDraft): Promise<Organization>
  /** As `add`. When the management address changes to another host, keys that the old host accepted are forgotten. */
  update(argument: ById & { readonly draft: OrganizationDraft }): Promise<Organization>
  use(argument: ById): Promise<Organization>
  /** Forgets its keys too. The oldest of the others becomes current. */
  remove(argument: ById): Promise<void>
  /** Rejects with Failed `invalid` and the reason when this cannot be a key. Without a keychain `keptIn` is `memory`. */
  setKey(argument: ByKey & { readonly key: string }): Promise<KeyState>
  /**
   * `check` makes one call with the key of that slot (see `slotRing`) and rejects with Failed `key-refused` for a 401.
   * A refusal is an answer (`accepted: false`); any other Failed is passed on: nothing was learnt.
   */
  checkKey(argument: ByKey, check: (organization: Organization, slot: KeySlot) => Promise<void>): Promise<KeyCheck>
  forgetKey(argument: ByKey): Promise<KeyState>

  current(): Organization | null
  /** Throws Failed `not-found`. */
  get(id: string): Organization
  /** Where its two services are; for a demonstration this starts it. Rejects with Failed. */
  addresses(id: string): Promise<{ readonly managementUrl: string; readonly metadataUrl: string }>
  /** The keys as calls need them: which to send, and what a refusal means. */
  keyRing(id: string): KeyRing
  /** One slot alone, whatever is in use and even while the organization stands still: for checking a key. */
  slotRing(id: string, slot: KeySlot): KeyRing
  /** The random id under which its calls are counted; profiles with the same key have the same. */
  budgetScope(id: string): Promise<string>
  /** Sends the other key from now on; what stood still goes on. */
  useKey(argument: { readonly id: string; readonly slot: KeySlot }): Promise<Organization>
  /** The technician says that the key that was left was regenerated. */
  keyRegenerated(argument: { readonly id: string; readonly slot: KeySlot }): Promise<Organization>
  /** Both keys may be tried again after a refusal. */
  resumeAfterRefusal(id: string): void
  /** What to show until it is put right: workbook, keychain, refused keys. */
  troubles(): readonly Trouble[]
  /** Called with the ids of organizations whose profile, keys or standing changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** The text without any subscription key this run has seen. */
  scrub(text: string): string
  /** Writes down what is not yet written. The workbook is the caller's to close. */
  close(): Promise<void>
}

/** A log that can be told which texts it must never hold. */
interface ScrubbingLog extends Log {
  scrubWith?(scrub: (text: string) => string): void
}

/** Rejects with Failed `cache-unusable`. From here on the host's log holds no key that this run has seen. */
export async function openOrganizations(host: OrganizationsHost, workbook: Workbook): Promise<Organizations> {
  const listeners = new Set<(ids: readonly string[]) => void>()
  const changed = (ids: readonly string[]): void => {
    for (const listener of listeners) listener(ids)
  }
  const keychain = new KeychainStanding(host, () => changed([]))
  let picture: StoredPicture = { organizations: [], keys: [], currentId: null }

  const stored = (id: string): StoredOrganization => {
    const found = picture.organizations.find((organization) => organization.id === id)
    if (found === undefined) throw new Failed({ kind: 'not-found', call: null, what: 'organization' })
    return found
  }
  const keys = new KeyDoor(host, workbook, {
    stored,
    exists: (id) => picture.organizations.some((organization) => organization.id === id),
    currentId: () => picture.currentId,
    changed: (id) => changed([id]),
  })

  const log: ScrubbingLog = host.log
  log.scrubWith?.((text) => keys.known.scrub(text))

  // A transaction, for one consistent picture; about 0.02 ms (measured), so that whoever needs the list may ask for it each time.
  const refresh = async (): Promise<void> => {
    picture = await workbook.write(readAll)
    keys.refresh(picture)
  }

  const record = ({ id, draft, createdAt }: StoredOrganization): Organization => ({
    id,
    ...draft,
    current: id === picture.currentId,
    createdAt,
    keys: [keys.state(id, 'primary'), keys.state(id, 'secondary')],
    keyInUse: 'primary',
    regenerate: null,
    stoppedBecause: keys.isStopped(id) ? 'key-refused' : null,
  })
  const get = (id: string): Organization => record(stored(id))

  await refresh()
  const cleaning = keys.removeLeftovers().catch(() => host.log.write('warn', 'Forgotten keys could not be removed from the keychain'))

  return {
    async list() {
      await refresh()
      return { organizations: picture.organizations.map(record), presets, keychain: await keychain.now() }
    },

    async add(draft) {
      const checked = checkedDraft(draft)
      const folded = foldedName(checked.name)
      const before = picture.currentId
      const made: StoredOrganization = { id: host.newId(), draft: checked, slotInUse: 'primary', budgetScope: host.newId(), createdAt: host.clock.now() }
      await workbook.write((transaction) => {
        if (namesake(transaction, folded, null) !== null) throw nameTaken()
        insertOrganization(transaction, made, folded)
        writeCurrent(transaction, made.id)
      })
      await refresh()
      changed(before === null ? [made.id] : [made.id, before])
      return get(made.id)
    },

    async update({ id, draft }) {
      const before = stored(id)
      const checked = checkedDraft(draft)
      const folded = foldedName(checked.name)
      if (picture.organizations.some((other) => other.id !== id && foldedName(other.draft.name) === folded)) throw nameTaken()
      // A key is for the host it was entered for. One that was accepted there must not go to another because an address changed.
      if (originOf(before.draft) !== originOf(checked)) await keys.forgetProven(id)
      await workbook.write((transaction) => {
        if (namesake(transaction, folded, id) !== null) throw nameTaken()
        updateOrganization(transaction, id, checked, folded)
      })
      await refresh()
      changed([id])
      return get(id)
    },

    async use({ id }) {
      const before = picture.currentId
      stored(id)
      await workbook.write((transaction) => writeCurrent(transaction, id))
      await refresh()
      changed(before === null || before === id ? [id] : [id, before])
      return get(id)
    },

    async remove({ id }) {
      stored(id)
      await keys.forgetAll(id)
      await workbook.write((transaction) => deleteOrganization(transaction, id))
      await refresh()
      changed(picture.currentId === null ? [id] : [id, picture.currentId])
    },

    async setKey({ id, slot, key }) {
      const organization = stored(id)
      if (organization.draft.preset === 'demonstration') {
        throw new Failed({ kind: 'invalid', field: 'key', message: 'The demonstration makes its own key at each start; none can be set.' })
      }
      await keys.set(id, slot, checkedKey(key))
      keychain.learn(keys.keychainTrouble)
      await refresh()
      changed([id])
      return keys.state(id, slot)
    },

    async checkKey({ id, slot }, check) {
      const organization = get(id)
      try {
        await check(organization, slot)
      } catch (error) {
        if (!(error instanceof Failed) || error.failure.kind !== 'key-refused') throw error
        keys.foundBad(id, slot, error.failure.message)
        return { slot, accepted: false, checkedAt: host.clock.now() }
      }
      keys.foundGood(id, slot)
      return { slot, accepted: true, checkedAt: host.clock.now() }
    },

    async forgetKey({ id, slot }) {
      stored(id)
      await keys.forget(id, slot)
      changed([id])
      return keys.state(id, slot)
    },

    async useKey() {
      throw new Failed({ kind: 'invalid', field: 'slot', message: 'Keys cannot be swapped yet.' })
    },
    async keyRegenerated() {
      throw new Failed({ kind: 'invalid', field: 'slot', message: 'Keys cannot be swapped yet.' })
    },

    current: () => (picture.currentId === null ? null : get(picture.currentId)),
    get,
    async addresses(id) {
      const { draft } = stored(id)
      if (draft.preset !== 'demonstration') return { managementUrl: draft.managementUrl, metadataUrl: draft.metadataUrl }
      const { managementUrl, metadataUrl } = await keys.demonstration()
      return { managementUrl, metadataUrl }
    },
    keyRing: (id) => keys.ring(id),
    slotRing: (id, slot) => keys.slotRing(id, slot),
    budgetScope: (id) => keys.budgetScope(id),
    resumeAfterRefusal: (id) => keys.resume(id),
    troubles: () => [workbook.trouble, ...keys.troubles(picture.organizations)].filter((trouble) => trouble !== null),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    scrub: (text) => keys.known.scrub(text),
    async close() {
      listeners.clear()
      await cleaning
      await keys.close()
    },
  }
}

const nameTaken = (): Failed => new Failed({ kind: 'invalid', field: 'name', message: 'Another organization has this name already.' })

const originOf = (draft: OrganizationDraft): string => (draft.preset === 'demonstration' ? 'demonstration' : new URL(draft.managementUrl).origin)
