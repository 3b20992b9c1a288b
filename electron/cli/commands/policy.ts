import { show, type LoneCommand } from '../command.ts'
import { table } from '../table.ts'

const states = {
  none: 'There is no policy.',
  applied: 'It is applied.',
  locked: 'It cannot be used completely, so nothing can be changed.',
} as const

/** Opens no data folder: it works where nothing else does. */
export const policyCommand: LoneCommand = {
  name: 'policy',
  summary: 'shows what an administrator restricts or presets on this computer, and where',
  runAlone: async (given, terminal, { policySource }) => {
    // Loaded only here: other commands start sooner without it.
    const { readPolicy } = await import('../own-core.ts')
    const state = (await readPolicy(policySource)).state()
    return show(given, terminal, state, () => [
      `Policy: ${state.file}`,
      states[state.state],
      ...(state.problem === null ? [] : [state.problem]),
      ...(state.settings.length === 0
        ? []
        : table(
            ['Member', 'Value'],
            state.settings.map(({ name, value }) => [name, JSON.stringify(value)]),
          )),
    ])
  },
}
