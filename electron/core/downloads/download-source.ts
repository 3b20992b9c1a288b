import type { Organization } from '../../contract/api/organizations.ts'
import { Failed } from '../../contract/failure.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Metadata, PublishedRelease } from '../metadata/metadata.ts'
import type { DownloadSource } from './downloads.ts'
import type { PublishedName } from './verifying.ts'

/** What the session of an organization tells of its files. */
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
      const catalogue = await orNull(metadata.catalogue({ keptOnly: true }))
      const names: PublishedName[] = []
      for (const { name, variants, releases } of catalogue?.value.products ?? []) {
        const ids = new Map(
          variants.map(({ vendorId, productId }) => [`${vendorId}/${productId}`, { vendorId, productId }]),
        )
        for (const id of ids.values()) {
          const own = await orNull(metadata.firmwareReleases(id, { keptOnly: true }))
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

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failed) return null
    throw error
  }
}
