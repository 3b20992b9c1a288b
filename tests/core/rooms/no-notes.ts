import type { Workbook } from '../../../electron/core/storage/workbook.ts'

/** A workbook without notes on rooms. */
export const noNotes: Pick<Workbook, 'read' | 'write'> = {
  read: () => Promise.resolve([]),
  write: () => Promise.reject(new Error('Nothing is written here')),
}
