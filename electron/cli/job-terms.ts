import type { JobDraft, JobTerms } from '../contract/api/jobs.ts'
import { nextMomentOf, systemTimeZone } from '../contract/time-zone.ts'
import { flag, text } from './command.ts'
import { UsageError, type CommandOptions, type ParsedCommand } from './grammar.ts'
import { momentWritten } from './since.ts'

/** Options of every command that starts a job. */
export const jobOptions = {
  'dry-run': { type: 'boolean', help: 'only show what would be done, when, and the number of calls' },
  yes: { type: 'boolean', help: 'confirm the action' },
  unlock: { type: 'boolean', help: 'unlock actions for this command' },
  count: {
    type: 'string',
    help: 'confirm the number of rooms or devices, required for more than five',
  },
  'start-at': {
    type: 'string',
    help: 'start at 22:00 or 2026-11-22T22:00, in the time zone of each room if its record has one, else in local time; at 2026-11-22T22:00+01:00 or +30min, everywhere at once; the command waits',
  },
  window: {
    type: 'string',
    help: 'start only within 22:00-05:00, in the time zone of each room if its record has one, else in local time',
  },
  ticket: { type: 'string', help: 'ticket number, recorded with the job and in the journal' },
  'keep-trying': { type: 'boolean', help: 'keep trying when the service answers 429 (too many calls)' },
  'no-watch': { type: 'boolean', help: 'end when everything is sent, without waiting for the results' },
  detach: {
    type: 'boolean',
    help: 'leave the job to the app, which must be running: print its id and end',
  },
} as const satisfies CommandOptions

/** Options that make a job out of a single write. */
export const asksForJob = (given: ParsedCommand): boolean =>
  [
    'where',
    'start-at',
    'window',
    'canary',
    'first',
    'skip-in-jobs',
    'keep-trying',
    'no-watch',
    'count',
    'detach',
    'ticket',
  ].some((name) => given.options[name] !== undefined)

/** What goes first, as typed with `--first`; `find` returns its id. */
export async function firstOf(
  given: ParsedCommand,
  find: (typed: string) => Promise<string>,
): Promise<Pick<JobDraft, 'first'>> {
  const typed = text(given, 'first')
  return typed === null ? {} : { first: [await find(typed)] }
}

/** Throws UsageError. `now`: epoch milliseconds. */
export function termsOf(given: ParsedCommand, now: number): JobTerms {
  const startAt = text(given, 'start-at')
  const window = text(given, 'window')
  const ticket = text(given, 'ticket')?.trim() || null
  return {
    ...(startAt === null ? { startAt: null } : startOf(startAt, now)),
    window: window === null ? null : windowOf(window),
    keepTrying: flag(given, 'keep-trying'),
    canary: flag(given, 'canary') || text(given, 'first') !== null,
    ...(ticket === null ? {} : { ticket }),
  }
}

export function countOf(given: ParsedCommand): number | null {
  const count = text(given, 'count')
  if (count === null) return null
  if (!/^\d{1,6}$/.test(count)) throw new UsageError('--count must be a whole number.')
  return Number(count)
}

const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** Local time: `22:00` is the next one. A time with an offset is a moment. */
function startOf(word: string, now: number): Pick<JobTerms, 'startAt' | 'timeZone'> {
  const [, amount, unit = ''] = /^\+(\d{1,6})(s|min|h|d)$/.exec(word) ?? []
  if (amount !== undefined) return { startAt: now + Number(amount) * (units[unit] ?? 0) }
  const minutes = minutesOf(word)
  const at =
    minutes === null
      ? word.includes('T')
        ? momentWritten(word)
        : Number.NaN
      : nextMomentOf(systemTimeZone(), minutes, now)
  if (Number.isNaN(at))
    throw new UsageError(`--start-at: "${word}" is not a time such as 22:00, 2026-11-22T22:00 or +30min.`)
  if (at < now) throw new UsageError(`--start-at: ${word} is in the past.`)
  return { startAt: at, ...(/(Z|[+-]\d{2}:?\d{2})$/.test(word) ? {} : { timeZone: systemTimeZone() }) }
}

/** Minutes after midnight; null: not a time of day. */
function minutesOf(word: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(word) ?? []
  return hours === undefined || Number(hours) > 23 || Number(minutes) > 59
    ? null
    : Number(hours) * 60 + Number(minutes)
}

function windowOf(word: string): { readonly from: number; readonly to: number } {
  const [from, to, ...rest] = word.split(/\s*[-–]\s*/).map(minutesOf)
  if (from === undefined || to === undefined || from === null || to === null || rest.length > 0)
    throw new UsageError(`--window: "${word}" is not a time window such as 22:00-05:00.`)
  if (from === to) throw new UsageError('--window: it must not end at the time it begins.')
  return { from, to }
}
