import type {
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareRelease,
  ProductId,
} from '../../contract/api/firmware.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { Failed, orNull } from '../../contract/failure.ts'
import type { Firmware } from '../firmware/firmware.ts'
import { compareVersions } from '../lists/version-order.ts'
import type { Metadata, PublishedRelease } from '../metadata/metadata.ts'
import type { PublishedFile } from './download-rows.ts'
import { addressRefused } from './file-request.ts'
import type { PublishedName } from './file-bytes.ts'

/** What one organization provides for its downloads. */
export interface DownloadSource {
  readonly organization: { readonly id: string; readonly name: string }
  /** Of the metadata address. */
  readonly ownOrigin: string
  /** The owner of the ledger: the demonstration is one origin on every port. */
  readonly ledgerOrigin: string
  product(id: ProductId): Promise<{ readonly name: string }>
  link(query: FirmwareLinkQuery & { readonly refresh: boolean }): Promise<FirmwareLink>
  /** Empty if the releases cannot be read. */
  releases(id: ProductId): Promise<readonly FirmwareRelease[]>
  /** From the cached catalogue; sends no request. */
  published(): Promise<readonly PublishedName[]>
}

/** Creates it from the session of an organization. */
export function downloadSource(
  {
    organization,
    firmware,
    metadata,
  }: {
    readonly organization: Organization
    readonly firmware: Pick<Firmware, 'product' | 'link' | 'releases'>
    readonly metadata: Pick<Metadata, 'catalogue' | 'firmwareReleases'>
  },
  metadataUrl: string,
): DownloadSource {
  const { origin } = new URL(metadataUrl)
  return {
    organization,
    ownOrigin: origin,
    ledgerOrigin: organization.preset === 'demonstration' ? organization.preset : origin,
    product: (id) => firmware.product(id),
    link: (query) => firmware.link(query),
    releases: async (id) => (await orNull(firmware.releases(id)))?.releases ?? [],
    async published() {
      const catalogue = await orNull(metadata.catalogue({ cachedOnly: true }))
      const names: PublishedName[] = []
      for (const { name, variants, releases } of catalogue?.value.products ?? []) {
        const ids = new Map(
          variants.map(({ vendorId, productId }) => [`${vendorId}/${productId}`, { vendorId, productId }]),
        )
        for (const id of ids.values()) {
          const own = await orNull(metadata.firmwareReleases(id, { cachedOnly: true }))
          names.push(...namesOf({ ...id, name }, [...releases, ...(own?.value.releases ?? [])]))
        }
      }
      return names
    },
  }
}

const namesOf = (
  product: Pick<PublishedName, 'vendorId' | 'productId' | 'name'>,
  releases: readonly PublishedRelease[],
): readonly PublishedName[] =>
  releases.map(({ version, fileName, md5 }) => ({ ...product, version, fileName, md5 }))

/** An allowed link, and the published values of its file. Rejects with Failed. */
export async function lookedUp(
  from: DownloadSource,
  query: FirmwareLinkQuery & { readonly refresh: boolean },
): Promise<{
  readonly link: FirmwareLink & { readonly url: string }
  readonly published: PublishedFile
  readonly isRevoked: boolean
}> {
  const link = await from.link(query)
  const { url, refused, bytes, md5, version } = link
  if (url === null)
    throw refused === null
      ? Failed.notFound(`a download address for version ${version}`)
      : addressRefused(refused, /^http:/i.test(refused) ? 'not-https' : 'not-an-address')
  const named = (await from.releases(query)).filter(
    (release) => compareVersions(release.version, version) === 0,
  )
  // The values of the link's own record and those of the release list for the same version, because both were
  // published.
  return {
    link: { ...link, url },
    published: {
      sizes: [...new Set([bytes, ...named.map(({ fileSize }) => fileSize)])].filter((size) => size !== null),
      md5s: [...new Set([md5, ...named.map((release) => release.md5)])].filter((one) => one !== null),
    },
    isRevoked: named.length > 0 && named.every(({ revoked }) => revoked),
  }
}
