import type { AppProblem } from '../../contract/api/app.ts'
import { Failed, type KeySlot } from '../../contract/failure.ts'
import type { KeyState } from '../../contract/api/organizations.ts'
import { keyNotSet, otherSlot } from '../../contract/key-slot.ts'
import { KeychainError } from '../platform.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { entryOf, parseEntry, type BoundKey } from './key-entry.ts'
import { noteFingerprint } from './key-fingerprint.ts'
import { lastFourOf } from './key-text.ts'
import {
  addLeftover,
  deleteKey,
  deleteLeftover,
  leftovers,
  storedFingerprint,
  writeKey,
  writeKeyTimes,
  type StoredKey,
} from './organizations-rows.ts'

/**
 * Minimum interval of storing "last used" for a key; the final time is stored when the program ends. Raise it
 * if the writes cost time.
 */
const writeUseEveryMs = 60_000

interface Facts extends StoredKey {
  readonly keptIn: 'keychain' | 'memory'
}

export const accountOf = (organizationId: string, slot: KeySlot): string => `${organizationId}:${slot}`

/**
 * Stores the subscription keys that a technician entered: in the keychain, or in memory for this run if the
 * keychain cannot be used. Facts about them (never the key) are in the workbook.
 */
export class KeyStore {
  readonly #platform: OrganizationsPlatform
  readonly #workbook: Workbook
  readonly #facts: Map<string, Facts>
  readonly #keys = new Map<string, BoundKey>()
  readonly #reading = new Map<string, Promise<BoundKey>>()
  readonly #usedWrittenAt = new Map<string, number>()
  /** Changes of the keychain, one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  #problem: AppProblem | null = null

  constructor(platform: OrganizationsPlatform, workbook: Workbook, stored: readonly StoredKey[]) {
    this.#platform = platform
    this.#workbook = workbook
    this.#facts = new Map(
      stored.map((key) => [accountOf(key.organizationId, key.slot), { ...key, keptIn: 'keychain' }]),
    )
  }

  get problem(): AppProblem | null {
    return this.#problem
  }

  isSet(organizationId: string, slot: KeySlot): boolean {
    return this.#facts.has(accountOf(organizationId, slot))
  }

  /** The facts about the key, for the origin to which it would be sent (null: an invalid address). */
  state(organizationId: string, slot: KeySlot, origin: string | null): KeyState {
    const account = accountOf(organizationId, slot)
    const facts = this.#facts.get(account)
    if (facts === undefined) return { slot, ...keyNotSet }
    const { lastFour, keptIn, addedAt, lastUsedAt, lastRefusedAt } = facts
    const parsed = this.#keys.get(account)
    const notBound = parsed === undefined || parsed.boundTo === origin ? null : { boundTo: parsed.boundTo }
    return { slot, set: true, lastFour, keptIn, addedAt, lastUsedAt, lastRefusedAt, notBound }
  }

  /** Whether the key is known to be bound to this origin; false also if this run has not read it yet. */
  isFor(organizationId: string, slot: KeySlot, origin: string | null): boolean {
    return this.#keys.get(accountOf(organizationId, slot))?.boundTo === origin
  }

  /** Stored keys that this run has not read from the keychain yet. */
  unread(): readonly Pick<StoredKey, 'organizationId' | 'slot'>[] {
    return [...this.#facts].flatMap(([account, { organizationId, slot }]) =>
      this.#keys.has(account) ? [] : [{ organizationId, slot }],
    )
  }

  /**
   * The key and the origin it is bound to, for the caller to compare. An entry is read once a run: one that is
   * changed in the keychain meanwhile applies from the next start. Rejects with Failed `key-missing`,
   * `key-unreadable` or `keychain-unavailable`.
   */
  async key(organizationId: string, slot: KeySlot): Promise<BoundKey> {
    const account = accountOf(organizationId, slot)
    if (!this.#facts.has(account)) throw new Failed({ kind: 'key-missing' })
    const known = this.#keys.get(account)
    if (known !== undefined) return known
    const running = this.#reading.get(account)
    if (running !== undefined) return running
    const reading = this.#load(account, slot).finally(() => this.#reading.delete(account))
    this.#reading.set(account, reading)
    return reading
  }

  async #load(account: string, slot: KeySlot): Promise<BoundKey> {
    const previous = this.#facts.get(account)
    let entry: string | null
    try {
      entry = await this.#platform.keychain.get(account)
      if (entry === null) await this.#explainNothing()
    } catch (error) {
      throw this.#unavailable(error, 'The key is still stored. Headroom reads it again with the next call.')
    }
    if (entry === null) throw new Failed({ kind: 'key-missing' })
    this.#problem = null
    const parsed = parseEntry(entry)
    if (parsed === null) throw new Failed({ kind: 'key-unreadable', slot })
    // Replaced or deleted while the keychain was read: the next call reads the current entry.
    if (this.#facts.get(account)?.fingerprintId === previous?.fingerprintId) this.#keys.set(account, parsed)
    return parsed
  }

  /** keytar returns null for a locked keyring too, so null for a stored key never means "no key". */
  async #explainNothing(): Promise<never> {
    const state = await this.#platform.keychain.state()
    if (!state.usable) throw new KeychainError(state.reason, state.message)
    throw new KeychainError(
      'locked',
      'A key was stored in the keychain, but the keychain reports no entry. It is locked, or another program removed the entry. Unlock the keychain and try again. If that does not help, enter the key again.',
    )
  }

