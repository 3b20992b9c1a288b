import { flag, show, type LoneCommand } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { counted } from '../table.ts'

const words = 'remove everything'

export const resetCommand: LoneCommand = {
  name: 'reset',
  options: { everything: { type: 'boolean', help: 'confirms that nothing is kept' } },
  summary: 'removes keys and data of this data folder, after its words were typed',
  notes: [`Reads the words "${words}" from standard input. Only what Headroom wrote is removed.`],
  runAlone: async (given, terminal, { home, policySource, reset }) => {
    if (!flag(given, 'everything')) throw new UsageError('reset removes keys and data: add --everything.')
    const { readPolicy } = await import('../own-core.ts')
    ;(await readPolicy(policySource)).mustAllow('locked')
    const typed = await terminal.askLine(
      `All keys, jobs, the journal and all other data in ${home} are removed. Type "${words}": `,
    )
    if (typed.trim() !== words) {
      terminal.say(`Nothing was removed: the words were not "${words}".`)
      return 2
    }
    const { keys, files, left } = await reset()
    return show(given, terminal, { folder: home, keys, files, left }, () => [
      `Removed ${counted(keys, 'key')} and ${counted(files, 'file')}.`,
      ...(left.length === 0
        ? []
        : [`Left in ${home}, because Headroom did not write it: ${left.join(', ')}`]),
    ])
  },
}
