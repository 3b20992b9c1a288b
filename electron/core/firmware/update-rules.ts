import { Failed, foundOrNull, isKind, orNull, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { FirmwareRelease, ProductId } from '../../contract/api/firmware.ts'
import type { FirmwareRefusal } from '../../contract/api/jobs.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'
import { namesOtherProduct, NotPublished, type Metadata } from '../metadata/metadata.ts'
import type { Approvals } from './approvals.ts'
import type { Firmware } from './firmware.ts'
import { downgradeAllowed } from './product-details.ts'
import { productName } from './product-list.ts'

interface OfferedRelease extends Pick<FirmwareRelease, 'version' | 'revoked' | 'latest'> {
  /** False: its record names variants, and this one is not among them. Missing: it is for all. */
  readonly isFor?: (variantType: string) => boolean
}

/** The data that decides whether devices of a product may be updated, and to which version. */
export interface UpdateRule {
  readonly name: string
  readonly releases: readonly OfferedRelease[]
  /** When the service last sent the list. */
  readonly observedAt: number
  /** The catalogue says so. */
  readonly downgradeAllowed: boolean
  /** The valid approved version of a variant; null: none. */
  readonly approved: (variant: string | null) => string | null
}

interface RuleParts {
  readonly firmware: Pick<Firmware, 'releases' | 'releaseList' | 'releasesNow' | 'product'>
  readonly metadata: Pick<Metadata, 'catalogue'>
  readonly approvals: Pick<Approvals, 'decisions'>
}

/** Rejects with Failed if the releases or the catalogue cannot be read. */
export async function fetchUpdateRule(
  parts: Omit<RuleParts, 'firmware'> & { readonly firmware: Pick<Firmware, 'releaseList'> },
  id: ProductId,
): Promise<UpdateRule> {
  const { product, ordered, unread, source } = await parts.firmware.releaseList(id)
  if (unread !== null) throw new Failed(unread)
  return ruleOf(parts, id, { name: productName(product), releases: ordered, observedAt: source.observedAt })
}

/**
 * The same after the service was asked again, before something is sent. A product that is published nowhere
 * any more has no releases. Rejects with Failed `releases-unread` if the service did not answer for the list.
 */
export async function fetchRuleNow(
  parts: RuleParts,
  id: ProductId,
  signal: AbortSignal,
): Promise<UpdateRule> {
  const { name } = await parts.firmware.product(id, { cachedOnly: true })
  const failed = (observedAt: number | null): Failed =>
    new Failed({ kind: 'releases-unread', product: name, observedAt })
  try {
    const { ordered, isAnswered, readAt, unread } = await parts.firmware.releasesNow(id, signal)
    if (!isAnswered) throw failed(unread === null ? readAt : null)
    return await ruleOf(parts, id, { name, releases: ordered, observedAt: readAt })
  } catch (error) {
    if (!(error instanceof Failed) || !isAboutTheList(error.failure)) throw error
    if (error instanceof NotPublished && !error.fromCache)
      return ruleOf(parts, id, { name, releases: [], observedAt: error.observedAt })
    const last = await orNull(parts.firmware.releases(id, { cachedOnly: true }))
    throw failed(last === null || last.unread !== undefined ? null : last.observedAt)
  }
}

/** Nothing was learnt about the list: the work was ended, or stored data cannot be used. */
const isAboutTheList = (failure: Failure): boolean => {
  const { reach, copyHelps } = policyOf(failure)
  return reach === 'one' ? !isKind(failure, 'releases-unread') : copyHelps === 'always'
}

async function ruleOf(
  parts: Pick<RuleParts, 'metadata' | 'approvals'>,
  id: ProductId,
  list: Pick<UpdateRule, 'name' | 'observedAt'> & { readonly releases: readonly FirmwareRelease[] },
): Promise<UpdateRule> {
  // After the list: an approval ends when its version is revoked.
  const [catalogue, decisions] = await Promise.all([
    foundOrNull(parts.metadata.catalogue()),
    parts.approvals.decisions(),
  ])
  return {
    ...list,
    releases: list.releases.map(({ version, revoked, latest, raw }) => ({
      version,
      revoked,
      latest,
      isFor: (variantType) => !namesOtherProduct(raw, [{ ...id, variantType }]),
    })),
    downgradeAllowed: downgradeAllowed(catalogue?.value ?? null, id) === true,
    approved: (variant) => {
      const decision = decisions.of(id, variant)
      return decision.kind === 'valid' ? decision.version : null
    },
  }
}

export interface WantedUpdate {
  /** A version, `latest`, `approved`, or `advised`: the approved one, else the latest. */
  readonly version: string
  readonly allowDowngrade: boolean
}

/** The version for a device, as published, and why it is not updated; null: it is. */
export function judgedUpdate(
  rule: UpdateRule,
  device: { readonly firmwareVersion: string | null; readonly variantType: string | null },
  { version, allowDowngrade }: WantedUpdate,
): { readonly version: string; readonly refusal: FirmwareRefusal | 'as-wanted' | null } {
  const approved = rule.approved(device.variantType)
  const wanted = version === 'approved' ? approved : version === 'advised' ? (approved ?? 'latest') : version
  const { variantType } = device
  const own = rule.releases.filter(({ isFor }) => variantType === null || isFor?.(variantType) !== false)
  const same =
    wanted === null
      ? []
      : own.filter((one) =>
          wanted === 'latest' ? one.latest : isVersion(wanted) && compareVersions(one.version, wanted) === 0,
        )
  const release = same.find(({ revoked }) => !revoked) ?? same[0]
  if (release === undefined) return { version: wanted ?? version, refusal: 'no-release' }
  const answer = (refusal: FirmwareRefusal | 'as-wanted' | null) => ({ version: release.version, refusal })
  if (release.revoked) return answer('revoked')
  const now = device.firmwareVersion
  if (now === null || !isVersion(now)) return answer(allowDowngrade ? null : 'version-unknown')
  const order = compareVersions(now, release.version)
  if (order === 0) return answer('as-wanted')
  if (order < 0) return answer(null)
  return answer(rule.downgradeAllowed ? (allowDowngrade ? null : 'downgrade') : 'no-downgrade')
}
