import type { BudgetState } from '../contract/api/budget.ts'
import type { Task } from '../contract/api/tasks.ts'
import { percentOf } from '../contract/progress.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import type { Terminal } from './command.ts'
import { counted } from './table.ts'
import { say, waitText } from './texts.ts'

/** A command that waits says why after this time at the latest. Raise it if asking costs time. */
const lookEveryMs = 1_000

/** One line: `Planning: 120 of 4000 read (3%); 4 calls wait; 120 of 9500 were made in the last five minutes`. null: nothing is known yet. */
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
          percent === null
            ? say(`step.${step}`, { n: done }, done)
            : `${say(`step.${step}`, { n: `${done} of ${String(total)}` }, total ?? done)} (${percent}%)`,
        ]
  const waits = budgets
    .filter(({ waiting }) => waiting > 0)
    .map(
      ({ waiting, fiveMinutes: { used, limit } }) =>
        `${counted(waiting, 'call')} ${waiting === 1 ? 'waits' : 'wait'}; ${used} of ${limit} were made in the last five minutes`,
    )
  const parts = [...far, ...waits]
  return parts.length === 0 ? null : `${say(`task.${of}`)}: ${parts.join('; ')}`
}

/**
 * Reports what a command that works for long waits for, once for each cause, and how far it is. Returns the
 * function that ends it.
 */
export function sayProgress(
  { tasks, budget }: Pick<AllHandlers, 'tasks' | 'budget'>,
  which: 'waits' | 'everything',
  terminal: Terminal,
): () => void {
  const waits = new Set<string>()
  let said = false
  let ended = false
  const look = async (): Promise<void> => {
    const [budgets, running] = await Promise.all([budget.states(), tasks.list()])
    if (ended) return
    for (const words of budgets.map(waitText)) {
      if (words === null || waits.has(words)) continue
      waits.add(words)
      terminal.say(words)
    }
    // The newest: a removal left by an earlier run may continue beside the command.
    const task = running.at(-1)
    const words = task === undefined || which === 'waits' ? null : taskText(task, budgets)
    if (words === null && !said) return
    terminal.progress(words)
    said = words !== null
  }
  // The command itself reports a lost owner.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs)
  timer.unref()
  return () => {
    ended = true
    clearInterval(timer)
    if (said) terminal.progress(null)
  }
}
