import type { ChangeQuery } from '../../../electron/contract/api/changes.ts'
import type { ContactedHost } from '../../../electron/contract/api/connections.ts'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { ExportJob, ExportSubject } from '../../../electron/contract/api/exports.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { SavedView } from '../../../electron/contract/api/views.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Saved views as the workbook keeps them: newest name wins, ordered by name. */
export function viewAnswers(nowAt: number): Pick<AllHandlers, 'views'> {
  let views: readonly SavedView[] = [
    {
      id: 1,
      list: 'devices',
      name: 'Behind on Evolve2',
      where: 'fw:behind,revoked product:Evolve2',
      sort: [{ column: 'lastSeenAt', descending: true }],
      columns: ['name', 'serialNumber', 'firmwareVersion', 'firmware', 'status', 'lastSeenAt'],
      createdAt: nowAt - 9 * DAY,
    },
    {
      id: 2,
      list: 'devices',
      name: 'Spares in Berlin',
      where: 'tag:spare location:Berlin',
      sort: [],
      columns: null,
      createdAt: nowAt - 3 * DAY,
    },
    {
      id: 3,
      list: 'rooms',
      name: 'Oslo',
      where: 'location:Oslo',
      sort: [{ column: 'health', descending: false }],
      columns: null,
      createdAt: nowAt - DAY,
    },
  ]
  const of = (list: SavedView['list']): readonly SavedView[] =>
    views
      .filter((view) => view.list === list)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }))
  const found = (id: number): SavedView => {
    const view = views.find((one) => one.id === id)
    if (!view) throw new Failed({ kind: 'not-found', call: null, what: 'view' })
    return view
  }
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  return {
    views: {
      list: async ({ list }) => of(list),
      save: async (draft) => {
        const name = draft.name.trim()
        if (name === '') throw new Failed({ kind: 'invalid', field: 'name', message: 'is empty' })
        const old = views.find((view) => view.list === draft.list && same(view.name, name))
        const id = old?.id ?? Math.max(0, ...views.map((view) => view.id)) + 1
        views = [
          ...views.filter((view) => view !== old),
          { ...draft, name, id, createdAt: old?.createdAt ?? nowAt },
        ]
        return of(draft.list)
      },
      rename: async ({ id, name }) => {
        const view = found(id)
        const trimmed = name.trim()
        if (
          trimmed === '' ||
          views.some((one) => one.id !== id && one.list === view.list && same(one.name, trimmed))
        )
          throw new Failed({
            kind: 'invalid',
            field: 'name',
            message: trimmed === '' ? 'is empty' : 'is another view’s',
          })
        views = views.map((one) => (one.id === id ? { ...one, name: trimmed } : one))
        return of(view.list)
      },
      remove: async ({ id }) => {
        const view = found(id)
        views = views.filter((one) => one.id !== id)
        return of(view.list)
      },
    },
  }
}

export interface ExportDouble {
  readonly answers: Pick<AllHandlers, 'exports'>
  /** A quarter further for every export that runs: called when somebody announces `exports.changed` from outside. */
  readonly step: () => void
}

