import type { Field } from './field.ts'

/** The order is that of files. */
// prettier-ignore
export const jobItemFields = [
  { key: 'name', type: 'text', label: 'Name' },
  { key: 'outcome', type: 'text', label: 'Outcome' },
  { key: 'detail', type: 'text', label: 'Detail' },
  { key: 'failure', type: 'text', label: 'Failure' },
  { key: 'message', type: 'text', label: 'Message' },
  { key: 'startedAt', type: 'time', label: 'Started' },
  { key: 'endedAt', type: 'time', label: 'Ended' },
  { key: 'of', type: 'text', label: 'Of' },
  { key: 'targetId', type: 'text', label: 'Id' },
  { key: 'deviceIds', type: 'texts', label: 'Device ids' },
  { key: 'callsUsed', type: 'number', label: 'Calls' },
  { key: 'journalLine', type: 'number', label: 'Journal line' },
] as const satisfies readonly Field[]
