import { Failed } from '../../contract/failure.ts'
import { variantKey, type CompareWith } from '../../contract/firmware.ts'
import type {
  Approval,
  ApprovalQuery,
  ApprovalState,
  Approvals as ApprovalList,
  ApprovedVariant,
  FirmwareRelease,
  Product,
  ProductId,
  ReleaseList,
} from '../../contract/api/firmware.ts'
import { withMeant } from '../../contract/near-words.ts'
import { unseen } from '../../contract/unseen.ts'
import { clockAt, daysFrom, momentOf } from '../../contract/time-zone.ts'
import { noteDecision, type Journal } from '../journal/journal.ts'
import type { Ask } from '../metadata/metadata.ts'
import type { Clock } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import {
  deleteApproval,
  queryApprovals,
  queryCompareWith,
  writeApproval,
  writeCompareWith,
  type StoredApproval,
} from './approval-rows.ts'
import { compareVersions, isSameVersion } from '../lists/version-order.ts'
import { Listeners } from '../listeners.ts'

/**
 * The approved version for the devices of a product and variant. `ended`: the approval expired, or the
 * version was revoked.
 */
export type Decision =
  | { readonly kind: 'valid'; readonly version: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'none' }

export interface Decisions {
  readonly comparesWith: CompareWith
  /** The variant's own valid approval, else the product's. */
  of(product: ProductId, variant: string | null): Decision
  /** When the next valid approval ends; null: none ends. */
  readonly nextEndAt: number | null
}

/** Versions that a person approved, for a product or one of its variants. */
export interface Approvals {
  /** With the names of their products. Rejects with Failed `cache-unusable`. */
  list(): Promise<ApprovalList>
  /**
   * Replaces the approval of the same product and variant. Rejects with Failed `invalid` for an empty reason
   * or a past last day, `not-found` if no release has this version or it was revoked. If the list
   * of releases cannot be read and the catalogue has no such release: with the failure of the list.
   */
  approve(query: ApprovalQuery): Promise<Approval>
  /** Rejects with Failed `not-found` if nothing is approved for it. */
  unapprove(one: ApprovedVariant): Promise<void>
  compareWith(word: CompareWith): Promise<void>
  /** From stored data; sends no request. */
  decisions(): Promise<Decisions>
  /**
   * The approved version for a product or variant. Rejects with Failed `not-found`: none, ended, or different
   * for each variant.
   */
  versionFor(product: ProductId, variant: string | null): Promise<string>
  /** Sentences about approvals that ended: a revoked version, a past last day. */
  warnings(): Promise<readonly string[]>
  /** Called when an approval or the switch was changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export interface ApprovalDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly workbook: Workbook
  readonly journal: Pick<Journal, 'begin' | 'end'>
  readonly organization: { readonly id: string; readonly name: string }
  readonly who: string
  /** IANA name of the time zone of days. */
  readonly timeZone: () => Promise<string>
  /** Rejects with Failed. */
  readonly releases: (product: ProductId, ask: Ask) => Promise<Pick<ReleaseList, 'releases' | 'unread'>>
  readonly product: (product: ProductId) => Promise<Product>
}