  /**
   * Stores a checked key, bound to an origin, and returns whether it differs from the previous one; rejects
   * with Failed `invalid` if the other slot has it. Also resolves if the keychain cannot be used: then the
   * key exists for this run, and `problem` says so.
   */
  set(organizationId: string, slot: KeySlot, key: string, origin: string): Promise<'another' | 'same'> {
    return this.#inTurn(async () => {
      const account = accountOf(organizationId, slot)
      const fingerprintId = await noteFingerprint(this.#platform, this.#workbook, organizationId, key)
      const other = otherSlot(slot)
      if (this.#facts.get(accountOf(organizationId, other))?.fingerprintId === fingerprintId) {
        throw Failed.invalid('key', `This key is already stored as the ${other} key. Enter a different one.`)
      }
      const previous = this.#facts.get(account)
      const same = previous?.fingerprintId === fingerprintId
      const stored: StoredKey = {
        organizationId,
        slot,
        lastFour: lastFourOf(key),
        fingerprintId,
        addedAt: this.#platform.clock.now(),
        lastUsedAt: same ? previous.lastUsedAt : null,
        lastRefusedAt: null,
      }
      const keptIn = await this.#keep(account, stored, entryOf(key, origin))
      this.#facts.set(account, { ...stored, keptIn })
      this.#keys.set(account, { key, boundTo: origin })
      return same ? 'same' : 'another'
    })
  }

  async #keep(account: string, stored: StoredKey, entry: string): Promise<'keychain' | 'memory'> {
    try {
      await this.#platform.keychain.set(account, entry)
    } catch (error) {
      this.#unavailable(
        error,
        'The subscription key is kept in memory for this run. Enter it again after the next start.',
      )
      await this.#workbook.write((transaction) => {
        // The keychain may contain an older key, which must not be used at the next start.
        const known = storedFingerprint(transaction, stored.organizationId, stored.slot)
        if (known === null || known === stored.fingerprintId) return
        deleteKey(transaction, stored.organizationId, stored.slot)
        addLeftover(transaction, account)
      })
      return 'memory'
    }
    this.#problem = null
    await this.#workbook.write((transaction) => {
      writeKey(transaction, stored)
      deleteLeftover(transaction, account)
    })
    return 'keychain'
  }

  /**
   * Deletes the key here at once; an entry that the keychain cannot remove now is removed as soon as
   * possible.
   */
  forget(organizationId: string, slot: KeySlot): Promise<void> {
    return this.#inTurn(async () => {
      const account = accountOf(organizationId, slot)
      if (!this.#facts.has(account)) return
      await this.#workbook.write((transaction) => {
        if (storedFingerprint(transaction, organizationId, slot) === null) return // it was in memory only
        deleteKey(transaction, organizationId, slot)
        addLeftover(transaction, account)
      })
      this.#drop(account)
      await this.#clean()
    })
  }

  /** Deletes here the keys that the workbook lists for removal from the keychain. */
  drop(organizationId: string): void {
    for (const slot of ['primary', 'secondary'] as const) this.#drop(accountOf(organizationId, slot))
  }

  /** Removes entries that could not be removed earlier. Never rejects because of the keychain. */
  removeLeftovers(): Promise<void> {
    return this.#inTurn(() => this.#clean())
  }

  async #clean(): Promise<void> {
    for (const account of await leftovers(this.#workbook)) {
      try {
        await this.#platform.keychain.remove(account)
      } catch (error) {
        this.#unavailable(
          error,
          'A forgotten key may still be in the keychain. It is removed from there as soon as the keychain can be used.',
        )
        return
      }
      await this.#workbook.write((transaction) => deleteLeftover(transaction, account))
    }
  }

  used(organizationId: string, slot: KeySlot): void {
    const account = accountOf(organizationId, slot)
    const now = this.#platform.clock.now()
    if (
      this.#note(account, { lastUsedAt: now }) &&
      now - (this.#usedWrittenAt.get(account) ?? -Infinity) >= writeUseEveryMs
    )
      this.#writeTimes(account)
  }

  refused(organizationId: string, slot: KeySlot): void {
    const account = accountOf(organizationId, slot)
    if (this.#note(account, { lastRefusedAt: this.#platform.clock.now() })) this.#writeTimes(account)
  }

  async close(): Promise<void> {
    for (const account of this.#facts.keys()) this.#writeTimes(account)
    await this.#turn
  }

  #note(account: string, times: Partial<Pick<Facts, 'lastUsedAt' | 'lastRefusedAt'>>): boolean {
    const facts = this.#facts.get(account)
    if (facts === undefined) return false
    this.#facts.set(account, { ...facts, ...times })
    return true
  }

  #writeTimes(account: string): void {
    this.#usedWrittenAt.set(account, this.#platform.clock.now())
    this.#inTurn(async () => {
      const facts = this.#facts.get(account)
      if (facts?.keptIn === 'keychain')
        await this.#workbook.write((transaction) => writeKeyTimes(transaction, facts))
    }).catch(() => this.#platform.log.write('warn', 'The time a key was used could not be saved'))
  }

  #drop(account: string): void {
    this.#facts.delete(account)
    this.#keys.delete(account)
    this.#usedWrittenAt.delete(account)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Stores the keychain's error and returns it as a Failed; any other error is rethrown. */
  #unavailable(error: unknown, done: string): Failed {
    if (!(error instanceof KeychainError)) throw error
    const failure = { kind: 'keychain-unavailable', reason: error.reason, message: error.message } as const
    if (this.#problem === null)
      this.#platform.log.write('warn', 'The keychain cannot be used', { reason: error.reason })
    this.#problem = {
      id: 'keychain',
      failure,
      since: this.#problem?.since ?? this.#platform.clock.now(),
      done,
    }
    return new Failed(failure)
  }
}
