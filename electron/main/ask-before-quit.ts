import type { App, BrowserWindow, Dialog } from 'electron'

export interface QuitParts {
  readonly app: Pick<App, 'on' | 'quit'>
  readonly window: Pick<BrowserWindow, 'on'>
  /** Shows the question over the window; true: the technician wants to quit. */
  readonly ask: (jobs: number) => Promise<boolean>
  /** Jobs that go on by themselves. */
  readonly jobsGoingOn: () => number
}

/** Quitting or closing the window asks once while jobs go on; a second wish while the question stands is not a second question. */
export function askBeforeQuit({ app, window, ask, jobsGoingOn }: QuitParts): void {
  let decided = false
  let asking = false
  const hold = (event: { preventDefault(): void }): void => {
    const jobs = decided ? 0 : jobsGoingOn()
    if (jobs === 0) return
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
export async function quitQuestion(dialog: Pick<Dialog, 'showMessageBox'>, window: BrowserWindow, jobs: number): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Headroom',
    message: jobs === 1 ? 'A job is running.' : `${jobs} jobs are running.`,
    detail: 'What is under way is finished or told as unknown; the rest waits, paused, until you resume it.',
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}
