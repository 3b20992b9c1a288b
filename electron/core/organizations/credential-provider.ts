import type { AppProblem } from '../../contract/api/app.ts'
import { keyNotSet, otherSlot } from '../../contract/key-slot.ts'
import { Failed, type KeySlot } from '../../contract/failure.ts'
import type { KeyState } from '../../contract/api/organizations.ts'
import type { Demonstration, Transaction } from '../platform.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { KeyRing } from '../service-client/service-client.ts'
import type { Workbook } from '../storage/workbook.ts'
import { EnvironmentKey } from './key-from-environment.ts'
import { originOf } from './key-entry.ts'
import { keyScrubberOf } from './key-learner.ts'
import { KeyRotation } from './key-rotation.ts'
import { accountOf, KeyStore } from './key-store.ts'
import { lastFourOf } from './key-text.ts'
import { KnownKeys } from './known-keys.ts'
import {
  endReminder,
  queryScope,
  writeReminder,
  writeSlotInUse,
  type KeyReminder,
  type StoredKey,
  type StoredOrganization,
  type StoredPicture,
} from './organizations-rows.ts'
import { hideOrganization } from './removal-rows.ts'

interface Profiles {
  /** Throws Failed `not-found`. */
  stored(id: string): StoredOrganization
  /** False after it was removed: results of calls in flight then belong to no organization. */
  exists(id: string): boolean
  changed(id: string): void
  /** Changes the workbook; the picture of it follows. */
  change(work: (transaction: Transaction) => void): Promise<void>
}

interface KnownRotation {
  readonly rotation: KeyRotation
  changedAt: number
  /** Resolves when the last swap is stored. */
  written: Promise<void>
}

type Source = 'stored' | 'environment' | 'demonstration'

/**
 * Provides the key of every call: where it comes from, which slot is in use, and what happens if it is
 * refused.
 */
export class CredentialProvider {
  readonly known = new KnownKeys()
  readonly #platform: OrganizationsPlatform
  readonly #workbook: Workbook
  readonly #profiles: Profiles
  readonly #store: KeyStore
  /** Removes stored keys from a text too. */
  readonly keyScrubber: ReturnType<typeof keyScrubberOf>
  readonly #environment: EnvironmentKey
  readonly #rotations = new Map<string, KnownRotation>()
  /** Times of keys that are not in the workbook: from the environment, or of a demonstration. */
  readonly #runTimes = new Map<string, { usedAt: number | null; refusedAt: number | null }>()
  #demonstrationScope = ''
  #restartedAt: number | null = null
  /** The one that runs; null: none was started. */
  #demonstration: Demonstration | null = null

