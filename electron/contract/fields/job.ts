import { keysWith, type Field, type KeysWith } from './field.ts'

/** In the order of exported files. */
// prettier-ignore
export const jobFields = [
  { key: 'kind', type: 'text', sort: 'text', label: 'Kind' },
  { key: 'target', type: 'text', sort: 'natural', label: 'Only item' },
  { key: 'state', type: 'text', sort: 'rank', label: 'State' },
  /** The share of its items that ended. */
  { key: 'progress', type: 'number', sort: 'number' },
  { key: 'asked', type: 'number', sort: 'number', label: 'Items' },
  { key: 'done', type: 'number', sort: 'number', label: 'Done' },
  { key: 'failed', type: 'number', sort: 'number', label: 'Failed' },
  { key: 'notFound', type: 'number', sort: 'number', label: 'Not found' },
  { key: 'notSupported', type: 'number', sort: 'number', label: 'Not supported' },
  { key: 'unknown', type: 'number', sort: 'number', label: 'Unknown' },
  { key: 'callsUsed', type: 'number', sort: 'number', label: 'Calls' },
  { key: 'callsPlanned', type: 'number', sort: 'number', label: 'Calls planned' },
  { key: 'who', type: 'text', sort: 'text', label: 'Who' },
  { key: 'ticket', type: 'text', sort: 'text', label: 'Ticket' },
  { key: 'createdAt', type: 'time', sort: 'number', label: 'Created' },
  { key: 'startedAt', type: 'time', sort: 'number', label: 'Started' },
  { key: 'endedAt', type: 'time', sort: 'number', label: 'Ended' },
  { key: 'durationInMs', type: 'number', sort: 'number', label: 'Milliseconds' },
  { key: 'retryOf', type: 'text', sort: 'text', label: 'Tries again' },
  { key: 'id', type: 'text', sort: 'text', label: 'Job id' },
] as const satisfies readonly Field[]

export const jobSortColumns = keysWith(jobFields, 'sort')
export type JobSortColumn = KeysWith<typeof jobFields, 'sort'>
