import type { ExportJob, ExportRequest } from '../../contract/export.ts'
import { Failed } from '../../contract/failure.ts'
import type { Changes } from '../changes/changes.ts'
import type { Devices } from '../devices/devices.ts'
import type { Clock, Desktop, Files } from '../host.ts'
import type { Rooms } from '../rooms/rooms.ts'

/** For which organization a file is written, for its first line and its name. */
export interface ExportFor {
  readonly organizationId: string
  readonly organizationName: string
}

/** Files of what the cache knows. Rejects with Failed `invalid`, `not-found` or `cache-unusable`. */
export interface Exports {
  /** Asks the desktop where to; null: thought better of. Goes on in the background. */
  start(whose: ExportFor, request: ExportRequest): Promise<ExportJob | null>
  /** Pieces of the file as text, for the command line: written as they come. */
  pieces(whose: ExportFor, request: ExportRequest): AsyncIterable<string>
  list(): readonly ExportJob[]
  cancel(id: string): readonly ExportJob[]
  show(id: string): Promise<void>
  /** Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /** Stops what runs; unfinished files are removed. */
  close(): Promise<void>
}

export interface ExportsParts {
  readonly devices: Devices
  readonly rooms: Rooms
  readonly changes: Changes
  readonly desktop: Desktop
  readonly files: Files
  readonly clock: Clock
  readonly newId: () => string
}

export function openExports(_parts: ExportsParts): Exports {
  const notYet = (): Promise<never> => Promise.reject(new Failed({ kind: 'invalid', field: 'call', message: 'This cannot be asked yet.' }))
  return {
    start: notYet,
    // eslint-disable-next-line require-yield
    async *pieces() {
      await notYet()
    },
    list: () => [],
    cancel: () => [],
    show: notYet,
    onChange: () => () => undefined,
    close: async () => undefined,
  }
}
