import type { Workbook } from '../../../electron/core/storage/workbook.ts'

/** A workbook without notes on rooms. */
export const noNotes: Pick<Workbook, 'query' | 'write'> = {
  query: () => Promise.resolve([]),
  write: () => Promise.reject(new Error('Nothing is written here')),
}
