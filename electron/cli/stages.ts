import { prereleaseStages, type PrereleaseStage } from '../contract/firmware.ts'
import { text, type Terminal } from './command.ts'
import { UsageError, type CommandOptions, type ParsedCommand } from './grammar.ts'
import { counted } from './table.ts'

/** For commands that name or compare with the latest firmware. */
export const stageOptions = {
  'include-stage': {
    type: 'string',
    help: `for this run, also count releases of these stages as the latest: ${prereleaseStages.join(',')}`,
  },
} as const satisfies CommandOptions

/**
 * The stages of `--include-stage Candidate,Test,Beta`; null: not given, so those of the organization apply.
 */
export function includedStages(given: ParsedCommand): readonly PrereleaseStage[] | null {
  const words = text(given, 'include-stage')?.split(',') ?? null
  if (words === null) return null
  const stages = words.map((typed) => {
    const word = typed.trim()
    const stage = prereleaseStages.find((one) => one.toLowerCase() === word.toLowerCase())
    if (stage === undefined)
      throw new UsageError(`--include-stage: "${word}" is not one of ${prereleaseStages.join(', ')}.`)
    return stage
  })
  return [...new Set(stages)]
}

/** The exit code of a comparison in which the releases of so many products were never read, which it says. */
export function sayUnread(products: number, terminal: Terminal): 0 | 4 {
  if (products === 0) return 0
  terminal.say(
    `The releases of ${counted(products, 'product')} have not been read: headroom sync reads them.`,
  )
  return 4
}
