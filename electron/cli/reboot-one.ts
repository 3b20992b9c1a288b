import { folderFailure } from '../adapters/owner/data-folder.ts'
import { timeText } from '../contract/date-text.ts'
import { Failed, isKind, type Failure } from '../contract/failure.ts'
import type { WriteReport } from '../contract/api/writes.ts'
import type { JobDraft, JobItem, SkipReason } from '../contract/api/jobs.ts'
import { flag, show, type ExitCode, type Terminal } from './command.ts'
import type { CoreClient } from './core-client.ts'
import type { ParsedCommand } from './grammar.ts'
import { alsoInText } from './job-tables.ts'
import { watchRecord } from './record-watch.ts'
import { sentence } from './texts.ts'

/**
 * What `reboot --json` prints. `reason`: the kind of the failure, which is complete on standard error; with
 * `--watch` also why an accepted reboot was not seen to succeed. `id`: the job; null: none was started.
 */
interface RebootDocument {
  readonly room: string
  readonly outcome: WriteReport['outcome']
  readonly reason: string | null
  readonly earliestAt: number | null
  readonly id: string | null
}

type Answer = Omit<WriteReport, 'journalId'>

/** The result of a reboot of one room on the command line. */
interface Reboot extends Answer {
  readonly id: string | null
  /** The result of the watch; null: it was not watched. */
  readonly seen: JobItem['detail']
}
export const notBegun = { failure: null, earliestAt: null, id: null, seen: null } as const

/**
 * A job for this one room, until the service has responded; with `--watch` until the room is back or the
 * watch ends. Rejects with Failed before anything is sent.
 */
export async function rebootOne(
  core: CoreClient,
  room: string,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<Reboot> {
  if (!flag(given, 'unlock')) throw new Failed({ kind: 'writes-locked' })
  const { jobs } = core.handlers
  const plan = await jobs.plan(rebootOf(room))
  const [planned] = (await jobs.planned({ plan: plan.id, start: 0, count: 1 })).items
  for (const line of alsoInText(plan.alsoIn, 'reboot-rooms', plan.items)) terminal.say(line)
  if (planned !== undefined && planned.skipped !== null) throw refusalOf(planned.skipped, planned.target)
  const waits = planned?.earliestAt ?? null
  const noWait = flag(given, 'no-wait')
  if (waits !== null && noWait) return { ...notBegun, outcome: 'waiting', earliestAt: waits }
  const { id } = await jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  core.workStored({ of: planned?.target.name ?? room, resume: `jobs resume ${id}` })
  return { ...(await answerOf(core, id, { noWait, watch: flag(given, 'watch') }, terminal)), id }
}

export const rebootOf = (room: string): JobDraft => ({
  work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [room] } },
  startAt: null,
  window: null,
  keepTrying: false,
  canary: false,
})

/**
 * The result of the one item. Without `watch` the job ends with the response: the room is reported as not
 * watched, and nothing continues.
 */
async function answerOf(
  core: CoreClient,
  id: string,
  { noWait, watch: isWatched }: { readonly noWait: boolean; readonly watch: boolean },
  terminal: Terminal,
): Promise<Omit<Reboot, 'id'>> {
  const { jobs } = core.handlers
  let waitsUntil: number | null = null
  let { changes } = core.owner()
  const watch = watchRecord(core, 'jobs.changed', id)
  const stop = terminal.onInterrupt(() => void jobs.cancel({ id }).catch(() => undefined))
  try {
    for (let report: Answer | null = null; ;) {
      const changed = watch.changed()
      const { state, waitsFor } = await jobs.get({ id })
      const owner = core.owner()
      if (owner.changes !== changes && (state === 'paused' || state === 'unarmed')) {
        changes = owner.changes
        if (owner.keyBeside) throw new Failed(folderFailure('key-beside'))
        await jobs.resume({ id, unlock: true })
        continue
      }
      const [item] = (await jobs.items({ id, show: null, start: 0, count: 1 })).items
      if (waitsFor === 'policy' && item?.state === 'queued') {
        // Rejects with the reason, unless the policy allows it again.
        await jobs.resume({ id, unlock: true })
        continue
      }
      if (report !== null && state === 'ended')
        return { ...report, seen: isWatched ? (item?.detail ?? null) : null }
      if (report === null && item !== undefined) {
        report = answerIn(item, noWait)
        if (report !== null) {
          if (!isWatched || report.outcome !== 'accepted') await jobs.cancel({ id })
          else terminal.progress('accepted; waiting until its devices are back online')
          continue
        }
      }
      if (item?.state === 'queued' && item.earliestAt !== null && item.earliestAt !== waitsUntil) {
        waitsUntil = item.earliestAt
        terminal.say(
          `An action was sent to a device in this room less than a minute ago: waiting until ${time(waitsUntil)}.`,
        )
      }
      await changed
    }
  } finally {
    stop()
    watch.stop()
    terminal.progress(null)
  }
}