export function openApprovals(deps: ApprovalDeps): Approvals {
  const { clock, workbook, journal, organization, who, timeZone, releases, product } = deps
  const organizationId = organization.id
  const listeners = new Listeners()
  const changed = listeners.notify

  const known = async (id: ProductId, ask: Ask): Promise<readonly FirmwareRelease[]> => {
    try {
      return (await releases(id, ask)).releases
    } catch (error) {
      if (error instanceof Failed) return []
      throw error
    }
  }

  async function stateOf(one: StoredApproval): Promise<ApprovalState> {
    if (one.expiresAt !== null && one.expiresAt <= clock.now()) return 'expired'
    return isRevoked(withVersion(await known(one, { cachedOnly: true }), one.version)) ? 'revoked' : 'valid'
  }

  const withStates = async (): Promise<
    readonly { readonly one: StoredApproval; readonly state: ApprovalState }[]
  > =>
    Promise.all(
      (await queryApprovals(workbook, organizationId)).map(async (one) => ({
        one,
        state: await stateOf(one),
      })),
    )

  async function publicView(one: StoredApproval, state: ApprovalState): Promise<Approval> {
    const { vendorId, productId, variant, version, reason, who: by, at, expiresAt } = one
    const { name } = await product({ vendorId, productId })
    return {
      product: { vendorId, productId, name },
      variant,
      version,
      reason,
      who: by,
      at,
      expiresAt,
      state,
    }
  }

  async function approve(query: ApprovalQuery): Promise<Approval> {
    const { vendorId, productId, version } = query
    const reason = query.reason.trim()
    if (reason.replaceAll(unseen, '').trim() === '')
      throw Failed.invalid('reason', 'Enter a reason for the approval.')
    const variant = query.variant?.trim() ?? ''
    const expiresAt = query.expires === null ? null : await afterDay(query.expires)
    const { releases: list, unread } = await releases({ vendorId, productId }, {})
    const same = version === 'latest' ? list.filter((one) => one.latest) : withVersion(list, version)
    const { name, variants } = await product({ vendorId, productId })
    if (variant !== '' && !variants.some((one) => variantKey(one.variantType) === variantKey(variant)))
      throw Failed.notFound(`variant ${variant} of ${name}`)
    const [release] = same
    // The catalogue is shown in place of an unread list, but lacks releases, and none of it is the latest.
    if (release === undefined && unread !== undefined) throw new Failed(unread)
    if (release === undefined || isRevoked(same))
      throw Failed.notFound(
        release === undefined
          ? withMeant(
              `release ${version} of ${name}`,
              version,
              list.flatMap((one) => (isRevoked([one]) ? [] : one.version)),
            )
          : `release ${version} of ${name} that was not revoked`,
      )
    const one: StoredApproval = {
      vendorId,
      productId,
      variant: variant === '' ? null : variant,
      version: release.version,
      reason,
      who,
      at: clock.now(),
      expiresAt,
    }
    await decide('ApproveFirmware', one, name, one, () =>
      workbook.write((transaction) => writeApproval(transaction, organizationId, one)),
    )
    return publicView(one, 'valid')
  }

  const approvalOf = async (of: ApprovedVariant): Promise<StoredApproval | undefined> =>
    (await queryApprovals(workbook, organizationId)).find(
      (one) => keyOf(one, one.variant) === keyOf(of, of.variant),
    )

  /** Writes a journal line with the previous and the new approval. */
  async function decide(
    operation: 'ApproveFirmware' | 'UnapproveFirmware',
    of: ApprovedVariant,
    name: string,
    now: StoredApproval | null,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const before = await approvalOf(of)
    const line = {
      organization,
      operation,
      deviceIds: [],
      who,
      target: {
        of: 'organization',
        id: organizationId,
        name: of.variant === null ? name : `${name}, variant ${of.variant}`,
      },
      before: before?.version ?? null,
      after: now === null ? null : `${now.version}: ${now.reason}`,
    } as const
    await noteDecision(journal, line, now?.reason ?? null, work)
    changed()
  }

  /** The first moment after a day, which must not be in the past. */
  async function afterDay(day: string): Promise<number> {
    const zone = await timeZone()
    const bad = (message: string): Failed => Failed.invalid('expires', message)
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw bad(`${day} is not a date. Write it like 2026-12-31.`)
    const [, next] = daysOrNone(day)
    if (next === undefined) throw bad(`The date ${day} does not exist.`)
    if (day < clockAt(zone, clock.now()).day) throw bad(`${day} is in the past.`)
    // If the clocks are set forward at midnight, the day begins an hour later.
    return momentOf(zone, next, 0) ?? momentOf(zone, next, 60) ?? Date.parse(next)
  }

  async function decisions(): Promise<Decisions> {
    const [comparesWith, all] = await Promise.all([queryCompareWith(workbook, organizationId), withStates()])
    const byKey = new Map(all.map((entry) => [keyOf(entry.one, entry.one.variant), entry]))
    const endTimes = all.flatMap(({ one, state }) => (state === 'valid' ? (one.expiresAt ?? []) : []))
    return {
      comparesWith,
      of(id, variant) {
        const both = [
          ...(variantKey(variant) === '' ? [] : [byKey.get(keyOf(id, variant))]),
          byKey.get(keyOf(id, null)),
        ].filter((entry) => entry !== undefined)
        const valid = both.find(({ state }) => state === 'valid')
        if (valid !== undefined) return { kind: 'valid', version: valid.one.version }
        return { kind: both.length > 0 ? 'ended' : 'none' }
      },
      nextEndAt: endTimes.length === 0 ? null : Math.min(...endTimes),
    }
  }

  async function versionFor(id: ProductId, variant: string | null): Promise<string> {
    const [decided, { name, variants }] = await Promise.all([decisions(), product(id)])
    const requested = variant === null ? [null, ...variants.map((one) => one.variantType)] : [variant]
    const all = requested.map((one) => ({ variant: one, decision: decided.of(id, one) }))
    const valid = all.flatMap(({ variant: of, decision }) =>
      decision.kind === 'valid' ? [{ of, version: decision.version }] : [],
    )
    const [first] = valid
    if (first === undefined)
      throw Failed.notFound(
        all.some(({ decision }) => decision.kind === 'ended')
          ? `an approved version of ${name} that has not expired`
          : `an approved version of ${name}`,
      )
    const another = valid.find(({ version }) => compareVersions(version, first.version) !== 0)
    if (another === undefined) return first.version
    throw Failed.notFound(
      `one approved version of ${name}: ${[first, another].map(({ of, version }) => `${version} for ${of === null ? 'the product' : `variant ${of}`}`).join(', ')}`,
    )
  }

  return {
    async list() {
      const [comparedWith, all] = await Promise.all([
        queryCompareWith(workbook, organizationId),
        withStates(),
      ])
      return {
        comparedWith,
        approvals: await Promise.all(all.map(({ one, state }) => publicView(one, state))),
      }
    },
    approve,
    async unapprove(one) {
      const { name } = await product(one)
      if ((await approvalOf(one)) === undefined)
        throw Failed.notFound(
          `an approved version of ${name}${one.variant === null ? '' : ` variant ${one.variant}`}`,
        )
      await decide('UnapproveFirmware', one, name, null, () =>
        workbook.write((transaction) => deleteApproval(transaction, organizationId, one)),
      )
    },
    async compareWith(word) {
      await workbook.write((transaction) => writeCompareWith(transaction, organizationId, word))
      changed()
    },
    decisions,
    versionFor,
    async warnings() {
      const ended = (await withStates()).filter(({ state }) => state !== 'valid')
      return Promise.all(
        ended.map(async ({ one: { vendorId, productId, variant, version }, state }) => {
          const { name } = await product({ vendorId, productId })
          const of = variant === null ? name : `${name}, variant ${variant},`
          return state === 'revoked'
            ? `Version ${version} of ${of} is approved, but the vendor revoked it. Approve another version.`
            : `The approval of version ${version} of ${of} has expired. Its devices are compared with the latest version.`
        }),
      )
    },
    onChange: listeners.add,
  }
}

const keyOf = ({ vendorId, productId }: ProductId, variant: string | null): string =>
  JSON.stringify([vendorId, productId, variantKey(variant)])

const withVersion = (list: readonly FirmwareRelease[], version: string): readonly FirmwareRelease[] =>
  list.filter((one) => compareVersions(one.version, version) === 0)

const isRevoked = (same: readonly FirmwareRelease[]): boolean =>
  same.length > 0 && same.every((one) => one.revoked)

/** A day and the next; none if the calendar has no such day. */
function daysOrNone(day: string): readonly string[] {
  try {
    return daysFrom(day, 2)
  } catch {
    return []
  }
}

/** Result of comparing a device's version with its approved version. */
export function approvedWord(
  decision: Decision,
  installed: string | null,
): 'yes' | 'no' | 'none' | 'expired' {
  if (decision.kind !== 'valid') return decision.kind === 'ended' ? 'expired' : 'none'
  return isSameVersion(installed, decision.version) ? 'yes' : 'no'
}
