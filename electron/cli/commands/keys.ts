import { Failed, type Failure, type KeySlot } from '../../contract/failure.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { otherSlot } from '../../contract/key-slot.ts'
import type { CoreClient } from '../core-client.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'

const stdin = { type: 'boolean', help: 'read the key from standard input instead of asking for it' } as const
const slotOption = { type: 'string', help: 'primary or secondary' } as const

export const keyCommands: readonly Command[] = [
  {
    name: 'key set',
    operands: ['[SLOT]'],
    options: { stdin, slot: slotOption },
    summary: 'stores a subscription key (primary or secondary) in the keychain',
    run: async (core, given, terminal) => {
      const slot = slotOf(given) ?? 'primary'
      const { id } = await core.handlers.organizations.current()
      const key = flag(given, 'stdin')
        ? await terminal.readInput()
        : await terminal.askHidden(`The ${slot} subscription key (not shown): `)
      if (key === null)
        throw new UsageError('Nobody can type the key here: headroom key set primary --stdin reads it')
      const state = await core.handlers.organizations.setKey({
        id,
        slot,
        key,
      })
      show(
        given,
        terminal,
        state,
        () =>
          `The ${slot} key ending in ${state.lastFour ?? '????'} is kept ${state.keptIn === 'memory' ? 'in memory for this run only' : 'in the keychain'}.`,
      )
      if (state.keptIn === 'memory') terminal.say(keyNotStored)
      return state.keptIn === 'memory' ? 4 : 0
    },
  },
  {
    name: 'key check',
    operands: ['[SLOT]'],
    options: { slot: slotOption },
    summary: 'asks the service whether a key is accepted (one call)',
    needsKey: true,
    run: async (core, given, terminal) => {
      const { id, keyInUse } = await core.handlers.organizations.current()
      const check = await core.handlers.organizations.checkKey({ id, slot: slotOf(given) ?? keyInUse })
      show(given, terminal, check, () =>
        check.accepted ? `The ${check.slot} key is accepted.` : `The service refused the ${check.slot} key.`,
      )
      return check.accepted ? 0 : refused(given, terminal, check.slot)
    },
  },
  {
    name: 'key rotate',
    options: {
      stdin: {
        type: 'boolean',
        help: 'read the other key from standard input first (default: use the stored one)',
      },
    },
    summary: 'tests the key that is not in use, switches to it, and says which key to regenerate',
    notes: ['Enter the regenerated key with "key set"; "key regenerated" ends the reminder without one.'],
    needsKey: true,
    run: rotate,
  },
  {
    name: 'key regenerated',
    operands: ['[SLOT]'],
    options: { slot: slotOption },
    summary: 'confirms that the old key was regenerated in the portal, which ends the reminder',
    run: async (core, given, terminal) => {
      const { id, regenerate, keyInUse } = await core.handlers.organizations.current()
      const slot = slotOf(given) ?? regenerate?.slot ?? otherSlot(keyInUse)
      const organization = await core.handlers.organizations.keyRegenerated({ id, slot })
      return show(given, terminal, keyStatusOf(organization), () =>
        regenerate?.slot === slot
          ? `The reminder for the ${slot} key has ended. Enter the new one: headroom key set ${slot} --stdin`
          : 'There is no such reminder.',
      )
    },
  },
  {
    name: 'key forget',
    operands: ['[SLOT]'],
    options: { slot: slotOption },
    summary: 'removes a key from the keychain',
    run: async (core, given, terminal) => {
      const slot = slotOf(given) ?? 'primary'
      const { id, keys: before } = await core.handlers.organizations.current()
      const state = await core.handlers.organizations.forgetKey({ id, slot })
      const { keyInUse, keys } = await core.handlers.organizations.current()
      const left = keys.some((key) => key.slot === keyInUse && key.set) ? ` The ${keyInUse} key is used.` : ''
      const wasSet = before.some((key) => key.slot === slot && key.set)
      const what = wasSet ? `The ${slot} key is forgotten.` : `There was no ${slot} key.`
      show(given, terminal, state, () => what + left)
      // Removed here in any case; the keychain may not have removed it yet.
      const problem = (await core.handlers.app.status()).problems.find((one) => one.id === 'keychain')
      if (problem === undefined) return 0
      terminal.say(problem.done ?? 'The keychain cannot be used. The entry is removed at a later start.')
      return 4
    },
  },
]

const keyNotStored =
  'The keychain cannot be used, so the key is lost when this command ends. HEADROOM_KEY supplies a key for one run.'

const keyStatusOf = ({ keyInUse, regenerate, keys }: Organization): unknown => ({
  keyInUse,
  regenerate,
  keys,
})

async function rotate(core: CoreClient, given: ParsedCommand, terminal: Terminal): Promise<ExitCode> {
  const { organizations } = core.handlers
  const { id, keyInUse, keys } = await core.handlers.organizations.current()
  const next = otherSlot(keyInUse)
  if (flag(given, 'stdin')) {
    const { keptIn } = await organizations.setKey({ id, slot: next, key: await terminal.readInput() })
    if (keptIn === 'memory') {
      // If a swap is not stored, the technician would have no key after the next start.
      await organizations.forgetKey({ id, slot: next })
      throw new Failed({
        kind: 'keychain-unavailable',
        reason: 'unknown',
        message: `The ${next} key cannot be stored, so it is not used. The ${keyInUse} key stays in use.`,
      })
    }
  } else if (!keys.some((key) => key.slot === next && key.set)) {
    throw new UsageError(
      `There is no ${next} key yet. Read it from standard input: headroom key rotate --stdin`,
    )
  }
  const check = await organizations.checkKey({ id, slot: next })
  if (!check.accepted) {
    if (!flag(given, 'json'))
      terminal.say(`The service refused the ${next} key. Nothing changed: the ${keyInUse} key stays in use.`)
    return refused(given, terminal, next)
  }
  const rotated = await organizations.useKey({ id, slot: next })
  const left = rotated.regenerate?.slot ?? null
  return show(given, terminal, keyStatusOf(rotated), () => [
    `The ${next} key is accepted and in use.`,
    ...(left === null
      ? []
      : [
          `Regenerate the ${left} key in the API portal (profile → subscriptions), then: headroom key set ${left} --stdin`,
        ]),
  ])
}

/** Exit code 3, with --json the Failure on standard error. */
function refused(given: ParsedCommand, terminal: Terminal, slot: KeySlot): ExitCode {
  if (flag(given, 'json'))
    terminal.say(JSON.stringify({ kind: 'key-refused', slot, message: null } satisfies Failure))
  return 3
}

/** As an operand or as --slot; null: not given. The typed text may be a key, so it is not repeated. */
function slotOf(given: ParsedCommand): KeySlot | null {
  const [operand, option] = [given.operands[0] ?? null, text(given, 'slot')]
  if (operand !== null && option !== null && operand !== option)
    throw new UsageError('The operand and --slot name different keys.')
  const slot = operand ?? option
  if (slot !== null && slot !== 'primary' && slot !== 'secondary')
    throw new UsageError(
      'Use primary or secondary. The key itself is read only from standard input: headroom key set primary --stdin',
    )
  return slot
}
