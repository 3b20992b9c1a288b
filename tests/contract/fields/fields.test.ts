import { describe, expect, it } from 'vitest'
import { changeFields } from '../../../electron/contract/fields/change.ts'
import { deviceFields } from '../../../electron/contract/fields/device.ts'
import { keysWith, type Field } from '../../../electron/contract/fields/field.ts'
import { jobFields } from '../../../electron/contract/fields/job.ts'
import { jobItemFields } from '../../../electron/contract/fields/job-item.ts'
import { journalFields } from '../../../electron/contract/fields/journal.ts'
import { roomFields } from '../../../electron/contract/fields/room.ts'
import { parseFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { noSettingNames } from '../../../electron/contract/setting-name.ts'
import { listNames } from '../../../electron/contract/view.ts'
import {
  changeColumns,
  deviceColumns,
  jobColumns,
  jobItemColumns,
  journalColumns,
  roomColumns,
} from '../../../electron/core/exports/export-columns.ts'
import changes from '../../../renderer/locales/en/changes.json' with { type: 'json' }
import devices from '../../../renderer/locales/en/devices.json' with { type: 'json' }
import filter from '../../../renderer/locales/en/filter.json' with { type: 'json' }
import journal from '../../../renderer/locales/en/journal.json' with { type: 'json' }
import rooms from '../../../renderer/locales/en/rooms.json' with { type: 'json' }

const lists: Readonly<
  Record<'devices' | 'rooms' | 'changes' | 'journal' | 'jobs' | 'job', readonly Field[]>
> = {
  devices: deviceFields,
  rooms: roomFields,
  changes: changeFields,
  journal: journalFields,
  jobs: jobFields,
  job: jobItemFields,
}
const names = ['devices', 'rooms', 'changes', 'journal', 'jobs', 'job'] as const

describe('the field tables of lists', () => {
  it.each(names)('%s: have no key, token or alias twice', (list) => {
    const tokens = lists[list].flatMap((one) =>
      one.filter ? [one.filter.key, ...(one.filter.aliases ?? [])] : [],
    )
    const keys = lists[list].map(({ key }) => key)
    expect([keys, tokens]).toEqual([[...new Set(keys)], [...new Set(tokens)]])
  })

  it('order by every column, except those with several values per cell or computed later', () => {
    const columns = (list: (typeof names)[number]) =>
      lists[list].filter((one) => (one.label ?? one.cell) !== undefined && one.sort === undefined)
    expect(names.map((list) => [list, columns(list).map(({ key }) => key)])).toEqual([
      ['devices', ['latestVersion', 'approvedVersion', 'firmwareReadAt']],
      ['rooms', ['why', 'notOnline']],
      ['changes', ['own']],
      ['journal', ['settings', 'deviceIds']],
      ['jobs', []],
      ['job', ['deviceIds']],
    ])
  })

  it.each(names)('%s: export every visible column', (list) => {
    const exported: readonly string[] = keysWith(lists[list], 'label')
    expect(keysWith(lists[list], 'cell').filter((key) => !exported.includes(key))).toEqual([])
  })

  it.each([
    ['devices', deviceColumns],
    ['rooms', roomColumns],
    ['changes', changeColumns],
    ['journal', journalColumns(noSettingNames)],
    ['jobs', jobColumns],
    ['job', jobItemColumns],
  ] as const)('%s: export the columns of the table, each with its own header', (list, columns) => {
    const labels = columns.map(({ label }) => label)
    expect([columns.map(({ key }) => key), labels]).toEqual([
      keysWith(lists[list], 'label'),
      [...new Set(labels)],
    ])
  })

  it.each([
    ['devices', devices.columns],
    ['rooms', rooms.columns],
    ['changes', changes.columns],
    ['journal', journal.columns],
  ] as const)('%s: have a header in the locale for every visible column', (list, heads) => {
    expect(keysWith(lists[list], 'cell').filter((key) => !(key in heads))).toEqual([])
  })

  it.each(listNames)(
    '%s: filter by the tokens of the table, each with an explanation in the locale',
    (list) => {
      const tokens = lists[list].flatMap((one) => one.filter?.key ?? [])
      expect([vocabularies[list].map(({ key }) => key), Object.keys(filter.keys[list]).toSorted()]).toEqual([
        tokens,
        tokens.toSorted(),
      ])
    },
  )

  it.each(listNames)('%s: have an example for each token that parses and uses that token', (list) => {
    const read = vocabularies[list].map(({ example }) => parseFilter(example, vocabularies[list]))
    expect(read.map(({ terms, problems }) => [terms.map(({ key }) => key), problems])).toEqual(
      vocabularies[list].map(({ key }) => [[key], []]),
    )
  })
})
