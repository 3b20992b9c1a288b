import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { ExportJob, ExportSubject } from '../../electron/contract/api/exports.ts'
import type { ExportRequest } from '../../electron/contract/api/exports.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** What a page offers for export; the first choice is preselected. */
export interface ExportOffer {
  readonly title: string
  /** `count`: its current number of rows; null: unknown. */
  readonly choices: readonly {
    readonly label: string
    readonly count: number | null
    readonly subject: ExportSubject
  }[]
  /** Visible columns in their order (names of the contract's rows). */
  readonly columns: readonly string[]
  readonly viewName: string | null
}
export type ExportResult = Pick<
  ExportRequest,
  'format' | 'delimiter' | 'timeZone' | 'columns' | 'headLine'
> & {
  readonly subject: ExportSubject
}

/**
 * The export that is being set up, and the exports of this run. Pages open the dialog here; App.vue shows the
 * dialog and the panel.
 */
export const useExports = defineStore('exports', () => {
  const appLayout = useLayoutStore()
  const offer = shallowRef<ExportOffer | null>(null)
  const listed = latestResult<readonly ExportJob[]>()
  const jobs = computed(() => listed.value.value ?? [])
  /** The export of the open dialog. */
  const started = latestResult<unknown>()
  const running = computed(() => jobs.value.filter((job) => job.state === 'running'))

  function ask(wanted: ExportOffer): void {
    started.clear()
    offer.value = wanted
  }
  function close(): void {
    offer.value = null
    started.clear()
  }
  async function load(): Promise<void> {
    await listed.take(api.exports.list())
  }
  /** Shows the save dialog and begins the export. Cancelling the save dialog returns to the export dialog. */
  async function start(answer: ExportResult): Promise<void> {
    if (offer.value === null || started.busy.value) return
    const request = api.exports.start({ ...answer, viewName: offer.value.viewName })
    const isLatest = await started.take(request)
    const outcome = await request
    if (!outcome.ok || outcome.value === null) return
    if (isLatest) close()
    await Promise.all([load(), remember(answer)])
  }
  /** The next export starts with these values. */
  async function remember({ format, delimiter }: ExportResult): Promise<void> {
    if (format === appLayout.preferences.exportFormat && delimiter === appLayout.preferences.exportDelimiter)
      return
    appLayout.preferences = { ...appLayout.preferences, exportFormat: format, exportDelimiter: delimiter }
    await api.app.setPreferences({ exportFormat: format, exportDelimiter: delimiter })
  }
  async function cancel(id: string): Promise<void> {
    await listed.take(api.exports.cancel({ id }))
  }
  /** Returns why the folder could not be shown. */
  async function show(id: string): Promise<Failure | null> {
    const outcome = await api.exports.show({ id })
    return outcome.ok ? null : outcome.failure
  }
  const follow = (): (() => void) => api.exports.changed(() => void load())

  return {
    offer,
    jobs,
    running,
    failure: started.failure,
    starting: started.busy,
    ask,
    close,
    start,
    cancel,
    show,
    follow,
  }
})
