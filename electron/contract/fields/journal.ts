import { operations } from '../operations.ts'
import { keysWith, type Field, type KeysWith } from './field.ts'

/**
 * `not-sent`: it was never sent; `unknown`: the program ended before the result was known, or it is in
 * flight.
 */
export const journalOutcomes = ['accepted', 'refused', 'not-sent', 'unconfirmed', 'unknown'] as const
/** Operations that write have a short name in addition to their name in the specification. */
export const journalOperations: Readonly<Record<string, string>> = Object.fromEntries(
  operations.flatMap(({ name, effect }) => (effect === null ? [] : [[effect.word, name]])),
)

/** In the order of exported files. */
// prettier-ignore
export const journalFields = [
  { key: 'startedAt', type: 'time', sort: 'number', label: 'Started', cell: 'age',
    filter: { key: 'age', kind: 'age', always: true, example: 'age:<24h' } },
  { key: 'endedAt', type: 'time', sort: 'number', label: 'Ended' },
  { key: 'outcome', type: 'text', sort: 'rank', label: 'Outcome', cell: 'outcome',
    filter: { key: 'outcome', kind: 'choice', always: true,
      choices: journalOutcomes, example: 'outcome:unconfirmed,unknown' } },
  { key: 'status', type: 'number', sort: 'number', label: 'HTTP status',
    filter: { key: 'status', kind: 'number', example: 'status:>=400' } },
  { key: 'operation', type: 'text', sort: 'text', label: 'Operation', cell: 'kind',
    filter: { key: 'operation', kind: 'word', always: true, aliases: ['what'],
      choices: Object.keys(journalOperations), example: 'operation:reboot' } },
  { key: 'of', type: 'text', sort: 'text', label: 'Of',
    filter: { key: 'of', kind: 'choice', always: true,
      choices: ['device', 'room', 'organization'], example: 'of:room' } },
  { key: 'targetName', type: 'text', sort: 'text', label: 'Name',
    filter: { key: 'name', kind: 'text', example: 'name:fjord' } },
  /** The filter finds the room or device of the write, and every device that went down. */
  { key: 'targetId', type: 'text', sort: 'text', label: 'Id',
    filter: { key: 'id', kind: 'word', always: true, example: 'id:D9ECD629' } },
  { key: 'before', type: 'text', sort: 'text', label: 'Before',
    filter: { key: 'before', kind: 'text', example: 'before:sidetone' } },
  { key: 'after', type: 'text', sort: 'text', label: 'After',
    filter: { key: 'after', kind: 'text', example: 'after:"zoom=on"' } },
  { key: 'settings', type: 'texts', label: 'Settings' },
  { key: 'message', type: 'text', sort: 'text', label: 'Message',
    filter: { key: 'message', kind: 'text', example: 'message:"being updated"' } },
  { key: 'who', type: 'text', sort: 'text', label: 'Who', cell: 'text',
    filter: { key: 'who', kind: 'text', always: true, example: 'who:lund' } },
  { key: 'deviceCount', type: 'number', sort: 'number', label: 'Devices',
    filter: { key: 'devices', kind: 'number', always: true, example: 'devices:>4' } },
  { key: 'deviceIds', type: 'texts', label: 'Device ids' },
  { key: 'durationInMs', type: 'number', sort: 'number', label: 'Milliseconds' },
  { key: 'organizationName', type: 'text', sort: 'text', label: 'Organization' },
  { key: 'afterwards', type: 'text', sort: 'text', label: 'Seen afterwards' },
  /** `""`: single writes. */
  { key: 'job', type: 'text', sort: 'text', label: 'Job', filter: { key: 'job', kind: 'word', example: 'job:""' } },
  { key: 'ticket', type: 'text', sort: 'text', label: 'Ticket', cell: 'text',
    filter: { key: 'ticket', kind: 'text', example: 'ticket:INC0042' } },
  { key: 'line', type: 'number', sort: 'number', label: 'Line',
    filter: { key: 'line', kind: 'number', always: true, example: 'line:400' } },
] as const satisfies readonly Field[]

export const journalSortColumns = keysWith(journalFields, 'sort')
export type JournalSortColumn = KeysWith<typeof journalFields, 'sort'>
