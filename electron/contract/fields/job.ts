import type { JobKind } from '../api/jobs.ts'
import { jobOutcomes } from '../job.ts'
import { keysWith, type Field, type KeysWith } from './field.ts'

/** The kinds of jobs, each with its short name. */
export const jobKinds = {
  reboot: 'reboot-rooms',
  settings: 'change-settings',
  firmware: 'update-firmware',
} as const satisfies Record<string, JobKind>

/** In the order of exported files. */
// prettier-ignore
export const jobFields = [
  { key: 'kind', type: 'text', sort: 'text', label: 'Kind',
    filter: { key: 'kind', kind: 'choice', always: true,
      choices: Object.keys(jobKinds), example: 'kind:reboot' } },
  /** The filter finds jobs with an item of this name. */
  { key: 'target', type: 'text', sort: 'natural', label: 'Only item',
    filter: { key: 'name', kind: 'text', always: true, example: 'name:fjord' } },
  { key: 'state', type: 'text', sort: 'rank', label: 'State',
    filter: { key: 'state', kind: 'choice', always: true,
      choices: ['running', 'paused', 'ended'], example: 'state:running,paused' } },
  /** The filter finds jobs with an item that ended so. */
  { key: 'outcome', type: 'text',
    filter: { key: 'outcome', kind: 'choice', always: true,
      choices: jobOutcomes, example: 'outcome:failed,unknown' } },
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
  { key: 'who', type: 'text', sort: 'text', label: 'Who',
    filter: { key: 'who', kind: 'text', always: true, example: 'who:lund' } },
  { key: 'ticket', type: 'text', sort: 'text', label: 'Ticket',
    filter: { key: 'ticket', kind: 'text', example: 'ticket:INC0042' } },
  { key: 'createdAt', type: 'time', sort: 'number', label: 'Created',
    filter: { key: 'age', kind: 'age', always: true, example: 'age:<7d' } },
  { key: 'startedAt', type: 'time', sort: 'number', label: 'Started' },
  { key: 'endedAt', type: 'time', sort: 'number', label: 'Ended' },
  { key: 'durationInMs', type: 'number', sort: 'number', label: 'Milliseconds' },
  { key: 'retryOf', type: 'text', sort: 'text', label: 'Tries again' },
  { key: 'id', type: 'text', sort: 'text', label: 'Job id' },
] as const satisfies readonly Field[]

export const jobSortColumns = keysWith(jobFields, 'sort')
export type JobSortColumn = KeysWith<typeof jobFields, 'sort'>
