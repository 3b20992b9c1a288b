import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { conditions, renews, type ResponseCopy, type DocumentCache } from '../metadata/metadata.ts'
import type { ServiceClient, ServiceRequest } from '../service-client/service-client.ts'

/** A cached copy used as the response, and the reason. */
export interface UsedCopy {
  readonly copy: ResponseCopy
  readonly because: 'unchanged' | 'not-reached' | 'not-asked'
}

export interface CopiedRead {
  readonly client: ServiceClient
  readonly documents: Pick<DocumentCache, 'answerCopy' | 'keepAnswer'>
  readonly request: ServiceRequest
  /** Base address and path: the cache key of copies. */
  readonly address: string
  /** True: nothing is sent. */
  readonly only: boolean
}

/**
 * Reads a public document: sends the validators of the copy and caches the response. Returns the copy if it
 * is to be used; null: a new response arrived. Rejects with Failed, `not-found` if there is no copy and
 * nothing may be sent.
 */
export async function copiedRead(read: CopiedRead): Promise<UsedCopy | null> {
  const { client, documents, request, address, only } = read
  const copy = await documents.answerCopy(address)
  if (only) {
    const { operation } = request
    const call = { operation, host: new URL(address).host }
    if (copy === null) throw new Failed({ kind: 'not-found', call, what: `a cached copy of ${operation}` })
    return { copy, because: 'not-asked' }
  }
  try {
    let answer = await client.send({
      ...request,
      headers: copy === null ? {} : conditions(copy.headers, copy.observedAt),
    })
    if (copy !== null && answer.status === 304 && renews(copy.headers, answer.headers)) {
      const headers = {
        ...copy.headers,
        ...answer.headers,
        'content-type': copy.headers['content-type'] ?? 'application/json',
      }
      await documents.keepAnswer(address, { text: copy.text, headers, observedAt: answer.receivedAt })
      return { copy, because: 'unchanged' }
    }
    // It refers to another version than the cached one.
    if (answer.status === 304) answer = await client.send(request)
    if (answer.status === 200)
      await documents.keepAnswer(address, {
        text: answer.text,
        headers: answer.headers,
        observedAt: answer.receivedAt,
      })
    return null
  } catch (error) {
    if (copy === null || !(error instanceof Failed) || !isOutOfReach(error.failure)) throw error
    return { copy, because: 'not-reached' }
  }
}

/** No response arrived at all. An error that arrived is shown unchanged. */
const isOutOfReach = (failure: Failure): boolean =>
  isKind(failure, 'offline') ||
  isKind(failure, 'timed-out') ||
  (isKind(failure, 'service-unavailable') && failure.status === null)
