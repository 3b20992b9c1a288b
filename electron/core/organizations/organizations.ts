import type { Trouble } from '../../contract/api/app.ts'
import { Failed, type KeySlot } from '../../contract/failure.ts'
import type {
  KeyCheck,
  KeyState,
  Organization,
  OrganizationDraft,
  OrganizationList,
} from '../../contract/api/organizations.ts'
import type { Log, SqlRow } from '../platform.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { KeyRing, KeyScrubber } from '../service-client/service-client.ts'
import type { Workbook } from '../storage/workbook.ts'
import { KeychainStanding } from './keychain-standing.ts'
import { KeyDoor } from './key-door.ts'
import { originOf } from './key-entry.ts'
import { checkedKey, withoutLookalikes } from './key-text.ts'
import {
  insertOrganization,
  namesake,
  pictureOf,
  pictureSql,
  updateOrganization,
  writeCurrent,
  type StoredOrganization,
  type StoredPicture,
} from './organizations-rows.ts'
import { presets } from './presets.ts'
import { checkedDraft, foldedName } from './profile-check.ts'
import { largeRowsSql, removedOrganizations, removePiece, removeProfile } from './removal-rows.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

/** A removal waits for the keychain at most this long: it may be asking its owner for a password. Chosen. */
const keychainWaitInMs = 3_000

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
  /** As `add`. When the management address changes to another origin, the stored keys are forgotten, for they were for the old one. */
  update(argument: ById & { readonly draft: OrganizationDraft }): Promise<Organization>
  use(argument: ById): Promise<Organization>
  /**
   * It is in no list any more when this resolves, and its keys are out of the keychain as soon as that answers (waited for 3 s). What else
   * the workbook has of it stays until `finishRemoval`; the journal stays for good. The oldest of the others becomes current.
   */
  remove(argument: ById): Promise<void>
  /** Organizations whose removal is not finished: this run's, and those another run did not come to an end with. */
  removed(): Promise<readonly string[]>
  /**
   * Removes the rest of it, piece by piece. `removed` is told of the rows of each piece; what it throws ends the work, which is then to be
   * asked for again. Rejects with Failed `cache-unusable`.
   */
  finishRemoval(id: string, removed: (rows: number) => void): Promise<void>
  /** How many rows `finishRemoval` tells of. */
  rowsOf(id: string): Promise<number>
  /** Rejects with Failed `invalid` and the reason when this cannot be a key. Without a keychain `keptIn` is `memory`. */
  setKey(argument: ByKey & { readonly key: string }): Promise<KeyState>
  /**
   * `check` makes one call with the key of that slot (see `slotRing`) and rejects with Failed `key-refused` for a 401.
   * A refusal is an answer (`accepted: false`); any other Failed is passed on: nothing was learnt.
   */
  checkKey(
    argument: ByKey,
    check: (organization: Organization, slot: KeySlot) => Promise<void>,
  ): Promise<KeyCheck>
  /**
   * Binds a key that was stored before keys were bound to the organization's origin. Rejects with Failed `invalid` when `origin` is not that (the
   * technician looked at another), `key-not-bound` when the key is for another one already (it must be entered again), or as a call does.
   */
  bindKey(argument: ByKey & { readonly origin: string }): Promise<KeyState>
  forgetKey(argument: ByKey): Promise<KeyState>

  /**
   * The organization of this name or id; null: the current one, or null where there is none. Reads the workbook as `list` does, but asks
   * neither the keychain nor for a write: every query begins with it. Rejects with Failed `invalid` (field `organization`) or `cache-unusable`.
   */
  find(nameOrId: string | null): Promise<Organization | null>
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
  /** Sends the key of that slot from now on; what stood still goes on. Rejects with Failed `invalid` (field `slot`) when none stands there. */
  useKey(argument: ByKey): Promise<Organization>
  /** The technician says that the key that was left was regenerated: the reminder ends. */
  keyRegenerated(argument: ByKey): Promise<Organization>
  /** What to show until it is put right: workbook, keychain, refused keys. */
  troubles(): readonly Trouble[]
  /** Called with the ids of organizations whose profile, keys or standing changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** Knows every subscription key that this run has seen. */
  readonly scrubber: KeyScrubber
  /**
   * For what is to be kept: knows every stored key too, read from the keychain now where this run has not done so yet. Where that cannot be
   * done, whatever looks like a key is taken out as well. Never rejects.
   */
  keyScrubber(): Promise<(text: string) => string>
  /** Writes down what is not yet written. The workbook is the caller's to close. */
  close(): Promise<void>
}

/** A log that can be told which texts it must never hold. */
interface ScrubbingLog extends Log {
  scrubWith?(scrub: (text: string) => string): void
}

