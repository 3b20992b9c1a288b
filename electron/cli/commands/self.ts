import type { NewerCheck } from '../../contract/api/newer-version.ts'
import { show, type Command } from '../command.ts'
import { say } from '../texts.ts'

export const selfCommands: readonly Command[] = [
  {
    name: 'self check',
    summary: 'asks whether there is a newer Headroom; nothing is downloaded or installed',
    run: async ({ handlers }, given, terminal) => {
      const check = await handlers.newerVersion.check()
      const { version, newer } = check
      const problem = problemOf(check)
      const shown = newer === null ? null : { version: newer.version, date: newer.date, page: newer.page }
      return show(given, terminal, { version, newer: shown, problem }, () => {
        if (problem !== null) return problem
        if (newer === null) return `Headroom ${version} is not older than the published version.`
        return [
          `Headroom ${newer.version} of ${newer.date} is newer than this one (${version}): ${newer.page}`,
          ...newer.notes.split(/\r?\n/),
        ]
      })
    },
  },
]

const problemOf = ({ problem }: NewerCheck): string | null =>
  problem === null ? null : say(`newerProblem.${problem.reason}`, problem)
