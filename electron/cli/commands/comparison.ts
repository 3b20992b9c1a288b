import type {
  ComparedPair,
  ComparedRow,
  ComparedValue,
  Comparison,
  StaysBecause,
} from '../../contract/api/comparison.ts'
import { show, type Command } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import type { CoreClient } from '../core-client.ts'
import { counted, table, type Line } from '../table.ts'

const staysText: Readonly<Record<StaysBecause, string>> = {
  absent: 'stays: not in this firmware',
  'only-b': 'stays: nothing to copy',
  'not-allowed': 'not allowed here',
  confidential: 'confidential: set it by hand',
  'another-product': 'another product',
  revoked: 'revoked',
  downgrade: 'stays: the second is newer',
  'not-published': 'the profile has no address for it',
  unlisted: 'not in the device list',
  'missing-device': 'needs a device',
  'extra-device': 'stays: only in the second',
  'room-fact': 'stays: about the room',
}

export const comparisonCommands: readonly Command[] = (['room', 'device'] as const).map((of) => ({
  name: `${of} diff`,
  operands: [`${of.toUpperCase()}-A`, `${of.toUpperCase()}-B`],
  summary: `shows where two ${of}s differ, and what would make the second like the first, offline`,
  run: async (core, given, terminal) => {
    const [a, b] = await foundTwo(core, of, given)
    const found = await core.handlers.comparison[`${of}s`]({ a, b })
    return show(given, terminal, found, () => comparisonText(found))
  },
}))

async function foundTwo(
  core: CoreClient,
  of: 'room' | 'device',
  { operands: [first = '', second = ''] }: ParsedCommand,
): Promise<readonly [string, string]> {
  const api = core.handlers[`${of}s`]
  const [{ id: a }, { id: b }] = [await api.find({ text: first }), await api.find({ text: second })]
  if (a === b) throw new UsageError(`${of} diff: "${first}" and "${second}" are the same ${of}.`)
  return [a, b]
}

function comparisonText({ a, b, pairs, facts, counts }: Comparison): Line[] {
  const rows = [
    ...pairs.flatMap((pair) => pair.rows.map((row) => ({ of: nameOf(pair), row }))),
    ...facts.map((row) => ({ of: 'room', row })),
  ].filter(({ row }) => row.verdict !== 'same')
  return [
    `${counted(counts.different, 'difference')}, ${counts.unknown} unknown, ${counts.same} the same.`,
    ...(rows.length === 0
      ? []
      : table(
          ['Of', 'What', a.name ?? a.id, b.name ?? b.id, 'To make them alike'],
          rows.map(({ of, row }) => [of, whatText(row), valueText(row.a), valueText(row.b), thenText(row)]),
        )),
  ]
}
const nameOf = ({ role, a, b }: ComparedPair): string => (a ?? b)?.productName ?? role.replaceAll('-', ' ')
const whatText = ({ what, name }: ComparedRow): string =>
  what === 'fact' ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name || what
function valueText({ state, value, locked }: ComparedValue): string | null {
  if (state === 'none') return null
  if (state === 'unknown') return 'unknown'
  return `${value === null ? 'no value' : String(value)}${locked ? ', locked' : ''}`
}
function thenText({ what, verdict, change, stays }: ComparedRow): string {
  if (verdict === 'unknown') return what === 'settings' || what === 'setting' ? 'read it first' : ''
  if (change?.kind === 'update') return `update to ${change.version}`
  if (change !== null) return `set ${String(change.change.value)}`
  return stays === null ? '' : staysText[stays.because]
}
