import { Failed, foundOrNull } from '../../contract/failure.ts'
import type { FirmwareRelease, ProductId, ReleaseList } from '../../contract/api/firmware.ts'
import type { FirmwareRefusal } from '../../contract/api/jobs.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Approvals } from './approvals.ts'
import { downgradeAllowed } from './product-details.ts'

/** The data that decides whether devices of a product may be updated, and to which version. */
export interface UpdateRule {
  readonly name: string
  readonly releases: readonly Pick<FirmwareRelease, 'version' | 'revoked' | 'latest'>[]
  /** The catalogue says so. */
  readonly downgradeAllowed: boolean
  /** The valid approved version of a variant; null: none. */
  readonly approved: (variant: string | null) => string | null
}

/** Rejects with Failed if the releases or the catalogue cannot be read. */
export async function fetchUpdateRule(
  parts: {
    readonly firmware: { readonly releases: (id: ProductId) => Promise<ReleaseList> }
    readonly metadata: Pick<Metadata, 'catalogue'>
    readonly approvals: Pick<Approvals, 'decisions'>
  },
  id: ProductId,
): Promise<UpdateRule> {
  const [{ product, releases, unread }, catalogue, decisions] = await Promise.all([
    parts.firmware.releases(id),
    foundOrNull(parts.metadata.catalogue()),
    parts.approvals.decisions(),
  ])
  if (unread !== undefined) throw new Failed(unread)
  return {
    name: product.name,
    releases,
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
  const same =
    wanted === null
      ? []
      : rule.releases.filter((one) =>
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
