import { describe, expect, it } from 'vitest'
import { journalCommands } from '../../electron/cli/commands/journal.ts'
import { parse } from '../../electron/cli/grammar.ts'
import type { OpenRequest } from '../../electron/contract/api/exports.ts'
import type { JournalLine, JournalQuery } from '../../electron/contract/api/journal.ts'
import { aCore } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'

const line: JournalLine = {
  id: 7,
  organizationId: 'o',
  organizationName: 'Nordlys',
  who: 'astrid',
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Fjord' },
  deviceIds: ['D1'],
  startedAt: 0,
  endedAt: null,
  outcome: null,
  status: null,
  message: null,
  before: null,
  after: null,
}

async function run(
  lines: readonly JournalLine[],
  ...argv: string[]
): Promise<{ printed: string; said: string; requested: readonly unknown[] }> {
  const requested: unknown[] = []
  const pieces = [lines.map((one) => `${JSON.stringify(one)}\n`).join('')]
  const core = aCore({
    handlers: {
      organizations: { current: async () => ({ id: 'o', name: 'Nordlys' }) },
      definitions: { settingNames: async () => ({ labels: [['zoom', 'Distance']] as const, groups: [] }) },
      journal: {
        list: async (query: JournalQuery) => (requested.push(query), { lines, total: lines.length }),
      },
      exports: {
        open: async ({ subject, format }: OpenRequest) => {
          requested.push({ subject, format })
          return { id: 'e', total: lines.length, all: lines.length, asOf: 0, unread: 0 }
        },
        next: async () => {
          const text = pieces.shift()
          return text === undefined ? null : { text }
        },
      },
    },
  })
  const terminal = aTerminal()
  const given = parse(journalCommands, ['journal', ...argv])
  await journalCommands[0]?.run(core, given, terminal)
  return { printed: terminal.output, said: terminal.errors, requested }
}

describe('headroom journal', () => {
  it('filters by the filter language and shows how each write ended', async () => {
    const { printed, requested } = await run(
      [line],
      '--where',
      'outcome:unknown',
      '--subject',
      'D1',
      '--count',
      '20',
    )
    expect(requested).toEqual([{ where: 'outcome:unknown', subjectId: 'D1', start: 0, count: 20 }])
    expect(printed).toContain('room Fjord  end unknown')
    expect(printed).toContain('1 of 1 line')
  })
  it.each([
    [[], 'No actions yet.\n'],
    [['--where', 'who:nobody'], 'No entries match.\n'],
  ])('explains an empty list: %j', async (argv, words) => {
    expect((await run([], ...argv)).printed).toBe(words)
  })
  it('writes every matching entry as one document per line', async () => {
    const { printed, requested } = await run([line, { ...line, id: 6 }], '--jsonl', '--where', 'of:room')
    expect(requested).toEqual([
      { subject: { of: 'journal', where: 'of:room', subjectId: null }, format: 'rows' },
    ])
    expect(
      printed
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one) as JournalLine),
    ).toEqual([line, { ...line, id: 6 }])
  })
  it('names the settings of an entry beside their API names, in every form', async () => {
    const changed = { ...line, before: 'zoom=1; mute=on', after: 'zoom=2; mute=off' }
    const settings = [
      { name: 'zoom', label: 'Distance', group: null, before: '1', after: '2' },
      { name: 'mute', label: 'Mute', group: null, before: 'on', after: 'off' },
    ]
    const [printed, json, jsonl] = await Promise.all(
      [[], ['--json'], ['--jsonl']].map(async (argv) => (await run([changed], ...argv)).printed),
    )
    expect(printed).toContain('Distance (zoom): 1 → 2, Mute (mute): on → off')
    expect([JSON.parse(json ?? ''), JSON.parse(jsonl ?? '')]).toEqual([
      { lines: [{ ...changed, settings }], total: 1 },
      { ...changed, settings },
    ])
  })
  it('points at the part of a filter it cannot parse', async () => {
    const { said } = await run([line], '--where', 'of:device outcome:fine')
    expect(said).toBe('  of:device outcome:fine\n                    ^^^^\n')
  })
  it.each([
    ['--csv', '--count', '5'],
    ['--jsonl', '--start', '5'],
  ])('rejects options without effect: %s %s', async (...argv) => {
    await expect(run([line], ...argv)).rejects.toThrow('--csv and --jsonl write all entries that match')
  })
})
