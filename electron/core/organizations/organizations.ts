import type { AppProblem } from '../../contract/api/app.ts'
import { Failed, isKind, type KeySlot } from '../../contract/failure.ts'
import type { Policy } from '../policy/policy.ts'
import type {
  KeyCheck,
  KeyState,
  Organization,
  OrganizationDraft,
  OrganizationList,
} from '../../contract/api/organizations.ts'
import { within } from '../pause.ts'
import type { Log, Transaction } from '../platform.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { KeyRing, KeyScrubber } from '../service-client/service-client.ts'
import type { Workbook } from '../storage/workbook.ts'
import { KeychainMonitor } from './keychain-monitor.ts'
import { CredentialProvider } from './credential-provider.ts'
import { draftOfGiven, type GivenOrganization } from './given-draft.ts'
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
} from './organizations-rows.ts'
import { presets } from './presets.ts'
import { checkedDraft, foldedName } from './profile-check.ts'
import { largeRowsSql, removedOrganizations, removePiece, removeProfile } from './removal-rows.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export { draftOfGiven } from './given-draft.ts'
export { foldedName } from './profile-check.ts'

/**
 * Longest time a removal waits for the keychain, which may prompt for a password. Raise it if people need
 * longer.
 */
const keychainWaitInMs = 3_000

interface ById {
  readonly id: string
}
interface ByKey extends ById {
  readonly slot: KeySlot
}

/**
 * Profiles of organizations and their subscription keys. Keys are read and written only through key rings,
 * never through a record.
 */
export interface Organizations {
  list(): Promise<OrganizationList>
  /** The new one becomes current. Rejects with Failed `invalid` (`field` names the member) or `cache-unusable`. */
  add(draft: OrganizationDraft): Promise<Organization>
  /**
   * As `add`. If the management address changes to another origin, the stored keys are deleted, because they
   * were for the old one.
   */
  update(argument: ById & { readonly draft: OrganizationDraft }): Promise<Organization>
  /**
   * Adds those of the administrator's policy. One of the same name is taken over, with its data; for another
   * address its keys must be entered again. Rejects with Failed `cache-unusable`.
   */
  addGiven(given: readonly GivenOrganization[]): Promise<void>
  use(argument: ById): Promise<Organization>
  /**
   * When this resolves it is no longer listed; its keys are removed from the keychain as soon as it responds
   * (waits 3 s for that). Its other rows in the workbook remain until `finishRemoval`; the journal remains
   * permanently. The oldest of the others becomes current.
   */
  remove(argument: ById): Promise<void>
  /** Organizations whose removal is not finished, from this run or earlier ones. */
  removed(): Promise<readonly string[]>
  /**
   * Removes the rest of it in pieces. `removed` gets the row count of each piece; an exception from it ends
   * the work, which must then be requested again. Rejects with Failed `cache-unusable`.
   */
  finishRemoval(id: string, removed: (rows: number) => void): Promise<void>
  /** The number of rows that `finishRemoval` reports. */
  rowsOf(id: string): Promise<number>
  /**
   * Rejects with Failed `invalid` and the reason if this cannot be a key. Without a keychain `keptIn` is
   * `memory`.
   */
  setKey(argument: ByKey & { readonly key: string }): Promise<KeyState>
  /**
   * `check` makes one call with the key of that slot (see `slotRing`) and rejects with Failed `key-refused`
   * for a 401. A refusal is a result (`accepted: false`); any other Failed is passed on, because it says
   * nothing about the key.
   */
  checkKey(
    argument: ByKey,
    check: (organization: Organization, slot: KeySlot) => Promise<void>,
  ): Promise<KeyCheck>
  forgetKey(argument: ByKey): Promise<KeyState>

