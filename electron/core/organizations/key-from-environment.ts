import { Failed, failedWith } from '../../contract/failure.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { noteFingerprint } from './key-fingerprint.ts'
import { checkedKey } from './key-text.ts'
import type { StoredPicture } from './organizations-rows.ts'

/** The key of HEADROOM_KEY: it belongs to one organization during the run, and is never stored. */
export class EnvironmentKey {
  readonly #platform: OrganizationsPlatform
  readonly #workbook: Workbook
  /** The name or id of the organization named on the command line: the key belongs to it. */
  readonly #for: string | null
  #owner: string | null = null
  #isNoted = false
  #isSetAside = false

  constructor(platform: OrganizationsPlatform, workbook: Workbook, belongsTo: string | null) {
    this.#platform = platform
    this.#workbook = workbook
    this.#for = belongsTo
  }

  /** Without outer white space; empty: there is none. */
  get text(): string {
    return (this.#platform.keyFromEnvironment ?? '').trim()
  }

  /**
   * The organization that it belongs to: it must never be sent to another one's host. null: none of the
   * current organizations.
   */
  get owner(): string | null {
    return this.#owner
  }

  /**
   * It belongs to the organization named on the command line; else to the first organization that becomes
   * current and is not a demonstration, for the whole run.
   */
  give({ organizations, currentId }: StoredPicture): void {
    if (this.#owner !== null || this.text === '') return
    const named = this.#for
    const owner = organizations.find(({ id, draft }) =>
      named === null ? id === currentId : id === named || draft.name === named,
    )
    if (owner === undefined || owner.draft.preset === 'demonstration') return
    this.#owner = owner.id
    this.#platform.log.write('info', 'The key of HEADROOM_KEY is used for one organization in this run', {
      organization: owner.id,
    })
  }

  /** Whether it is used in place of the organization's primary key. */
  isUsedBy(id: string): boolean {
    return !this.#isSetAside && this.text !== '' && id === this.#owner
  }

  /** Call it when a key was entered: from now on that key applies. */
  setAside(): void {
    this.#isSetAside = true
  }

  /** Rejects with Failed `invalid` if it cannot be a key. */
  async key(id: string): Promise<string> {
    const key = this.#checked()
    if (!this.#isNoted) {
      await noteFingerprint(this.#platform, this.#workbook, id, key)
      this.#isNoted = true
    }
    return key
  }

  #checked(): string {
    try {
      return checkedKey(this.#platform.keyFromEnvironment ?? '')
    } catch (error) {
      throw failedWith(error, 'invalid') ? new Failed({ ...error.failure, field: 'HEADROOM_KEY' }) : error
    }
  }
}
