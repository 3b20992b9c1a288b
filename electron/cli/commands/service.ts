import type { BudgetState } from '../../contract/api/budget.ts'
import { Failed, isKind } from '../../contract/failure.ts'
import { holdText, historyText, othersText } from '../texts.ts'
import { flag, show, type Command } from '../command.ts'
import { moment, table } from '../table.ts'

export const serviceCommands: readonly Command[] = [
  {
    name: 'budget',
    options: {
      'try-now': {
        type: 'boolean',
        help: 'while calls are paused by the service: make one call, and continue if it answers',
      },
    },
    summary: 'shows how many calls are used and how many wait',
    needsKey: (given) => flag(given, 'try-now'),
    run: async ({ handlers }, given, terminal) => {
      const trial = flag(given, 'try-now') ? await handlers.budget.tryNow({ reference: null }) : null
      if (trial !== null && trial.failure !== null) {
        if (!flag(given, 'json') && !isKind(trial.failure, 'rate-limited') && trial.heldUntilAt !== null)
          terminal.say(holdText(trial.heldUntilAt))
        throw new Failed(trial.failure)
      }
      const { budget } = await handlers.app.status()
      const { second, fiveMinutes, waiting, pausedUntil, heldUntilAt, byOthers, history } = budget
      const others = byOthers === undefined ? {} : { byOthers }
      const tried = trial === null ? {} : { tried: { outcome: trial.outcome, journalLine: trial.journalId } }
      return show(
        given,
        terminal,
        { second, fiveMinutes, waiting, pausedUntil, heldUntilAt, ...others, history, ...tried },
        () => [
          ...(trial === null
            ? []
            : [
                trial.outcome === 'lifted'
                  ? 'The service answered: calls continue.'
                  : 'Calls are not paused: no call was made.',
              ]),
          ...lines(budget),
        ],
      )
    },
  },
  {
    name: 'connections',
    summary: 'lists every host that was contacted, and why; with --json also those that may be',
    run: async ({ handlers }, given, terminal) => {
      if (flag(given, 'json')) {
        terminal.print(JSON.stringify({ hosts: await handlers.connections.reachable() }))
        return 0
      }
      const hosts = await handlers.connections.list()
      terminal.print(
        hosts.length === 0
          ? 'No host has been contacted.'
          : table(
              ['Host', 'Why', 'Calls', 'Without answer', 'Last', 'Organizations'],
              hosts.map((one) => [
                one.host,
                one.purpose,
                one.attempts,
                one.failed,
                moment(one.lastAt),
                one.organizations.map((name) => name ?? 'a removed one').join(', '),
              ]),
            ),
      )
      return 0
    },
  },
]

function lines(budget: BudgetState): readonly string[] {
  const { second, fiveMinutes, waiting, pausedUntil, heldUntilAt } = budget
  return [
    `${second.used} of ${second.limit} calls in the last second`,
    `${fiveMinutes.used} of ${fiveMinutes.limit} calls in the last five minutes`,
    `${waiting} waiting`,
    pausedUntil === null ? null : `paused until ${new Date(pausedUntil).toISOString()}`,
    heldUntilAt === null ? null : holdText(heldUntilAt),
    othersText(budget),
    historyText(budget),
  ].filter((line) => line !== null)
}