  /**
   * The organization with this name or id; null: the current one, or null if there is none. Rejects with
   * Failed `invalid` (field `organization`).
   */
  find(nameOrId: string | null): Promise<Organization | null>
  /** Its present name; null: it was removed. */
  readonly nameOf: (id: string) => string | null
  /** Throws Failed `not-found`. */
  get(id: string): Organization
  /** The addresses of its two services; starts a demonstration. Rejects with Failed. */
  addresses(id: string): Promise<{ readonly managementUrl: string; readonly metadataUrl: string }>
  /** The keys for calls: which one to send, and what happens if it is refused. */
  keyRing(id: string): KeyRing
  /**
   * Only one slot, regardless of the slot in use and even while all calls are stopped: for checking a key.
   */
  slotRing(id: string, slot: KeySlot): KeyRing
  /** The random id under which its calls are counted; profiles with the same key have the same. */
  budgetScope(id: string): Promise<string>
  /**
   * Sends the key of that slot from now on; stopped calls resume. Rejects with Failed `invalid` (field
   * `slot`) if it is empty.
   */
  useKey(argument: ByKey): Promise<Organization>
  /** The technician confirms that the replaced key was regenerated: the reminder ends. */
  keyRegenerated(argument: ByKey): Promise<Organization>
  /** Problems to show until they are solved: workbook, keychain, refused keys. */
  problems(): readonly AppProblem[]
  /**
   * The listener gets the ids of organizations whose profile, keys or state changed. Returns the function
   * that ends it.
   */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** Knows every subscription key that this run has seen. */
  readonly scrubber: KeyScrubber
  /**
   * For text to be stored: covers every stored key too, read from the keychain now if necessary. If that
   * fails, everything that looks like a key is removed as well. Never rejects.
   */
  keyScrubber(): Promise<(text: string) => string>
  /** Writes pending data; does not close the workbook. */
  close(): Promise<void>
}

/** A log that accepts a scrubber. */
interface ScrubbingLog extends Log {
  scrubWith?(scrub: (text: string) => string): void
}

/**
 * `environmentFor`: name or id of the organization that the key of the environment belongs to; null: the
 * first current one. Rejects with Failed `cache-unusable`. From then on the platform's log contains no key
 * that this run has seen.
 */
