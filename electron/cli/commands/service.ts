import { show, type Command } from '../command.ts'

export const serviceCommands: readonly Command[] = [
  {
    name: 'budget',
    operands: [],
    options: {},
    summary: 'calls used of the limits, and what waits',
    run: async (console, given, terminal) => {
      const { second, fiveMinutes, waiting, pausedUntil } = (await console.answers.app.standing()).budget
      show(given, terminal, { second, fiveMinutes, waiting, pausedUntil }, () => [
        `${second.used} of ${second.limit} calls in the last second`,
        `${fiveMinutes.used} of ${fiveMinutes.limit} calls in the last five minutes`,
        `${waiting} waiting`,
        ...(pausedUntil === null ? [] : [`paused until ${new Date(pausedUntil).toISOString()}`]),
      ])
      return 0
    },
  },
]
