import type { Handlers } from '../../contract/rpc-client.ts'
import { systemTimeZone } from '../../contract/time-zone.ts'
import { feature, methods, type Client } from '../feature.ts'
import type { Recovery } from '../firmware/firmware.ts'
import type { SessionClients } from '../session-clients.ts'
import type { SessionBase } from '../session.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import { openDocumentCache } from './document-cache.ts'
import { openMetadata, type Metadata } from './metadata.ts'
import { openVersionWatch, rememberedVersions, type VersionWatching } from './version-watch.ts'

export const documentsFeature = feature({
  open: ({ platform, store }: Pick<SharedBase, 'platform'> & { readonly store: Store }) => ({
    gives: {
      documents: openDocumentCache({ database: store.database, clock: platform.clock, log: platform.log }),
    },
    onRowsChanged: null,
    close: null,
  }),
  handlers: null,
})

export const metadataFeature = feature({
  open(needs: SessionBase & { readonly clients: SessionClients }) {
    const { shared, organization, metadataUrl, interfaceName, statusChanged, clients } = needs
    const { clock, log } = shared.platform
    const metadata = openMetadata({
      client: clients.metadata,
      cache: shared.documents,
      baseUrl: metadataUrl,
      apiVersion: organization.metadataVersion,
      family: organization.family,
    })
    const versions = openVersionWatch({
      metadata,
      clock,
      log,
      inUse: organization.metadataVersion,
      seen: rememberedVersions(shared.workbook, interfaceName),
      timeZone: async () => (await shared.workbook.preferences()).timeZone ?? systemTimeZone(),
      changed: statusChanged,
    })
    return {
      gives: {
        metadata,
        /** Whether a newer version of the metadata interface is available. */
        versions,
      },
      onRowsChanged: null,
      close: null,
    }
  },
  handlers: null,
})

export const metadataMethods = methods(
  ({
    shared: { documents },
    sessions,
    session,
  }: Client<
    SharedDeps,
    { readonly metadata: Metadata; readonly recovery: Recovery; readonly versions: VersionWatching }
  >): { readonly metadata: Handlers<'metadata'> } => ({
    metadata: {
      telemetry: async ({ refresh }) => {
        const { value, observedAt, fromCache } = await (await session()).metadata.telemetry({ refresh })
        const { events, unreadable, raw } = value
        return {
          events,
          unreadable: { count: unreadable.length, records: unreadable.slice(0, unreadAtMost) },
          raw,
          observedAt,
          fromCache,
        }
      },
      recovery: async (query) => (await session()).recovery.look(query),
      versions: async (query) => (await session()).versions.check(query),
      cacheSize: () => documents.size(),
      clearCache: async () => {
        await sessions.forgetCatalogue(() => documents.clear())
        return documents.size()
      },
    },
  }),
)

/**
 * Maximum of unreadable records to show; all are counted. Raise it if the first ones do not show the problem.
 */
const unreadAtMost = 50