export async function openOrganizations(
  platform: OrganizationsPlatform,
  workbook: Workbook,
  environmentFor: string | null,
  policy: Pick<Policy, 'mustAllow' | 'refusal'> = withoutPolicy,
): Promise<Organizations> {
  const listeners = new Listeners<[ids: readonly string[]]>()
  const changed = listeners.notify
  const keychain = new KeychainMonitor(platform, () => changed([]))
  let picture = pictureOf((await workbook.query(pictureSql))[0])

  const stored = (id: string): StoredOrganization => {
    const found = picture.organizations.find((organization) => organization.id === id)
    if (found === undefined) throw Failed.notFound('organization')
    return found
  }
  /** Only this process changes the workbook: the picture is read again with each change, never for a query. */
  const change = async (work: (transaction: Transaction) => void): Promise<void> => {
    const row = await workbook.write((transaction) => {
      work(transaction)
      return transaction.first(pictureSql)
    })
    picture = pictureOf(row)
    keys.follow(picture)
  }
  const keys = new CredentialProvider(
    platform,
    workbook,
    {
      stored,
      exists: (id) => picture.organizations.some((organization) => organization.id === id),
      changed: (id) => changed([id]),
      change,
    },
    picture.keys,
    environmentFor,
  )
  keys.follow(picture)

  const log: ScrubbingLog = platform.log
  // A log line does not wait for the keychain: a key that was not read yet is recognized only by its form.
  log.scrubWith?.((text) => withoutLookalikes(keys.known.text(text)))

  const record = ({ id, draft, createdAt }: StoredOrganization): Organization => ({
    id,
    ...draft,
    current: id === picture.currentId,
    managementOrigin: originOf(draft),
    createdAt,
    setByPolicy: policy.refusal('organization', draft.name) !== null,
    keys: [keys.state(id, 'primary'), keys.state(id, 'secondary')],
    keyInUse: keys.inUse(id),
    regenerate: picture.reminders.get(id) ?? null,
    stoppedBecause: keys.isStopped(id) ? 'key-refused' : null,
  })
  const get = (id: string): Organization => record(stored(id))

  const insert = async (draft: OrganizationDraft, isCurrent: boolean): Promise<string> => {
    const made: StoredOrganization = {
      id: platform.newId(),
      draft,
      slotInUse: 'primary',
      budgetScope: platform.newId(),
      createdAt: platform.clock.now(),
    }
    const folded = foldedName(draft.name)
    await change((transaction) => {
      if (namesake(transaction, folded, null) !== null) throw nameTaken()
      insertOrganization(transaction, made, folded)
      if (isCurrent) writeCurrent(transaction, made.id)
    })
    return made.id
  }
  const replace = async (id: string, draft: OrganizationDraft): Promise<void> => {
    const previous = stored(id)
    const folded = foldedName(draft.name)
    await change((transaction) => {
      if (namesake(transaction, folded, id) !== null) throw nameTaken()
      updateOrganization(transaction, id, draft, folded)
    })
    // A key is for the origin it was entered for: it is not sent to another one and must be entered again.
    const origin = originOf(draft)
    if (originOf(previous.draft) !== origin) await keys.forgetForAddress(id, origin)
  }
  const mustAllowAddresses = ({ preset, managementUrl, metadataUrl }: OrganizationDraft): void => {
    if (preset === 'demonstration') return policy.mustAllow('demonstration')
    for (const url of [managementUrl, metadataUrl]) policy.mustAllow('host', new URL(url).hostname)
  }

  /**
   * A keychain that does not respond continues in the background; entries not removed now are removed at a
   * later start.
   */
  const withinReason = async (work: Promise<void>): Promise<void> => {
    await within(platform.clock, keychainWaitInMs, work)
    work.catch(() => platform.log.write('warn', 'Forgotten keys could not be removed from the keychain'))
  }

  const cleaning = keys
    .removeLeftovers()
    .catch(() => platform.log.write('warn', 'Forgotten keys could not be removed from the keychain'))

  return {
    async list() {
      return {
        organizations: picture.organizations.map(record),
        presets,
        keychain: await keychain.now(),
        environmentKeyOf: keys.environmentKeyOf,
      }
    },

    async add(draft) {
      const checked = checkedDraft(draft)
      mustAllowAddresses(checked)
      const previous = picture.currentId
      const id = await insert(checked, true)
      changed(previous === null ? [id] : [id, previous])
      return get(id)
    },

    async update({ id, draft }) {
      const { name } = stored(id).draft
      policy.mustAllow('organization', name)
      const checked = checkedDraft(draft)
      mustAllowAddresses(checked)
      await replace(id, checked)
      changed([id])
      return get(id)
    },

    async addGiven(given) {
      for (const draft of given.map(draftOfGiven)) {
        const { name, managementUrl, metadataUrl } = draft
        const previous = picture.organizations.find((one) => foldedName(one.draft.name) === foldedName(name))
        if (previous === undefined) changed([await insert(draft, picture.currentId === null)])
        else if (
          previous.draft.managementUrl !== managementUrl ||
          previous.draft.metadataUrl !== metadataUrl
        ) {
          const others = previous.draft.preset === 'demonstration' ? draft : previous.draft
          await replace(previous.id, { ...others, preset: draft.preset, managementUrl, metadataUrl })
          changed([previous.id])
        }
      }
    },

    async use({ id }) {
      const previous = picture.currentId
      stored(id)
      await change((transaction) => writeCurrent(transaction, id))
      changed(previous === null || previous === id ? [id] : [id, previous])
      return get(id)
    },

    async remove({ id }) {
      policy.mustAllow('organization', stored(id).draft.name)
      await keys.abandon(id)
      changed(picture.currentId === null ? [id] : [id, picture.currentId])
      await withinReason(keys.removeLeftovers())
    },
    removed: () => removedOrganizations(workbook),
    rowsOf: async (id) => Number((await workbook.query(largeRowsSql, [id]))[0]?.['n']),
    async finishRemoval(id, removed) {
      for (let rows = 1; rows > 0;) {
        rows = await workbook.write((transaction) => removePiece(transaction, id))
        removed(rows)
        // Lets other users of the workbook run.
        await workbook.query('SELECT 1')
      }
      // A key that was being stored during the removal.
      await keys.abandon(id)
      await keys.removeLeftovers()
      await workbook.write((transaction) => removeProfile(transaction, id))
    },

    async setKey({ id, slot, key }) {
      const organization = stored(id)
      if (organization.draft.preset === 'demonstration') {
        throw Failed.invalid(
          'key',
          'The demonstration creates its own key at each start. You cannot set one.',
        )
      }
      await keys.set(id, slot, checkedKey(key))
      keychain.learn(keys.keychainProblem)
      changed([id])
      return keys.state(id, slot)
    },

    async checkKey({ id, slot }, check) {
      const organization = get(id)
      try {
        await check(organization, slot)
      } catch (error) {
        if (!(error instanceof Failed) || !isKind(error.failure, 'key-refused')) throw error
        keys.foundBad(id, slot, error.failure.message)
        return { slot, accepted: false, checkedAt: platform.clock.now() }
      }
      keys.foundGood(id, slot)
      return { slot, accepted: true, checkedAt: platform.clock.now() }
    },

    async forgetKey({ id, slot }) {
      stored(id)
      await keys.forget(id, slot)
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
      changed([id])
      return get(id)
    },

    async find(nameOrId) {
      if (nameOrId === null) return picture.currentId === null ? null : get(picture.currentId)
      const found = picture.organizations.find(({ id, draft }) => draft.name === nameOrId || id === nameOrId)
      if (found === undefined) throw Failed.invalid('organization', `There is no organization "${nameOrId}".`)
      return record(found)
    },
    nameOf: (id) => picture.organizations.find((one) => one.id === id)?.draft.name ?? null,
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
    problems: () => keys.problems(picture.organizations).filter((problem) => problem !== null),
    onChange: listeners.add,
    scrubber: keys.known,
    keyScrubber: keys.keyScrubber,
    async close() {
      listeners.clear()
      await cleaning
      await keys.close()
    },
  }
}

