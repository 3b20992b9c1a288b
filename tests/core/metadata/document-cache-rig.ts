import type { Json } from '../../../electron/contract/json.ts'
import { openDocumentCache, type DocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import type { DocumentRequest } from '../../../electron/core/metadata/document-copy.ts'
import { FakeClock } from '../../fake-clock.ts'
import { DocumentTable } from './document-table.ts'
import { baseUrl, FakeMetadataService } from './fake-metadata-service.ts'

export const log = { write: () => undefined }

export function rig() {
  const clock = new FakeClock()
  const service = new FakeMetadataService(clock)
  const table = new DocumentTable()
  const start = (): DocumentCache => openDocumentCache({ database: table, clock, log })
  const cache = start()
  const ask = (options: Partial<DocumentRequest<Json>> = {}): DocumentRequest<Json> => ({
    client: service,
    baseUrl,
    operation: 'GetTelemetry',
    path: '/models/v/18/telemetry.json',
    what: 'telemetry',
    lane: 'interactive',
    refresh: false,
    signal: null,
    parse: (json) => (json === 'nonsense' ? null : json),
    ...options,
  })
  return { clock, service, table, cache, start, ask, startedAt: clock.now() }
}