/**
 * `environmentFor`: name or id of the organization that the key of the environment is for; null: the first that is current. Rejects with
 * Failed `cache-unusable`. From here on the platform's log holds no key that this run has seen.
 */
export async function openOrganizations(
  platform: OrganizationsPlatform,
  workbook: Workbook,
  environmentFor: string | null,
): Promise<Organizations> {
  const listeners = new Set<(ids: readonly string[]) => void>()
  const changed = (ids: readonly string[]): void => {
    for (const listener of listeners) listener(ids)
  }
  const keychain = new KeychainStanding(platform, () => changed([]))
  let picture: StoredPicture = { organizations: [], keys: [], reminders: new Map(), currentId: null }

  const stored = (id: string): StoredOrganization => {
    const found = picture.organizations.find((organization) => organization.id === id)
    if (found === undefined) throw new Failed({ kind: 'not-found', call: null, what: 'organization' })
    return found
  }
  const keys = new KeyDoor(
    platform,
    workbook,
    {
      stored,
      exists: (id) => picture.organizations.some((organization) => organization.id === id),
      changed: (id) => changed([id]),
      reread: async (id) => {
        await refresh()
        changed([id])
      },
    },
    environmentFor,
  )

  const log: ScrubbingLog = platform.log
  // A line does not wait for the keychain: a key that was not asked for yet is known by its looks only.
  log.scrubWith?.((text) => withoutLookalikes(keys.known.text(text)))

  const take = (row: SqlRow | undefined): void => {
    picture = pictureOf(row)
    keys.refresh(picture)
  }
  let refreshed = 0
  /** After a write of ours. */
  const refresh = async (): Promise<void> => {
    const row = await workbook.write((transaction) => transaction.first(pictureSql))
    refreshed += 1
    take(row)
  }
  /** For a query: another program may have changed the workbook, but nobody's write is waited for. What is older than our own is no news. */
  /** How often another organization was made current here. */
  let chosen = 0
  const look = async (): Promise<void> => {
    const before = refreshed
    const [row] = await workbook.read(pictureSql)
    if (refreshed === before) take(row)
  }

  const record = ({ id, draft, createdAt }: StoredOrganization): Organization => ({
    id,
    ...draft,
    current: id === picture.currentId,
    managementOrigin: originOf(draft),
    createdAt,
    keys: [keys.state(id, 'primary'), keys.state(id, 'secondary')],
    keyInUse: keys.inUse(id),
    regenerate: picture.reminders.get(id) ?? null,
    stoppedBecause: keys.isStopped(id) ? 'key-refused' : null,
  })
  const get = (id: string): Organization => record(stored(id))

  /** A keychain that does not answer goes on without anybody waiting for it; what is not removed now is at a later start. */
  const withinReason = async (work: Promise<void>): Promise<void> => {
    let cancel: () => void = () => undefined
    const late = new Promise<void>((resolve) => (cancel = platform.clock.after(keychainWaitInMs, resolve)))
    await Promise.race([work, late])
    cancel()
    work.catch(() => platform.log.write('warn', 'Forgotten keys could not be removed from the keychain'))
  }

  await refresh()
  const cleaning = keys
    .removeLeftovers()
    .catch(() => platform.log.write('warn', 'Forgotten keys could not be removed from the keychain'))

  return {
    async list() {
      await look()
      return {
        organizations: picture.organizations.map(record),
        presets,
        keychain: await keychain.now(),
        environmentKeyOf: keys.environmentKeyOf,
      }
    },

    async add(draft) {
      const checked = checkedDraft(draft)
      chosen += 1
      const folded = foldedName(checked.name)
      const before = picture.currentId
      const made: StoredOrganization = {
        id: platform.newId(),
        draft: checked,
        slotInUse: 'primary',
        budgetScope: platform.newId(),
        createdAt: platform.clock.now(),
      }
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
      if (picture.organizations.some((other) => other.id !== id && foldedName(other.draft.name) === folded))
        throw nameTaken()
      await workbook.write((transaction) => {
        if (namesake(transaction, folded, id) !== null) throw nameTaken()
        updateOrganization(transaction, id, checked, folded)
      })
      // A key is for the origin it was entered for: it would be sent to no other one, and is asked for again.
      const origin = originOf(checked)
      if (originOf(before.draft) !== origin) await keys.forgetForAddress(id, origin)
      await refresh()
      changed([id])
      return get(id)
    },

    async use({ id }) {
      const before = picture.currentId
      stored(id)
      chosen += 1
      await workbook.write((transaction) => writeCurrent(transaction, id))
      await refresh()
      changed(before === null || before === id ? [id] : [id, before])
      return get(id)
    },

    async remove({ id }) {
      stored(id)
      await keys.abandon(id)
      await refresh()
      changed(picture.currentId === null ? [id] : [id, picture.currentId])
      await withinReason(keys.removeLeftovers())
    },
    removed: () => workbook.write(removedOrganizations),
    rowsOf: async (id) => Number((await workbook.read(largeRowsSql, [id]))[0]?.['n']),
    async finishRemoval(id, removed) {
      for (let rows = 1; rows > 0;) {
        rows = await workbook.write((transaction) => removePiece(transaction, id))
        removed(rows)
        // Whoever else waits for the workbook has a turn.
        await workbook.read('SELECT 1')
      }
      // A key that was being stored while it was removed.
      await keys.abandon(id)
      await keys.removeLeftovers()
      await workbook.write((transaction) => removeProfile(transaction, id))
    },

    async setKey({ id, slot, key }) {
      const organization = stored(id)
      if (organization.draft.preset === 'demonstration') {
        throw new Failed({
          kind: 'invalid',
          field: 'key',
          message: 'The demonstration makes its own key at each start; none can be set.',
        })
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
        return { slot, accepted: false, checkedAt: platform.clock.now() }
      }
      keys.foundGood(id, slot)
      return { slot, accepted: true, checkedAt: platform.clock.now() }
    },

    async bindKey({ id, slot, origin }) {
      stored(id)
      await keys.bind(id, slot, origin)
      return keys.state(id, slot)
    },

    async forgetKey({ id, slot }) {
      stored(id)
      await keys.forget(id, slot)
      await refresh()
      changed([id])
      return keys.state(id, slot)
    },

    async useKey({ id, slot }) {
      stored(id)
      await keys.use(id, slot)
      return get(id)
    },
    async keyRegenerated({ id, slot }) {
      stored(id)
      await keys.regenerated(id, slot)
      await refresh()
      changed([id])
      return get(id)
    },

    async find(nameOrId) {
      const [asked, before] = [picture.currentId, chosen]
      await look()
      if (nameOrId === null) {
        // Whoever asked before another was chosen here meant the one of then.
        const meant =
          chosen !== before && picture.organizations.some(({ id }) => id === asked)
            ? asked
            : picture.currentId
        return meant === null ? null : get(meant)
      }
      const found = picture.organizations.find(({ id, draft }) => draft.name === nameOrId || id === nameOrId)
      if (found === undefined)
        throw new Failed({
          kind: 'invalid',
          field: 'organization',
          message: `There is no organization "${nameOrId}".`,
        })
      return record(found)
    },
    get,
    async addresses(id) {
      const { draft } = stored(id)
      if (draft.preset !== 'demonstration')
        return { managementUrl: draft.managementUrl, metadataUrl: draft.metadataUrl }
      const { managementUrl, metadataUrl } = await keys.demonstration()
      return { managementUrl, metadataUrl }
    },
    keyRing: (id) => keys.ring(id),
    slotRing: (id, slot) => keys.slotRing(id, slot),
    budgetScope: (id) => keys.budgetScope(id),
    troubles: () => keys.troubles(picture.organizations).filter((trouble) => trouble !== null),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    scrubber: keys.known,
    keyScrubber: () => keys.learner.keyScrubber(),
    async close() {
      listeners.clear()
      await cleaning
      await keys.close()
    },
  }
}