const withoutPolicy: Pick<Policy, 'mustAllow' | 'refusal'> = {
  mustAllow: () => undefined,
  refusal: () => null,
}

const nameTaken = (): Failed => Failed.invalid('name', 'Another organization has this name already.')

/** `keyWorks`: one call with the key of that slot. `reconcile`: the current organization, its profile or its keys changed. */
export const organizationHandlers = (
  organizations: Organizations,
  {
    current,
    keyWorks,
    reconcile,
    forget,
  }: {
    readonly current: () => Promise<Organization>
    readonly keyWorks: (organization: Organization, slot: KeySlot) => Promise<void>
    readonly reconcile: () => Promise<void>
    readonly forget: (id: string) => Promise<void>
  },
): Handlers<'organizations'> => {
  /** The sync of the new current organization continues in the background. */
  const thenAgree = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    void reconcile()
    return result
  }
  return {
    list: () => organizations.list(),
    current,
    add: (draft) => thenAgree(organizations.add(draft)),
    update: (argument) => thenAgree(organizations.update(argument)),
    use: (argument) => thenAgree(organizations.use(argument)),
    remove: async ({ id, wait = false }) => {
      await organizations.remove({ id })
      const forgotten = forget(id)
      void reconcile()
      if (wait) await forgotten
    },
    // Until it is checked, a new key is sent in the check only: a wrong one would be refused in three streams
    // at once.
    setKey: (argument) => organizations.setKey(argument),
    withoutKeys: async ({ text }) => (await organizations.keyScrubber())(text),
    checkKey: (argument) => thenAgree(organizations.checkKey(argument, keyWorks)),
    forgetKey: (argument) => organizations.forgetKey(argument),
    useKey: (argument) => thenAgree(organizations.useKey(argument)),
    keyRegenerated: (argument) => organizations.keyRegenerated(argument),
  }
}