  constructor(
    platform: OrganizationsPlatform,
    workbook: Workbook,
    profiles: Profiles,
    stored: readonly StoredKey[],
    environmentFor: string | null,
  ) {
    this.#platform = platform
    this.#environment = new EnvironmentKey(platform, workbook, environmentFor)
    this.#workbook = workbook
    this.#profiles = profiles
    this.#store = new KeyStore(platform, workbook, stored)
    this.keyScrubber = keyScrubberOf(platform.clock, this.#store, this.known)
    if (platform.keyFromEnvironment !== null) this.known.add(this.#environment.text)
  }

  get keychainProblem(): AppProblem | null {
    return this.#store.problem
  }

  /** The organization of the key of the environment in this run; null: none, or there is no such key. */
  get environmentKeyOf(): string | null {
    const { owner } = this.#environment
    return owner !== null && this.#profiles.exists(owner) && this.#source(owner, 'primary') === 'environment'
      ? owner
      : null
  }

  /** Call it with every new picture. */
  follow(picture: StoredPicture): void {
    this.#environment.give(picture)
    for (const id of this.#rotations.keys()) if (!this.#profiles.exists(id)) this.#rotations.delete(id)
  }

  inUse(id: string): KeySlot {
    return this.#rotations.get(id)?.rotation.inUse ?? this.#firstSlot(id)
  }

  state(id: string, slot: KeySlot): KeyState {
    const source = this.#source(id, slot)
    if (source === 'stored') return this.#store.state(id, slot, this.#origin(id))
    const key = source === 'demonstration' ? (this.#demonstration?.key ?? null) : this.#environment.text
    if (source === 'demonstration' && slot === 'secondary') return { slot, ...keyNotSet }
    const times = this.#runTimes.get(id)
    return {
      slot,
      set: true,
      lastFour: key === null ? null : lastFourOf(key),
      keptIn: source,
      addedAt: null,
      lastUsedAt: times?.usedAt ?? null,
      lastRefusedAt: times?.refusedAt ?? null,
      notBound: null,
    }
  }

  isStopped(id: string): boolean {
    return (this.#rotations.get(id)?.rotation.stopped ?? null) !== null
  }

  ring(id: string): KeyRing {
    return {
      inUse: async (origin) => {
        for (;;) {
          const rotation = this.#rotation(id)
          const slot = await rotation.turn()
          const key = await this.#key(id, slot, origin).catch((error: unknown) => {
            rotation.untried(slot)
            throw error
          })
          // While the keychain was read, another call may have been refused: then this key must not be sent.
          if (rotation.mayBeSent(slot)) return { slot, key }
        }
      },
      mayBeSent: (slot) => this.#rotation(id).mayBeSent(slot),
      refused: async (slot, message) => {
        if (!this.#profiles.exists(id)) return 'stop'
        this.#noteRefusal(id, slot)
        const answer = this.#rotation(id).refused(slot, message, this.#isSet(id, otherSlot(slot)))
        this.#moved(id)
        return answer
      },
      accepted: (slot) => {
        if (!this.#profiles.exists(id)) return
        this.#noteUse(id, slot)
        this.#rotation(id).accepted(slot)
      },
      scrubber: this.known,
    }
  }

  slotRing(id: string, slot: KeySlot): KeyRing {
    return {
      inUse: async (origin) => ({ slot, key: await this.#key(id, slot, origin) }),
      mayBeSent: () => true,
      refused: async () => {
        if (this.#profiles.exists(id)) this.#noteRefusal(id, slot)
        return 'stop'
      },
      accepted: () => {
        if (this.#profiles.exists(id)) this.#noteUse(id, slot)
      },
      scrubber: this.known,
    }
  }

  /** The key is bound to the organization's current address. */
  async set(id: string, slot: KeySlot, key: string): Promise<void> {
    this.known.add(key)
    const origin = this.#origin(id)
    if (origin === null)
      throw Failed.invalid(
        'managementUrl',
        'The organization has no usable management address. Correct the address before you enter a key.',
      )
    const stands = await this.#store.set(id, slot, key, origin)
    if (stands === 'another') await this.#profiles.change((transaction) => endReminder(transaction, id, slot))
    this.#leaveEnvironment(id)
    this.#rotation(id).replaced(slot, this.#isSet(id, this.#rotation(id).inUse))
    this.#moved(id)
  }

  async forget(id: string, slot: KeySlot): Promise<void> {
    this.#leaveEnvironment(id)
    await this.#deleteStored(id, slot)
  }

  async #deleteStored(id: string, slot: KeySlot): Promise<void> {
    await this.#store.forget(id, slot)
    // A refused key that was deleted needs no reminder; one that was swapped may still be valid at the
    // service.
    await this.#profiles.change((transaction) => endReminder(transaction, id, slot, 'refused'))
    this.#rotation(id).forgotten(slot, this.#isSet(id, otherSlot(slot)))
    this.#moved(id)
  }

  /**
   * Call it when the technician selected the key to send. Rejects with Failed `invalid` if that slot is
   * empty.
   */
  async use(id: string, slot: KeySlot): Promise<void> {
    const source = this.#source(id, 'primary')
    if (source === 'demonstration')
      throw Failed.invalid('slot', 'The demonstration has only one key, which it creates at each start.')
    if (source === 'environment')
      throw Failed.invalid(
        'slot',
        'The key of HEADROOM_KEY is used in this run. To use another key, enter it.',
      )
    if (!this.#store.isSet(id, slot))
      throw Failed.invalid('slot', `No ${slot} key is stored. Enter it first.`)
    const known = this.#known(id)
    const previous = known.rotation.inUse
    known.rotation.use(slot)
    if (previous === slot) this.#moved(id)
    else await known.written
  }

  /** The technician confirms that the replaced key was regenerated. */
  async regenerated(id: string, slot: KeySlot): Promise<void> {
    await this.#profiles.change((transaction) => endReminder(transaction, id, slot))
    this.#rotations.get(id)?.rotation.dealtWith(slot)
  }

  /**
   * Removes the organization from every list and its keys from memory at once; the keychain's entries are
   * removed with `removeLeftovers`.
   */
  async abandon(id: string): Promise<void> {
    await this.#profiles.change((transaction) => hideOrganization(transaction, id, accountOf))
    this.#store.drop(id)
    this.#runTimes.delete(id)
  }

  /**
   * The management address has a new origin: stored keys must be entered again, except those known to be
   * bound to it; a used key of the environment is no longer used.
   */
  async forgetForAddress(id: string, origin: string | null): Promise<void> {
    // Not by `#source`: the organization may have become a demonstration.
    if (this.#environment.isUsedBy(id) && (this.#runTimes.get(id)?.usedAt ?? null) !== null)
      this.#environment.setAside()
    for (const slot of ['primary', 'secondary'] as const)
      if (this.#store.isSet(id, slot) && !this.#store.isFor(id, slot, origin))
        await this.#deleteStored(id, slot)
    // What was chosen for those keys ends with them.
    this.#rotations.delete(id)
    if (!this.#store.isSet(id, 'primary') && !this.#store.isSet(id, 'secondary'))
      await this.#profiles.change((transaction) => writeSlotInUse(transaction, id, 'primary'))
  }

  foundGood(id: string, slot: KeySlot): void {
    this.#rotation(id).foundGood(slot)
    this.#moved(id)
  }

  foundBad(id: string, slot: KeySlot, message: string | null): void {
    this.#rotation(id).foundBad(slot, message, this.#isSet(id, otherSlot(slot)))
    this.#moved(id)
  }

  /** Starts the demonstration service unless it runs. One that had ended has other addresses and keys. */
  async demonstration(): Promise<Demonstration> {
    const started = await this.#platform.demonstration()
    const previous = this.#demonstration
    if (started.managementUrl === previous?.managementUrl && started.key === previous.key) return started
    this.known.add(started.key)
    if (previous !== null) this.#restartedAt = this.#platform.clock.now()
    this.#demonstration = started
    // It starts with empty windows.
    this.#demonstrationScope = this.#platform.newId()
    return started
  }

  async budgetScope(id: string): Promise<string> {
    const source = this.#source(id, 'primary')
    if (source === 'demonstration') {
      await this.demonstration()
      return this.#demonstrationScope
    }
    // An unusable key in the environment is reported by the first call, not here.
    if (source === 'environment') {
      await this.#environment.key(id).catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error
      })
    }
    return queryScope(this.#workbook, id)
  }

  problems(organizations: readonly StoredOrganization[]): readonly (AppProblem | null)[] {
    const refusals = organizations.map(({ id, draft }): AppProblem | null => {
      const known = this.#rotations.get(id)
      if (known === undefined) return null
      const { rotation, changedAt } = known
      if (rotation.stopped !== null)
        return {
          id: `key-refused:${id}`,
          failure: { kind: 'key-refused', ...rotation.stopped },
          since: changedAt,
          done: null,
        }
      if (rotation.passedOver === null || rotation.trialSlot !== null) return null
      const done = `${draft.name} continues with the ${rotation.inUse} key. Replace the ${rotation.passedOver.slot} key.`
      return {
        id: `key-swapped:${id}`,
        failure: { kind: 'key-refused', ...rotation.passedOver },
        since: changedAt,
        done,
      }
    })
    const restarted: AppProblem | null =
      this.#restartedAt === null
        ? null
        : {
            id: `demonstration-restarted:${this.#restartedAt}`,
            failure: {
              kind: 'service-unavailable',
              call: { operation: 'demonstration', host: '127.0.0.1' },
              status: null,
              message: 'The demonstration service ended.',
            },
            since: this.#restartedAt,
            done: 'The demonstration service ended and was started again, with its data as at the first start.',
          }
    return [this.#store.problem, restarted, ...refusals]
  }

  removeLeftovers(): Promise<void> {
    return this.#store.removeLeftovers()
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #source(id: string, slot: KeySlot): Source {
    if (this.#profiles.stored(id).draft.preset === 'demonstration') return 'demonstration'
    return slot === 'primary' && this.#environment.isUsedBy(id) ? 'environment' : 'stored'
  }

  #origin(id: string): string | null {
    return originOf(this.#profiles.stored(id).draft)
  }

  /** Rejects with Failed `key-missing`, `key-not-bound`, `key-unreadable`, `keychain-unavailable`, or `invalid` for an unusable key in the environment. */
  async #key(id: string, slot: KeySlot, origin: string): Promise<string> {
    const source = this.#source(id, slot)
    if (source === 'demonstration') {
      if (slot === 'secondary') throw new Failed({ kind: 'key-missing' })
      return (await this.demonstration()).key
    }
    if (source === 'environment') return this.#environment.key(id)
    const previous = this.state(id, slot).notBound
    const { key, boundTo } = await this.#store.key(id, slot)
    this.known.add(key)
    if (boundTo === origin) return key
    if (previous?.boundTo !== boundTo) this.#profiles.changed(id)
    throw new Failed({ kind: 'key-not-bound', slot, boundTo, wouldGoTo: origin })
  }

  /**
   * Call it when the technician entered or deleted a key: from now on it applies instead of the key of the
   * environment.
   */
  #leaveEnvironment(id: string): void {
    if (this.#source(id, 'primary') === 'environment') this.#environment.setAside()
  }

  /**
   * Whether a slot has a key to try after the other was refused. A key of the environment has no alternative.
   */
  #isSet(id: string, slot: KeySlot): boolean {
    return this.#source(id, 'primary') === 'stored' && this.#store.isSet(id, slot)
  }

  #noteUse(id: string, slot: KeySlot): void {
    if (this.#source(id, slot) === 'stored') this.#store.used(id, slot)
    else
      this.#runTimes.set(id, {
        usedAt: this.#platform.clock.now(),
        refusedAt: this.#runTimes.get(id)?.refusedAt ?? null,
      })
  }

  #noteRefusal(id: string, slot: KeySlot): void {
    if (this.#source(id, slot) === 'stored') this.#store.refused(id, slot)
    else
      this.#runTimes.set(id, {
        usedAt: this.#runTimes.get(id)?.usedAt ?? null,
        refusedAt: this.#platform.clock.now(),
      })
  }

  #rotation(id: string): KeyRotation {
    return this.#known(id).rotation
  }

  #known(id: string): KnownRotation {
    const known = this.#rotations.get(id)
    if (known !== undefined) return known
    const rotation = new KeyRotation(this.#platform.clock, this.#firstSlot(id), (slot) =>
      this.#swapped(id, slot),
    )
    const made: KnownRotation = {
      rotation,
      changedAt: this.#platform.clock.now(),
      written: Promise.resolve(),
    }
    this.#rotations.set(id, made)
    return made
  }

  /** The slot that was used last; a key of the environment or of a demonstration is in the primary one. */
  #firstSlot(id: string): KeySlot {
    const { slotInUse } = this.#profiles.stored(id)
    if (this.#source(id, 'primary') !== 'stored') return 'primary'
    return !this.#store.isSet(id, slotInUse) && this.#store.isSet(id, otherSlot(slotInUse))
      ? otherSlot(slotInUse)
      : slotInUse
  }

  #swapped(id: string, slot: KeySlot): void {
    this.#moved(id)
    this.#platform.log.write('info', 'Another subscription key is in use', { organization: id, slot })
    const known = this.#rotations.get(id)
    if (known === undefined) return
    const left = otherSlot(slot)
    const because = known.rotation.passedOver === null ? 'swapped' : 'refused'
    const reminder: KeyReminder | null = this.#isSet(id, left)
      ? { slot: left, since: this.#platform.clock.now(), because }
      : null
    known.written = this.#profiles
      .change((transaction) => {
        writeSlotInUse(transaction, id, slot)
        writeReminder(transaction, id, reminder)
      })
      .then(() => this.#profiles.changed(id))
      .catch(() => this.#platform.log.write('warn', 'The key in use could not be saved'))
  }

  #moved(id: string): void {
    const known = this.#rotations.get(id)
    if (known !== undefined) known.changedAt = this.#platform.clock.now()
    this.#profiles.changed(id)
  }
}
