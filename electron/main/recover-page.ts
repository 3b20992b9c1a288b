import type { BrowserWindow, Dialog } from 'electron'
import type { Log } from '../core/platform.ts'

export interface RecoveryDeps {
  readonly window: Pick<BrowserWindow, 'on'> & {
    readonly webContents: Pick<BrowserWindow['webContents'], 'on' | 'reload' | 'forcefullyCrashRenderer'>
  }
  readonly log: Pick<Log, 'write'>
  /** Asks what to do about the page; true: load it again. */
  readonly ask: (what: keyof typeof questions) => Promise<boolean>
  readonly quit: () => void
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

/** A page that ends again within this time would go on ending. */
const againWithinInMs = 60_000

/**
 * A page that ended is loaded again, and one that does not respond if a person wants it; jobs are not part of the page and go on. If it ends
 * again within a minute, a person decides.
 */
export function recoverPage({ window, log, ask, quit, now }: RecoveryDeps): void {
  let lastAt = -Infinity
  let asking = false
  const once = async (what: keyof typeof questions, then: (reload: boolean) => void): Promise<void> => {
    if (asking) return
    asking = true
    // If the question cannot be shown, nothing is decided.
    const reload = await ask(what).catch(() => null)
    asking = false
    if (reload !== null) then(reload)
  }
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log.write('error', 'The page ended', { reason, exitCode })
    const isFirst = now() - lastAt > againWithinInMs
    lastAt = now()
    if (isFirst) window.webContents.reload()
    else void once('ended', (reload) => (reload ? window.webContents.reload() : quit()))
  })
  window.on('unresponsive', () => {
    log.write('error', 'The page does not respond', {})
    void once('hung', (reload) => {
      if (!reload) return
      // It ends, and is loaded again as above.
      lastAt = -Infinity
      window.webContents.forcefullyCrashRenderer()
    })
  })
}

const questions = {
  ended: {
    message: 'The page of Headroom ended again.',
    detail: 'Jobs continue. The reason is in the log.',
    buttons: ['Quit', 'Load it again'],
  },
  hung: {
    message: 'The page of Headroom does not respond.',
    detail: 'Jobs continue. If it is loaded again, what was typed in it is lost.',
    buttons: ['Wait', 'Load it again'],
  },
} as const

/** The question itself. */
export async function pageQuestion(
  dialog: Pick<Dialog, 'showMessageBox'>,
  window: BrowserWindow,
  what: keyof typeof questions,
): Promise<boolean> {
  const { message, detail, buttons } = questions[what]
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Headroom',
    message,
    detail,
    buttons: [...buttons],
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}
