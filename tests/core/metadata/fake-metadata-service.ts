import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { openMetadata, type Metadata } from '../../../electron/core/metadata/metadata.ts'
import type {
  ServiceResponse,
  ServiceClient,
  ServiceRequest,
} from '../../../electron/core/service-client/service-client.ts'
import { FakeClock } from '../../fake-clock.ts'
import { DocumentTable } from './document-table.ts'

export const baseUrl = 'https://metadata.example.com/base'
const host = 'metadata.example.com'

type Answering =
  | {
      readonly json: Json
      readonly headers?: Record<string, string>
      readonly status?: number
      readonly redirectedTo?: string
    }
  | { readonly failure: Failure }

/**
 * Metadata documents by path below `/models/v/18` (or the complete path, beginning with `/content`); every
 * other path gets 404. Records every request.
 */
export class FakeMetadataService implements ServiceClient {
  readonly requests: ServiceRequest[] = []
  readonly documents = new Map<
    string,
    Answering | ((request: ServiceRequest) => Answering | Promise<Answering>)
  >()
  offline = false
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }
  set(path: string, json: Json, headers: Record<string, string> = {}): this {
    this.documents.set(path, { json, headers })
    return this
  }
  async send(request: ServiceRequest): Promise<ServiceResponse> {
    this.requests.push(request)
    const call = { operation: request.operation, host }
    if (request.signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    if (this.offline) throw new Failed({ kind: 'offline', call, message: 'no network' })
    const scripted =
      this.documents.get(request.path) ??
      this.documents.get(request.path.replace('/models/v/18', '').replace(/\.json$/, ''))
    const answer = typeof scripted === 'function' ? await scripted(request) : scripted
    if (answer === undefined) throw new Failed({ kind: 'not-found', call, what: request.path })
    if ('failure' in answer) throw new Failed(answer.failure)
    const etag = answer.headers?.['etag']
    const unchanged = etag !== undefined && request.headers?.['if-none-match'] === etag
    return {
      status: answer.status ?? (unchanged ? 304 : 200),
      headers: { 'content-type': 'application/json', ...answer.headers },
      json: unchanged ? null : answer.json,
      text: unchanged ? '' : JSON.stringify(answer.json),
      receivedAt: this.#clock.now(),
      attempts: 1,
      ...(answer.redirectedTo === undefined ? {} : { redirectedTo: answer.redirectedTo }),
    }
  }
  retrying(): number {
    return 0
  }
  onReach(): () => void {
    return () => undefined
  }
  requested(path: string): number {
    return this.requests.filter((request) => request.path.includes(path)).length
  }
}

export interface MetadataRig {
  readonly clock: FakeClock
  readonly service: FakeMetadataService
  readonly table: DocumentTable
  readonly logged: string[]
  /** Metadata with the same store and nothing in memory, as in a restarted program. */
  readonly start: (family?: string) => Metadata
}

export function metadataRig(): MetadataRig {
  const clock = new FakeClock()
  const service = new FakeMetadataService(clock)
  const table = new DocumentTable()
  const logged: string[] = []
  const log = { write: (level: string, message: string) => void logged.push(`${level}: ${message}`) }
  const start = (family = 'Brand SDK V4'): Metadata =>
    openMetadata({
      client: service,
      cache: openDocumentCache({ database: table, clock, log }),
      baseUrl,
      apiVersion: 18,
      family,
    })
  return { clock, service, table, logged, start }
}

/** The failure of a call that should fail; any other result fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work
  } catch (error) {
    if (error instanceof Failed) return error.failure
    throw error
  }
  throw new Error('it did not fail')
}
