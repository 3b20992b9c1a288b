import { prereleaseStages, type PrereleaseStage } from '../contract/firmware.ts'
import { text } from './command.ts'
import { UsageError, type CommandShape, type ParsedCommand } from './grammar.ts'

/** For commands that name or compare with the latest firmware. */
export const stageOptions = {
  'include-stage': {
    type: 'string',
    help: `for this run, also count releases of these stages as the latest: ${prereleaseStages.join(',')}`,
  },
} as const satisfies CommandShape['options']

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
