import type { Organization } from '../../contract/api/organizations.ts'
import { orNull } from '../../contract/failure.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { methods, type Client } from '../feature.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Metadata, PublishedRelease } from '../metadata/metadata.ts'
import type { SharedDeps } from '../core-features.ts'
import type { DownloadSource } from './downloads.ts'
import type { PublishedName } from './file-bytes.ts'

export const downloadMethods = methods(
  ({
    shared,
    downloads,
    currentId,
    who,
    waiting,
    tasks,
  }: Client<SharedDeps, unknown>): {
    readonly downloads: Handlers<'downloads'>
  } => ({
    downloads: {
      start: async (query) => downloads.start(await currentId(), query, who, waiting),
      list: async () => downloads.list(await currentId()),
      get: ({ id }) => downloads.get(id),
      keep: ({ id }) => downloads.keep(id),
      pause: ({ id }) => downloads.pause(id),
      resume: ({ id }) => downloads.resume(id, waiting),
      cancel: ({ id }) => downloads.cancel(id),
      show: ({ id }) => downloads.show(id),
      chooseFolder: () => shared.platform.desktop.chooseFolder(),
      ledger: async ({ product, start, count }) => downloads.ledger(await currentId(), product, start, count),
      verify: ({ files }) =>
        tasks.run('verify', async (task) =>
          downloads.verify(await currentId().catch(() => null), files, task),
        ),
    },
  }),
)

/** What an organization provides for its downloads, of its session. */
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
