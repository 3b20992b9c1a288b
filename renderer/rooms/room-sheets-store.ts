import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import type { Room, RoomSort } from '../../electron/contract/api/rooms.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'

/** Sheets of one print. Chosen: a site has fewer rooms, and a slip does not print hundreds of pages. */
export const sheetsAtMost = 40
/** The most that a slice may contain (contract). */
const COUNT = 500

/** What the sheet of a room says, from stored data. */
export interface RoomSheetFacts {
  readonly room: Room
  /** The version that a device should have, by its id; those without a need are missing. */
  readonly targets: ReadonlyMap<string, string>
  /** The room's newest writes, newest first. */
  readonly lines: readonly JournalLine[]
  /** Jobs that will start later and include the room or one of its devices. */
  readonly planned: readonly Job[]
}

interface PlannedJob {
  readonly job: Job
  readonly ids: ReadonlySet<string>
}

/** The ids of the selected rooms, in the order of the list; one more than can be printed at most. */
async function idsOf(selection: DeviceSelection, sort: RoomSort): Promise<Outcome<readonly string[]>> {
  const isPicked = selection.kind === 'picked'
  // The order of one needs no list.
  if (isPicked && selection.ids.length === 1) return { ok: true, value: selection.ids }
  const named = new Set(isPicked ? selection.ids : selection.except)
  const where = isPicked ? 'gone:any' : selection.where
  const wanted = isPicked ? named.size : Infinity
  const ids: string[] = []
  for (let start = 0; ids.length < wanted && ids.length <= sheetsAtMost; start += COUNT) {
    const page = await api.rooms.list({ where, sort, start, count: COUNT })
    if (!page.ok) return page
    ids.push(...page.value.rows.flatMap(({ id }) => (named.has(id) === isPicked ? [id] : [])))
    if (start + COUNT >= page.value.total) break
  }
  return { ok: true, value: ids }
}

/** Jobs that start after `nowAt`, and what they include. Without an answer there are none on the sheet. */
async function jobsAfter(nowAt: number): Promise<readonly PlannedJob[]> {
  const open = await api.jobs.list({ where: 'state:running,paused', start: 0, count: COUNT })
  const jobs = open.ok ? open.value.jobs.filter(({ startAt }) => (startAt ?? 0) > nowAt) : []
  const planned: PlannedJob[] = []
  for (const job of jobs) {
    const ids = new Set<string>()
    for (let start = 0; ; start += COUNT) {
      const page = await api.jobs.items({ id: job.id, show: 'open', start, count: COUNT })
      if (!page.ok) break
      for (const { target, deviceIds } of page.value.items)
        [target.id, ...deviceIds].forEach((id) => ids.add(id))
      if (start + COUNT >= page.value.total) break
    }
    planned.push({ job, ids })
  }
  return planned
}

async function targetsOf(room: Room): Promise<ReadonlyMap<string, string>> {
  const needing = (room.devices ?? []).filter(
    ({ firmware }) => firmware === 'behind' || firmware === 'revoked',
  )
  const read = await Promise.all(needing.map(({ id }) => api.devices.get({ id })))
  return new Map(
    read.flatMap((outcome) => {
      if (!outcome.ok) return []
      const { id, firmware } = outcome.value
      const version = firmware.comparedWith ?? firmware.latest
      return version === null ? [] : [[id, version] as const]
    }),
  )
}

/** The sheets of the selected rooms, `sheetsAtMost` at most. It needs no network. */
export async function sheetsOf(
  selection: DeviceSelection,
  sort: RoomSort,
  nowAt: number,
): Promise<Outcome<readonly RoomSheetFacts[]>> {
  const ids = await idsOf(selection, sort)
  if (!ids.ok) return ids
  const jobs = await jobsAfter(nowAt)
  const sheets: RoomSheetFacts[] = []
  for (const id of ids.value.slice(0, sheetsAtMost)) {
    const room = await api.rooms.get({ id })
    if (!room.ok) return room
    const [targets, journal] = await Promise.all([
      targetsOf(room.value),
      api.journal.list({ where: '', subjectId: id, start: 0, count: COUNT }),
    ])
    const own = [id, ...(room.value.devices ?? []).map((device) => device.id)]
    sheets.push({
      room: room.value,
      targets,
      lines: journal.ok ? journal.value.lines : [],
      planned: jobs.filter((one) => own.some((each) => one.ids.has(each))).map(({ job }) => job),
    })
  }
  return { ok: true, value: sheets }
}
