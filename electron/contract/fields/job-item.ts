import { keysWith, type Field, type KeysWith } from './field.ts'

/** In the order of exported files. */
// prettier-ignore
export const jobItemFields = [
  { key: 'name', type: 'text', sort: 'natural', label: 'Name' },
  { key: 'outcome', type: 'text', sort: 'rank', label: 'Outcome' },
  { key: 'firmware', type: 'text', sort: 'text', label: 'Firmware' },
  { key: 'detail', type: 'text', sort: 'text', label: 'Detail' },
  { key: 'failure', type: 'text', sort: 'text', label: 'Failure' },
  { key: 'message', type: 'text', sort: 'text', label: 'Message' },
  { key: 'startedAt', type: 'time', sort: 'number', label: 'Started' },
  { key: 'endedAt', type: 'time', sort: 'number', label: 'Ended' },
  { key: 'of', type: 'text', sort: 'text', label: 'Of' },
  { key: 'targetId', type: 'text', sort: 'text', label: 'Id' },
  { key: 'deviceIds', type: 'texts', label: 'Device ids' },
  { key: 'callsUsed', type: 'number', sort: 'number', label: 'Calls' },
  { key: 'journalLine', type: 'number', sort: 'number', label: 'Journal line' },
] as const satisfies readonly Field[]

export const jobItemSortColumns = keysWith(jobItemFields, 'sort')
export type JobItemSortColumn = KeysWith<typeof jobItemFields, 'sort'>
