import type { BudgetState } from '../contract/api/budget.ts'
import type { Task } from '../contract/api/tasks.ts'
import { percentOf } from '../contract/progress.ts'
import type { Core } from '../core/app.ts'
import type { Terminal } from './command.ts'
import { counted } from './table.ts'

/** Interval of progress lines of long work. Raise it if logs grow too long. */
const lookEveryMs = 1_000

const kinds: Readonly<Record<Task['of'], string>> = {
  plan: 'Planning',
  drift: 'Comparing',
  settings: 'Settings',
  tags: 'Tags',
  paste: 'Pasted list',
  verify: 'Verifying',
  sync: 'Sync',
  kit: 'Site kit',
  offline: 'Making ready for offline',
  call: 'Waiting for the answer',
  removal: 'Removing',
}
const steps: Readonly<Record<NonNullable<Task['step']>, string>> = {
  finding: 'found',
  reading: 'read',
  comparing: 'compared',
  writing: 'written',
  files: 'files read',
  documents: 'documents read',
  megabytes: 'MB fetched',
  removing: 'records removed',
}

/** One line: `Planning: 120 of 4000 read (3 %); 4 calls wait; 120 of 9500 were made in the last five minutes`. null: nothing is known yet. */
export function taskText(
  task: Task,
  budgets: readonly Pick<BudgetState, 'fiveMinutes' | 'waiting'>[],
): string | null {
  const { of, step, done, total } = task
  const percent = percentOf(task)
  const far =
    step === null || done === 0
      ? []
      : [
          `${done}${percent === null ? '' : ` of ${String(total)}`} ${steps[step]}${percent === null ? '' : ` (${percent} %)`}`,
        ]
  const waits = budgets
    .filter(({ waiting }) => waiting > 0)
    .map(
      ({ waiting, fiveMinutes: { used, limit } }) =>
        `${counted(waiting, 'call')} ${waiting === 1 ? 'waits' : 'wait'}; ${used} of ${limit} were made in the last five minutes`,
    )
  const parts = [...far, ...waits]
  return parts.length === 0 ? null : `${kinds[of]}: ${parts.join('; ')}`
}

/** Reports progress while a command works for long. Returns the function that ends it. */
export function sayProgress({ tasks, sessions }: Core, terminal: Terminal): () => void {
  let said = false
  const timer = setInterval(() => {
    // The newest: a removal left by an earlier run may continue beside the command.
    const task = tasks.list().at(-1)
    const words = task === undefined ? null : taskText(task, sessions.budgets())
    if (words === null && !said) return
    terminal.progress(words)
    said = words !== null
  }, lookEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (said) terminal.progress(null)
  }
}
