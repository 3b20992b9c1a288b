import { z } from 'zod'
import { id, nothing } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { Progress } from '../progress.ts'

/**
 * `plan`: of a job. `drift`: comparing devices with golden profiles and allowed values. `settings`: reading
 * those of many devices. `verify`: files. `sync`: started by a command; the progress of a window's sync is in
 * the app status. `kit-plan`: looking up the contents of a site kit. `kit`: making it. `offline`: reading documents for work without a
 * connection. `call`: one of the Explorer, which counts nothing. `removal`: of an organization that is no
 * longer listed; if cancelled, it resumes at the next start.
 */
export type TaskKind =
  | 'plan'
  | 'drift'
  | 'settings'
  | 'tags'
  | 'paste'
  | 'verify'
  | 'sync'
  | 'kit-plan'
  | 'kit'
  | 'offline'
  | 'call'
  | 'removal'

/**
 * What a task currently counts: devices found, records or settings read from the service, devices compared,
 * parts written, files read, documents read, megabytes fetched, records removed.
 */
export type TaskStep =
  | 'finding'
  | 'reading'
  | 'comparing'
  | 'writing'
  | 'files'
  | 'documents'
  | 'megabytes'
  | 'removing'

/** Work that a client requested and waits for, reported once it takes longer than a moment. */
export interface Task extends Progress {
  readonly id: string
  readonly of: TaskKind
  /** null: it has not counted anything yet. */
  readonly step: TaskStep | null
}

export const tasks = {
  /** Of this client, oldest first. */
  list: method(nothing).returns<readonly Task[]>(),
  /**
   * Skips the parts that have not started; the caller gets a Failure `cancelled`, or the partial result. null:
   * all of this client, also those that are not reported yet.
   */
  cancel: method(z.strictObject({ id: id.nullable() })).returns<void>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