export function exportAnswers(
  options: { readonly nowAt: number; readonly rows: (subject: ExportSubject) => Promise<number> },
  announce: Announce,
): ExportDouble {
  let jobs: readonly ExportJob[] = []
  const put = (id: string, change: (job: ExportJob) => ExportJob): void => {
    jobs = jobs.map((job) => (job.id === id ? change(job) : job))
  }
  return {
    step: () => {
      for (const { id, state } of jobs)
        if (state === 'running')
          put(id, (job) => {
            const rowsWritten = Math.min(
              job.rowsTotal,
              job.rowsWritten + Math.max(1, Math.ceil(job.rowsTotal / 4)),
            )
            const ended = rowsWritten >= job.rowsTotal
            return {
              ...job,
              rowsWritten,
              ...(ended
                ? { state: 'done' as const, size: 400 + job.rowsTotal * 182, finishedAt: options.nowAt }
                : {}),
            }
          })
    },
    answers: {
      exports: {
        start: async (request) => {
          const rowsTotal = await options.rows(request.subject)
          const job: ExportJob = {
            id: `export-${jobs.length + 1}`,
            of: request.subject.of,
            format: request.format,
            fileName: `${request.subject.of}-2026-11-21.${request.format}`,
            state: 'running',
            rowsWritten: 0,
            rowsTotal,
            size: null,
            startedAt: options.nowAt,
            finishedAt: null,
            failure: null,
          }
          jobs = [job, ...jobs]
          announce('exports.changed', { count: jobs.length })
          return job
        },
        list: async () => jobs,
        cancel: async ({ id }) => {
          put(id, (job) =>
            job.state === 'running' ? { ...job, state: 'cancelled', finishedAt: options.nowAt } : job,
          )
          announce('exports.changed', { count: jobs.length })
          return jobs
        },
        show: async ({ id }) => {
          if (!jobs.some((job) => job.id === id && job.state === 'done'))
            throw new Failed({ kind: 'not-found', call: null, what: 'file' })
        },
      },
    },
  }
}

/** How many rows a subject means. */
export const rowsOf =
  (
    devices: (selection: DeviceSelection) => readonly unknown[],
    rooms: Pick<AllHandlers['rooms'], 'list'>,
    changes: Pick<AllHandlers['changes'], 'window'>,
    journal: Pick<AllHandlers['journal'], 'list'>,
    jobs: Pick<AllHandlers['jobs'], 'items'>,
  ): ((subject: ExportSubject) => Promise<number>) =>
  async (subject) => {
    if (subject.of === 'devices') return devices(subject.selection).length
    if (subject.of === 'rooms')
      return (await rooms.list({ where: subject.where, sort: subject.sort, start: 0, count: 0 })).total
    if (subject.of === 'journal')
      return (await journal.list({ where: subject.where, subjectId: subject.subjectId, start: 0, count: 0 }))
        .total
    if (subject.of === 'job')
      return (await jobs.items({ id: subject.id, show: subject.show, start: 0, count: 0 })).total
    const query: ChangeQuery = { where: subject.where, since: subject.since }
    return (await changes.window({ ...query, group: null, start: 0, count: 0 })).total
  }

export function connectionAnswers(options: {
  readonly nowAt: number
  readonly empty: boolean
  readonly none: boolean
}): Pick<AllHandlers, 'connections'> {
  const { nowAt } = options
  const hosts: readonly ContactedHost[] = [
    {
      host: 'api.cloud.jabra.com',
      purpose: 'management',
      organizations: ['Nordlys A/S', 'Vesterbro Kommune'],
      local: false,
      attempts: 18_204,
      failed: 31,
      firstAt: nowAt - 41 * DAY,
      lastAt: nowAt - 60_000,
    },
    {
      host: 'cdn.cloud.jabra.com',
      purpose: 'metadata',
      organizations: ['Nordlys A/S'],
      local: false,
      attempts: 977,
      failed: 4,
      firstAt: nowAt - 41 * DAY,
      lastAt: nowAt - 3 * HOUR,
    },
    {
      host: 'www.jabra.com',
      purpose: 'outside',
      organizations: [],
      local: false,
      attempts: 6,
      failed: 0,
      firstAt: nowAt - 20 * DAY,
      lastAt: nowAt - 2 * DAY,
    },
    {
      host: '127.0.0.1:40113',
      purpose: 'management',
      organizations: ['Demonstration'],
      local: true,
      attempts: 412,
      failed: 0,
      firstAt: nowAt - 42 * DAY,
      lastAt: nowAt - 40 * DAY,
    },
  ]
  return { connections: { list: async () => (options.empty || options.none ? [] : hosts) } }
}
