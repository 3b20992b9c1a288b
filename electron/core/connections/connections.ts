import type { ContactedHost, ContactPurpose } from '../../contract/connection.ts'
import type { Clock, Log, Transport } from '../host.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Which hosts this program contacted, and why: counted where attempts are made, kept in the workbook. */
export interface Connections {
  list(): Promise<readonly ContactedHost[]>
  /** The same transport, counted. */
  counted(transport: Transport, purpose: ContactPurpose, organization: () => string): Transport
  /** An address was opened in the system's browser. */
  outside(url: string): void
  close(): Promise<void>
}

export function openConnections(_parts: { readonly workbook: Workbook; readonly clock: Clock; readonly log: Log }): Connections {
  return { list: async () => [], counted: (transport) => transport, outside: () => undefined, close: async () => undefined }
}