/** null: it waits for its devices' minute or its turn, or is being sent. */
function answerIn(item: JobItem, noWait: boolean): Answer | null {
  const { state, outcome, detail, failure, earliestAt, target } = item
  if (state === 'watching' || outcome === 'done')
    return { outcome: 'accepted', failure: null, earliestAt: null }
  const why = failure ?? (detail === null ? null : failureOfDetail(detail, target))
  if (state === 'ended' || (state === 'queued' && why !== null))
    return {
      outcome: outcome === 'unknown' || isKind(why, 'unconfirmed') ? 'unconfirmed' : 'refused',
      failure: why ?? { kind: 'cancelled' },
      earliestAt: null,
    }
  if (noWait && state === 'queued' && earliestAt !== null)
    return { outcome: 'waiting', failure: null, earliestAt }
  return null
}

const failureOfDetail = (detail: NonNullable<JobItem['detail']>, target: JobItem['target']): Failure =>
  detail === 'nothing-online' || detail === 'members-unknown'
    ? refusalOf(detail, target).failure
    : { kind: 'cancelled' }

export function refusalOf(reason: SkipReason, { id, name }: JobItem['target']): Failed {
  const invalid = (message: string): Failed => Failed.invalid('room', message)
  if (reason === 'nothing-online')
    return invalid('No device in this room is online, so there is nothing to reboot.')
  if (reason === 'members-unknown')
    return invalid('It is not known which devices are in this room, so it is not rebooted.')
  return new Failed({
    kind: 'not-found',
    call: { operation: 'GetRoom', host: null },
    what: name ?? id,
  })
}

/** `called`: the name of the room as typed. */
export function tell(
  given: ParsedCommand,
  terminal: Terminal,
  room: string,
  called: string,
  { outcome, failure, earliestAt, id, seen }: Reboot,
): ExitCode {
  const unseen = seen === 'back-online' ? null : seen
  const document: RebootDocument = {
    room,
    outcome,
    reason: failure?.kind ?? (outcome === 'accepted' ? unseen : null),
    earliestAt: earliestAt ?? holdEndsAt(failure),
    id,
  }
  show(given, terminal, document, () => sentenceOf(called, document, seen))
  if (failure !== null) terminal.say(flag(given, 'json') ? JSON.stringify(failure) : sentence(failure))
  if (outcome === 'accepted') return unseen === null ? 0 : 4
  return outcome === 'waiting' ? 4 : 3
}

/** With seconds, because the wait is one minute. */
export const time = (at: number | null): string => (at === null ? 'now' : timeText(at))

/** The time after which the service accepts calls again, as it stated. */
const holdEndsAt = (failure: Failure | null): number | null =>
  isKind(failure, 'rate-limited') ? failure.untilAt : null

function sentenceOf(room: string, { outcome, earliestAt }: RebootDocument, seen: Reboot['seen']): string {
  switch (outcome) {
    case 'accepted':
      if (seen === 'back-online') return `${room} was rebooted and its devices are back online.`
      if (seen === 'did-not-come-back')
        return `${room} was rebooted but did not come back online within 10 minutes.`
      if (seen !== null) return `${room} is rebooting: the service accepted it. Recovery is not confirmed.`
      return `${room} is rebooting: the service accepted it. headroom sync shows when its devices are back online.`
    case 'waiting':
      return `${room} was not rebooted: an action was sent to one of its devices less than a minute ago. Possible from ${time(earliestAt)} on.`
    case 'unconfirmed':
      return `${room} may have been rebooted: no answer came. Check before you try again. It is never repeated automatically.`
    case 'refused':
      return `${room} was not rebooted.`
  }
}
