import type { App, BrowserWindow, Dialog } from 'electron'
import type { JobsGoingOn } from '../core/jobs/jobs.ts'

export interface QuitParts {
  readonly app: Pick<App, 'on' | 'quit'>
  readonly window: Pick<BrowserWindow, 'on'>
  /** Shows the question over the window; true: the technician wants to quit. */
  readonly ask: (jobs: JobsGoingOn) => Promise<boolean>
  /** Jobs that go on by themselves. */
  readonly jobsGoingOn: () => JobsGoingOn
}

/** Quitting or closing the window asks once while jobs go on; a second wish while the question stands is not a second question. */
export function askBeforeQuit({ app, window, ask, jobsGoingOn }: QuitParts): void {
  let decided = false
  let asking = false
  const hold = (event: { preventDefault(): void }): void => {
    const jobs = jobsGoingOn()
    if (decided || jobs.running + jobs.waiting === 0) return
    event.preventDefault()
    if (asking) return
    asking = true
    void ask(jobs)
      // A question that cannot be shown keeps nobody from quitting.
      .catch(() => true)
      .then((quit) => {
        asking = false
        decided = quit
        if (quit) app.quit()
      })
  }
  window.on('close', hold)
  app.on('before-quit', hold)
}

/** The question itself. Esc and closing it keep the jobs running. */
export async function quitQuestion(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
  jobs: JobsGoingOn,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Headroom',
    message: quitMessage(jobs),
    detail: [
      ...(jobs.running > 0
        ? ['What is being sent is finished, or marked as unknown. The rest is paused until you resume it.']
        : []),
      ...(jobs.waiting > 0
        ? ['A job that waits for its time is paused. It does not start by itself, also not after a restart.']
        : []),
    ].join('\n'),
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

function quitMessage({ running, waiting }: JobsGoingOn): string {
  const counted = (count: number, one: string, more: string): string[] =>
    count === 0 ? [] : [count === 1 ? `A job ${one}.` : `${count} jobs ${more}.`]
  return [
    ...counted(running, 'is running', 'are running'),
    ...counted(waiting, 'waits for its time', 'wait for their time'),
  ].join(' ')
}
