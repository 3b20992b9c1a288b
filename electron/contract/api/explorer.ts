import { z } from 'zod'
import { id, nothing, reference, start, text } from '../argument-parts.ts'
import { local, method, write } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { WriteReport } from './writes.ts'

export interface ExplorerParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly type: 'int32' | 'string' | 'guid' | 'boolean' | 'json'
  readonly required: boolean
  /**
   * Suggested values: known from the fleet or the catalogue (`known`), or assumed because none are published.
   */
  readonly offered: readonly { readonly value: string; readonly source: 'known' | 'assumed' }[]
}

/** A documented operation as the Explorer and `headroom operations` show it. */
export interface ExplorerOperation {
  readonly name: string
  readonly interface: 'metadata' | 'management'
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** null: not published, and the profile has no template for it. */
  readonly path: string | null
  readonly parameters: readonly ExplorerParameter[]
  readonly writes: boolean
  readonly published: boolean
  /** The record as the specification calls it; null: not stated. */
  readonly answer: string | null
}

export interface ExplorerRun {
  readonly operation: string
  /** As typed; parsed according to the parameter's type. */
  readonly parameters: Readonly<Record<string, string>>
  /** For a writing operation: the technician unlocked actions inside its confirmation. */
  readonly unlock: boolean
  /** The complete body, instead of the part for display. */
  readonly whole: boolean
  /** A write waits for its slots; false: it returns `waiting` at once. */
  readonly wait: boolean
  /**
   * For reads of the metadata interface. `revalidate`: a conditional request is sent for a cached document,
   * the response is cached, and the copy is used if the service cannot be reached. `only`: the copy is used
   * and nothing is sent; Failed `not-found` if there is none. null: the service is asked.
   */
  readonly copies: 'revalidate' | 'only' | null
  /** Of a write: stored in its journal line. */
  readonly reference: string | null
}

/** The response as received, including the body of an error. Headers never contain the key. */
export interface ExplorerResponse {
  readonly operation: string
  readonly method: string
  /** With the host, never with a key. */
  readonly url: string
  readonly requestBody: string | null
  /** null: there was no response; see `report` or the call's Failure. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** As received; truncated at 4 MiB unless the whole was requested. */
  readonly body: string
  readonly cut: boolean
  readonly startedAt: number
  readonly durationInMs: number
  /**
   * Why the response contains no data: a refusal, an unreadable body; null or missing: it contains data. The
   * body is shown in all cases.
   */
  readonly failure?: Failure | null
  /**
   * Set if the body is a cached copy: the service responded that it has not changed, could not be reached, or
   * was not contacted. `observedAt`: when that response was received or last confirmed.
   */
  readonly copy?: {
    readonly observedAt: number
    readonly because: 'unchanged' | 'not-reached' | 'not-asked'
  } | null
  /** For writing operations: the result of the write. */
  readonly report: WriteReport | null
  /**
   * What `--strict` finds: members the specification does not name, and specified members that are missing.
   */
  readonly unknownMembers: readonly string[]
  readonly missingMembers: readonly string[]
  /** The same call for a shell, with the key as a variable. */
  readonly curl: string
  readonly powershell: string
}

/** A saved call (an example) or one that was made (history): only parameters, no response. */
export interface ExplorerCall {
  readonly id: number
  readonly name: string
  readonly operation: string
  readonly parameters: Readonly<Record<string, string>>
  readonly at: number
  readonly status: number | null
}

/** As typed; a body of settings may be long. */
const parameters = z
  .record(id, text(100_000))
  .refine((given) => Object.keys(given).length <= 50, 'This has more than 50 members.')

export const explorer = {
  operations: method(nothing).returns<readonly ExplorerOperation[]>(),
  /**
   * As `operations`, without suggested values and without a request. Without an organization: the documented
   * ones, with the observed paths.
   */
  knownOperations: method(nothing).returns<readonly ExplorerOperation[]>(),
  run: write(
    z.strictObject({
      operation: id,
      parameters,
      unlock: z.boolean(),
      whole: z.boolean(),
      wait: z.boolean(),
      copies: z.enum(['revalidate', 'only']).nullable(),
      reference,
    }),
  ).returns<ExplorerResponse>(),
  examples: method(nothing).returns<readonly ExplorerCall[]>(),
  saveExample: local(z.strictObject({ name: text(80).min(1), operation: id, parameters })).returns<
    readonly ExplorerCall[]
  >(),
  removeExample: local(z.strictObject({ id: start })).returns<readonly ExplorerCall[]>(),
  history: method(nothing).returns<readonly ExplorerCall[]>(),
}
