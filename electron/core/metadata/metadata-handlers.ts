import type { Handlers } from '../../contract/rpc-client.ts'
import type { Recovery } from '../firmware/firmware.ts'
import type { DocumentCache, Metadata } from './metadata.ts'
import type { VersionWatching } from './version-watch.ts'

/** `forgetCatalogue`: deletes the cached catalogues through the given function. */
export const metadataHandlers = ({
  documents,
  session,
  forgetCatalogue,
}: {
  readonly documents: DocumentCache
  readonly session: () => Promise<{
    readonly metadata: Metadata
    readonly recovery: Recovery
    readonly versions: VersionWatching
  }>
  readonly forgetCatalogue: (clear: () => Promise<void>) => Promise<void>
}): Handlers<'metadata'> => ({
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
    await forgetCatalogue(() => documents.clear())
    return documents.size()
  },
})

/**
 * Maximum of unreadable records to show; all are counted. Raise it if the first ones do not show the problem.
 */
const unreadAtMost = 50
