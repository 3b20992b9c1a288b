import { writeReportedVersion } from './devices/devices.ts'
import { replaceCompliance } from './firmware/compliance.ts'
import { insertDocument } from './metadata/document-rows.ts'
import type { Procedure } from './platform.ts'
import { keepSettings } from './settings/settings-rows.ts'
import { purgeRecords } from './storage/purge.ts'
import { runStatements } from './storage/statements.ts'
import { endSync } from './sync/end-sync.ts'
import { writeRoomOf } from './sync/room-lookups.ts'
import { writeRoomReadAlone } from './sync/room-refresh.ts'
import { writePageOf } from './sync/streams.ts'
import { beginSync, deleteStreams, writeReport } from './sync/sync-rows.ts'

const procedures: readonly Procedure<never, unknown>[] = [
  beginSync,
  deleteStreams,
  writePageOf,
  writeRoomOf,
  writeRoomReadAlone,
  endSync,
  writeReport,
  writeReportedVersion,
  keepSettings,
  insertDocument,
  replaceCompliance,
  purgeRecords,
  runStatements,
]
const byName = new Map(procedures.map((procedure) => [procedure.name, procedure]))

/**
 * The function that the thread that writes runs under a name. Throws for a name that is missing in the list
 * above.
 */
export function procedureNamed(name: string): Procedure<never, unknown> {
  const procedure = byName.get(name)
  if (procedure === undefined) throw new Error(`No procedure is called ${name}`)
  return procedure
}
