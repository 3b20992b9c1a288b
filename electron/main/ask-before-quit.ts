import type { App, BrowserWindow, Dialog } from 'electron'
import { momentText } from '../contract/date-text.ts'
import type { ActiveJobs, ScheduledJob } from '../core/jobs/jobs.ts'

export interface QuitDeps {
  readonly app: Pick<App, 'on' | 'quit'>
  readonly window: Pick<BrowserWindow, 'on'>
  /** Shows the question over the window; true: the technician wants to quit. */
  readonly ask: (jobs: ActiveJobs) => Promise<boolean>
  /** Jobs that run without a person. */
  readonly activeJobs: () => ActiveJobs
  /** Closes the databases. */
  readonly close: () => Promise<void>
}

/**
 * Asks for confirmation when the program is quit or the window is closed while jobs run; a second attempt
 * does not open a second question.
 */
export function askBeforeQuit({ app, window, ask, activeJobs, close }: QuitDeps): void {
  let decided = false
  let asking = false
  const hold = (event: { preventDefault(): void }): void => {
    const jobs = activeJobs()
    if (decided || jobs.running + jobs.waiting.length === 0) return
    event.preventDefault()
    if (asking) return
    asking = true
    void ask(jobs)
      // If the question cannot be shown, the program quits.
      .catch(() => true)
      .then((quit) => {
        asking = false
        decided = quit
        if (quit) app.quit()
      })
  }
  window.on('close', hold)
  // On Windows nobody is asked to quit at a sign-out or shutdown.
  window.on('query-session-end', hold)
  window.on('session-end', () => void close())
  app.on('before-quit', hold)
}

/** The question itself. Esc and closing it keep the jobs running. */
export async function quitQuestion(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
  jobs: ActiveJobs,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Headroom',
    message: quitMessage(jobs),
    detail: [
      ...(jobs.running > 0
        ? ['Actions in progress finish or are marked as unknown. The rest is paused until you resume it.']
        : []),
      ...(jobs.waiting.length > 0
        ? [
            'These jobs start only if Headroom is running then and you have unlocked them again on the Jobs page:',
            ...jobs.waiting.slice(0, namedAtMost).map((job) => `• ${scheduledText(job)}`),
            ...(jobs.waiting.length > namedAtMost ? [`• ${jobs.waiting.length - namedAtMost} more`] : []),
          ]
        : []),
    ].join('\n'),
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

function quitMessage({ running, waiting }: ActiveJobs): string {
  const counted = (count: number, one: string, more: string): string[] =>
    count === 0 ? [] : [count === 1 ? `A job ${one}.` : `${count} jobs ${more}.`]
  return [
    ...counted(running, 'is running', 'are running'),
    ...counted(waiting.length, 'is scheduled', 'are scheduled'),
  ].join(' ')
}

/**
 * Scheduled jobs listed by name, because a system dialog does not scroll. Raise it if dialogs have room for
 * more.
 */
const namedAtMost = 8

/** `Reboot Aarhus 3: 22 Nov 2026 22:00 (Europe/Copenhagen)`. */
function scheduledText(job: ScheduledJob): string {
  const { kind, asked, target, startAt, window, timeZone, zones: inZones = [] } = job
  const what =
    kind === 'reboot-rooms'
      ? `Reboot ${target?.name ?? (asked === 1 ? '1 room' : `${asked} rooms`)}`
      : `${kind === 'change-settings' ? 'Change settings' : 'Update firmware'} of ${target?.name ?? (asked === 1 ? '1 device' : `${asked} devices`)}`
  const clock = (minutes: number): string =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const when =
    startAt === null
      ? window === null
        ? ''
        : `between ${clock(window.from)} and ${clock(window.to)}`
      : momentText(startAt, timeZone)
  const named = inZones.flatMap(({ zone }) => (zone === 'local' ? [] : [zone]))
  const zones =
    startAt !== null && timeZone === undefined
      ? ''
      : inZones.length > 1
        ? `each room's own time, ${named.join(', ')}`
        : (named[0] ?? timeZone ?? '')
  return `${what}: ${when}${zones === '' ? '' : ` (${zones})`}`
}
