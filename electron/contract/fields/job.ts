import type { Field } from './field.ts'

/** The order is that of files. */
// prettier-ignore
export const jobFields = [
  { key: 'kind', type: 'text', label: 'Kind' },
  { key: 'target', type: 'text', label: 'Only item' },
  { key: 'state', type: 'text', label: 'State' },
  { key: 'asked', type: 'number', label: 'Items' },
  { key: 'done', type: 'number', label: 'Done' },
  { key: 'failed', type: 'number', label: 'Failed' },
  { key: 'notFound', type: 'number', label: 'Not found' },
  { key: 'notSupported', type: 'number', label: 'Not supported' },
  { key: 'unknown', type: 'number', label: 'Unknown' },
  { key: 'callsUsed', type: 'number', label: 'Calls' },
  { key: 'callsPlanned', type: 'number', label: 'Calls planned' },
  { key: 'who', type: 'text', label: 'Who' },
  { key: 'createdAt', type: 'time', label: 'Created' },
  { key: 'startedAt', type: 'time', label: 'Started' },
  { key: 'endedAt', type: 'time', label: 'Ended' },
  { key: 'retryOf', type: 'text', label: 'Tries again' },
  { key: 'id', type: 'text', label: 'Job id' },
] as const satisfies readonly Field[]
