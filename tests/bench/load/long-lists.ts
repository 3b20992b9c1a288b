import type { Core } from '../../../electron/core/app.ts'
import { recordChanges } from '../../../electron/core/changes/changes.ts'
import { JobRepository } from '../../../electron/core/jobs/job-repository.ts'
import { beginLine, endLine } from '../../../electron/core/journal/journal-rows.ts'

const minute = 60_000
const jobId = 'bench-job'

/**
 * Changes and journal lines, this many of each, and an ended job of this many rooms, written by the core's
 * own storage. Returns the job's id.
 */
export async function fillLists(
  { shared, handlers }: Core,
  { lines, items }: { readonly lines: number; readonly items: number },
): Promise<string> {
  const { workbook, store } = shared
  const organization = (await handlers.organizations.list()).organizations[0]!
  const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 500 })
  const now = Date.now()
  /** Newest last, a few seconds apart: all within the last days. */
  const at = (line: number): number => now - (lines - line) * 2_000
  const deviceOf = (line: number): { readonly id: string; readonly name: string } => {
    const { id, name } = rows[line % rows.length]!
    return { id, name: name ?? id }
  }
  await store.database.write((transaction) => {
    for (let line = 0; line < lines; line++) {
      const subject = { organizationId: organization.id, of: 'device' as const, ...deviceOf(line) }
      const version = `1.${line % 20}.${line % 7}`
      const change =
        line % 2 === 0
          ? { kind: 'firmware-changed' as const, before: version, after: `2.${line % 9}.0` }
          : { kind: 'went-offline' as const, before: 'Online', after: 'Offline' }
      recordChanges(transaction, subject, [change], at(line))
    }
  })
  await workbook.write((transaction) => {
    for (let line = 0; line < lines; line++) {
      const device = deviceOf(line)
      const id = beginLine(transaction, {
        organization,
        operation: 'RebootRoom',
        target: { of: 'device', ...device },
        deviceIds: [device.id],
        before: null,
        after: null,
        who: 'bench',
        startedAt: at(line),
      })
      const endedAt = at(line) + 400
      endLine(transaction, { id, endedAt, outcome: 'accepted', status: 200, message: null })
    }
  })
  const repository = new JobRepository({
    workbook,
    now: () => now - minute,
    log: shared.platform.log,
  })
  const { number } = await repository.add({
    id: jobId,
    organizationId: organization.id,
    who: 'bench',
    work: {
      kind: 'reboot-rooms',
      of: 'rooms',
      selection: { kind: 'matching', where: '', except: [] },
    },
    terms: { startAt: null, window: null, keepTrying: false, canary: false },
    items: Array.from({ length: items }, (_, item) => ({
      planned: {
        target: { of: 'room', id: `bench-room-${item}`, name: `Meeting room ${item}` },
        devices: [],
        earliestAt: null,
        changes: [],
        skipped: null,
      },
      calls: 1,
      watchingAtMost: 0,
      memory: null,
    })),
    callsPlanned: items,
    watchingAtMost: 0,
    retryOf: null,
  })
  await workbook.write((transaction) => {
    transaction.run(
      `UPDATE job_item SET state = 'ended', outcome = 'done', calls_used = 1, started_at = ?2, ended_at = ?3 WHERE job = ?1`,
      [number, now - minute, now],
    )
    transaction.run(
      `UPDATE job SET state = 'ended', done = asked, calls_used = asked, started_at = ?2, ended_at = ?3 WHERE number = ?1`,
      [number, now - minute, now],
    )
  })
  return jobId
}
