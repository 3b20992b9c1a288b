import { orNull } from '../../contract/failure.ts'
import { journalFields } from '../../contract/fields/journal.ts'
import { journalVocabulary } from '../../contract/filter/vocabularies.ts'
import type { JournalFilter, JournalLine, JournalSort } from '../../contract/api/journal.ts'
import { changedSettings, type ChangedSetting } from '../../contract/journal.ts'
import { noSettingNames, type SettingNames } from '../../contract/setting-name.ts'
import { jsonLine } from '../../contract/unseen.ts'
import type { CoreClient } from '../core-client.ts'
import { flag, show, text, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import {
  asTable,
  filterNotes,
  listingOptions,
  openList,
  orderOf,
  rowsIn,
  whereOf,
  writeTable,
} from '../listing.ts'
import { loadSettingNames, titled, type Titled } from '../setting-names.ts'
import { counted, moment, table } from '../table.ts'

const linesAtOnce = 500

export const journalCommands: readonly Command[] = [
  {
    name: 'journal',
    options: {
      ...listingOptions,
      subject: { type: 'string', help: 'only entries of the device or room with this id' },
      count: {
        type: 'string',
        help: `how many entries (100; at most ${linesAtOnce}); --csv and --jsonl write all`,
      },
      start: { type: 'string', help: 'how many entries to skip (0)' },
    },
    summary: 'lists every action and its outcome, newest first unless --sort is given',
    notes: filterNotes(
      journalVocabulary,
      'names, ids, people, operations, values before and after, and messages',
    ),
    run: async (core, given, terminal) => {
      const filter: JournalFilter & { readonly sort?: JournalSort } = {
        where: whereOf(given, terminal, journalVocabulary) ?? '',
        subjectId: text(given, 'subject'),
        ...orderOf(given, journalFields),
      }
      const lines = flag(given, 'jsonl')
      if ((flag(given, 'csv') || lines) && (text(given, 'count') !== null || text(given, 'start') !== null))
        throw new UsageError(
          '--csv and --jsonl write all entries that match and do not take --count or --start.',
        )
      if (asTable(given)) {
        await writeTable(core, given, terminal, { of: 'journal', ...filter })
        return 0
      }
      if (lines) {
        const list = await openList(core, { of: 'journal', ...filter }, 'rows')
        for await (const batch of rowsIn<JournalLine>(list))
          await terminal.write((await withSettings(core, batch)).map(jsonLine).join(''))
        return 0
      }
      const { lines: found, total } = await core.handlers.journal.list({
        ...filter,
        start: numberOf('start', text(given, 'start') ?? '0', Number.MAX_SAFE_INTEGER),
        count: numberOf('count', text(given, 'count') ?? '100', linesAtOnce),
      })
      const page = { lines: await withSettings(core, found), total }
      return show(given, terminal, page, () =>
        page.lines.length === 0
          ? filter.where === '' && filter.subjectId === null
            ? 'No actions yet.'
            : 'No entries match.'
          : [
              ...table(
                ['When', 'Who', 'Operation', 'Of', 'Outcome', 'Status', 'Settings', 'Message'],
                page.lines.map((line) => [
                  moment(line.startedAt),
                  line.who,
                  line.operation,
                  `${line.target.of} ${line.target.name ?? line.target.id}`,
                  outcomeOf(line),
                  line.status,
                  line.settings?.map(settingText).join(', ') ?? null,
                  line.message,
                ]),
              ),
              `${page.lines.length} of ${counted(page.total, 'line')}`,
            ],
      )
    },
  },
]

/** A line that changed settings has their names and labels, in the order of its arguments. */
type NamedLine = JournalLine & { readonly settings?: readonly Titled<ChangedSetting>[] }
async function withSettings(core: CoreClient, lines: readonly JournalLine[]): Promise<readonly NamedLine[]> {
  const changed = lines.map(changedSettings)
  const names = changed.some((one) => one !== null) ? await namesOrNone(core) : noSettingNames
  return lines.map((line, at) => {
    const settings = changed[at]
    return settings ? { ...line, settings: titled(names, settings) } : line
  })
}
/** The journal is printed even if nothing else can be read. */
const namesOrNone = async (core: CoreClient): Promise<SettingNames> =>
  (await orNull(loadSettingNames(core))) ?? noSettingNames
const settingText = ({ name, label, before, after }: Titled<ChangedSetting>): string =>
  `${label} (${name}): ${before} → ${after}`

/** A line without an end: its program ended meanwhile, or the write is in flight. */
const outcomeOf = ({ outcome }: JournalLine): string => outcome ?? 'end unknown'

function numberOf(option: string, value: string, most: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= most)) throw new UsageError(`--${option} must be a whole number from 0 to ${most}.`)
  return number
}
