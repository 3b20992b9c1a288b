import { byId, nothing } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { Progress } from '../progress.ts'

/**
 * `plan`: of a job. `drift`: devices against golden profiles and allowed values. `settings`: of many devices. `verify`: files. `sync`: of a
 * command; that of a window stands in its status. `kit`: a site kit, planned or made. `offline`: what work without a
 * connection needs is read. `call`: one of the Explorer, which counts nothing. `removal`: of an organization, which is in no list any more;
 * cancelled, it goes on at the next start.
 */
export type TaskKind =
  | 'plan'
  | 'drift'
  | 'settings'
  | 'tags'
  | 'paste'
  | 'verify'
  | 'sync'
  | 'kit'
  | 'offline'
  | 'call'
  | 'removal'

/**
 * What a task counts now: devices found, records or settings read from the service, devices compared, parts written, files read, documents
 * read, megabytes fetched, records removed.
 */
export type TaskStep =
  'finding' | 'reading' | 'comparing' | 'writing' | 'files' | 'documents' | 'megabytes' | 'removing'

/** Work that a client asked for and waits for, told once it takes longer than a moment. */
export interface Task extends Progress {
  readonly id: string
  readonly of: TaskKind
  /** null: it has not counted anything yet. */
  readonly step: TaskStep | null
}

export const tasks = {
  /** Of this client, oldest first. */
  list: method(nothing).returns<readonly Task[]>(),
  /** What was not begun of it is left; whoever waits for it gets a Failure `cancelled`, or what was done so far. */
  cancel: method(byId).returns<void>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
