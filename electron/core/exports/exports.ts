import type { ExportJob } from '../../contract/api/exports.ts'
import type { ExportRequest } from '../../contract/api/exports.ts'
import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import type { Clock, Desktop, Files, FileWriter, Log } from '../platform.ts'
import { begun, contentOf, subjectName, writerOf, type Content } from './export-content.ts'
import { exportTable, type ExportFor, type ExportSources } from './export-rows.ts'
import { openExportsOf, type OpenExports } from './open-exports.ts'
import { zonedTime } from './zoned-time.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export type { ExportFor } from './export-rows.ts'
export type { OpenExports } from './open-exports.ts'
export { csvWriter } from './table-text.ts'

/** Files with data of the cache. Rejects with Failed `invalid`, `not-found` or `cache-unusable`. */
export interface Exports {
  /** Shows the desktop's save dialog; null if cancelled. Runs in the background. */
  start(whose: ExportFor, request: ExportRequest): Promise<ExportJob | null>
  /** The exports that one client opens and takes piece by piece. */
  forClient(): OpenExports
  /** Of this run, newest first, at most 50. */
  list(): readonly ExportJob[]
  cancel(id: string): readonly ExportJob[]
  show(id: string): Promise<void>
  /** Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /** Stops running exports; unfinished files are deleted. */
  close(): Promise<void>
}

export interface ExportsDeps extends ExportSources {
  readonly desktop: Pick<Desktop, 'saveAs' | 'showFile'>
  readonly files: Files
  readonly clock: Clock
  readonly log: Log
  readonly newId: () => string
}

const jobsAtMost = 50

interface Running {
  job: ExportJob
  readonly path: string
  readonly stop: AbortController
  work: Promise<void>
}

export function openExports(deps: ExportsDeps): Exports {
  const { desktop, files, clock, log, newId } = deps
  const jobs: Running[] = []
  const listeners = new Listeners()
  const list = (): readonly ExportJob[] => jobs.map(({ job }) => job)
  const tell = (running: Running, change: Partial<ExportJob>): void => {
    running.job = { ...running.job, ...change }
    listeners.notify()
  }

  async function write(running: Running, content: Content): Promise<void> {
    let file: FileWriter | null = null
    try {
      file = await files.write(running.path)
      for await (const { data, rows } of content) {
        if (running.stop.signal.aborted) throw new Failed({ kind: 'cancelled' })
        await file.write(data)
        if (rows > 0) tell(running, { rowsWritten: running.job.rowsWritten + rows })
      }
      if (running.stop.signal.aborted) throw new Failed({ kind: 'cancelled' })
      const size = await file.finish()
      tell(running, { state: 'done', size, finishedAt: clock.now() })
    } catch (error) {
      await file?.discard()
      const failure: Failure =
        error instanceof Failed ? error.failure : { kind: 'bug', reference: running.job.id }
      if (isKind(failure, 'bug'))
        log.write('error', 'bug', { reference: failure.reference, where: 'an export', error: String(error) })
      tell(running, {
        state: isKind(failure, 'cancelled') ? 'cancelled' : 'failed',
        failure: isKind(failure, 'cancelled') ? null : failure,
        finishedAt: clock.now(),
      })
    }
  }

  return {
    async start(whose, request) {
      // An unusable filter, column or time zone is reported before the save dialog.
      const table = await exportTable(deps, whose, request)
      const now = clock.now()
      const path = await desktop.saveAs(fileName(whose.organizationName, request, now))
      if (path === null) return null
      const job: ExportJob = {
        id: newId(),
        of: request.subject.of,
        format: request.format,
        fileName: path.split(/[\\/]/).at(-1) ?? path,
        state: 'running',
        rowsWritten: 0,
        rowsTotal: table.total,
        size: null,
        startedAt: now,
        finishedAt: null,
        failure: null,
      }
      const running: Running = { job, path, stop: new AbortController(), work: Promise.resolve() }
      jobs.unshift(running)
      const forgotten = jobs.findLastIndex(({ job: one }) => one.state !== 'running')
      if (jobs.length > jobsAtMost && forgotten > 0) jobs.splice(forgotten, 1)
      // A program reads what people do not see: the mark of UTF-8 would be part of its first heading.
      const isForPeople = request.preset === undefined
      const headLine = isForPeople && (request.headLine ?? true)
      const writer = writerOf(request, { isFile: isForPeople, headLine })
      const begin = begun(whose.organizationName, request, table, { now, writer })
      running.work = write(running, contentOf(table.total, begin, table.batches, writer))
      listeners.notify()
      return job
    },

    forClient: () => openExportsOf(deps),

    list,

    cancel(id) {
      jobs.find(({ job }) => job.id === id && job.state === 'running')?.stop.abort()
      return list()
    },

    async show(id) {
      const found = jobs.find(({ job }) => job.id === id && job.state === 'done')
      if (!found) throw Failed.notFound('the exported file')
      await desktop.showFile(found.path)
    },

    onChange: listeners.add,

    async close() {
      for (const { stop } of jobs) stop.abort()
      await Promise.allSettled(jobs.map(({ work }) => work))
      listeners.clear()
    },
  }
}

/** `Nordlys devices 2026-11-21 1402.csv`, in the export's own time zone. */
function fileName(
  organization: string,
  { subject, format, timeZone, viewName }: ExportRequest,
  now: number,
): string {
  const stamp = zonedTime(timeZone)(now)
  const words = [
    organization,
    subjectName(subject),
    viewName ?? '',
    stamp.slice(0, 10),
    stamp.slice(11, 16).replace(':', ''),
  ]
  const plain = words.join(' ').replaceAll(/[^\p{L}\p{N}._ -]+/gu, ' ')
  return `${plain.replaceAll(/\s+/g, ' ').trim()}.${format}`
}

export const exportHandlers = (
  exported: Exports,
  opened: Pick<OpenExports, 'open' | 'next'>,
  whose: () => Promise<ExportFor>,
): Handlers<'exports'> => ({
  start: async (request) => exported.start(await whose(), request),
  list: async () => exported.list(),
  cancel: async ({ id }) => exported.cancel(id),
  show: ({ id }) => exported.show(id),
  open: async (request) => opened.open(await whose(), request),
  next: ({ id }) => opened.next(id),
})