const nameTaken = (): Failed =>
  new Failed({ kind: 'invalid', field: 'name', message: 'Another organization has this name already.' })

/** `keyWorks`: one call with the key of that slot. `agree`: the current organization, its profile or its keys changed. */
export const organizationHandlers = (
  organizations: Organizations,
  {
    keyWorks,
    agree,
    forget,
  }: {
    readonly keyWorks: (organization: Organization, slot: KeySlot) => Promise<void>
    readonly agree: () => Promise<void>
    readonly forget: (id: string) => Promise<void>
  },
): Handlers<'organizations'> => {
  /** The sync of what is then current goes on in the background. */
  const thenAgree = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    void agree()
    return result
  }
  return {
    list: () => organizations.list(),
    add: (draft) => thenAgree(organizations.add(draft)),
    update: (argument) => thenAgree(organizations.update(argument)),
    use: (argument) => thenAgree(organizations.use(argument)),
    remove: async ({ id }) => {
      await organizations.remove({ id })
      void forget(id)
      void agree()
    },
    // Nothing is sent with a new key but the check: a wrong one must not meet three streams at once.
    setKey: (argument) => organizations.setKey(argument),
    checkKey: (argument) => thenAgree(organizations.checkKey(argument, keyWorks)),
    bindKey: (argument) => thenAgree(organizations.bindKey(argument)),
    forgetKey: (argument) => organizations.forgetKey(argument),
    useKey: (argument) => thenAgree(organizations.useKey(argument)),
    keyRegenerated: (argument) => organizations.keyRegenerated(argument),
  }
}
