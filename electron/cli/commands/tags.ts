import { deviceVocabulary } from '../../contract/filter/vocabularies.ts'
import { show, type Command, type ExitCode, type Terminal } from '../command.ts'
import type { CoreClient } from '../core-client.ts'
import type { ParsedCommand } from '../grammar.ts'
import { listingOptions, writtenWhereOf } from '../listing.ts'
import { counted, moment, table } from '../table.ts'
import { deviceSelectionOf, mustHaveDevices, mustSelectDevices } from './device-selection.ts'

const { where } = listingOptions

/** What a technician named on this computer: tags of devices, and saved views. */
export const tagCommands: readonly Command[] = [
  {
    name: 'tags',
    summary: 'lists your tags and how many devices have each',
    run: async (core, given, terminal) => {
      const tags = await core.handlers.tags.list()
      return show(given, terminal, { total: tags.length, tags }, () =>
        tags.length === 0
          ? 'There are no tags yet: headroom tags add TAG DEVICE'
          : table(
              ['Tag', 'Devices'],
              tags.map(({ name, count }) => [name, count]),
            ),
      )
    },
  },
  {
    name: 'tags add',
    operands: ['TAG', '[DEVICE]…'],
    options: { where },
    summary: 'gives devices a tag, on this computer',
    run: (core, given, terminal) => change(core, given, terminal, 'add'),
  },
  {
    name: 'tags remove',
    operands: ['TAG', '[DEVICE]…'],
    options: { where },
    summary: 'takes a tag from devices',
    run: (core, given, terminal) => change(core, given, terminal, 'remove'),
  },
  {
    name: 'tags rename',
    operands: ['TAG', 'NEW'],
    summary: 'renames a tag; if the new name exists, both become one',
    run: async (core, given, terminal) => {
      const [from = '', to = ''] = given.operands
      return changed(given, terminal, (await core.handlers.tags.rename({ from, to })).changed)
    },
  },
  {
    name: 'tags delete',
    operands: ['TAG'],
    summary: 'takes a tag from all devices',
    run: async (core, given, terminal) => {
      const [name = ''] = given.operands
      return changed(given, terminal, (await core.handlers.tags.remove({ name })).changed)
    },
  },
  {
    name: 'views',
    summary: 'lists the saved views of devices, with the filter and order of each',
    run: async (core, given, terminal) => {
      const views = await core.handlers.views.list({ list: 'devices' })
      return show(given, terminal, { total: views.length, views }, () =>
        views.length === 0
          ? 'No view is saved yet.'
          : table(
              ['View', 'Saved', 'Order', 'Filter'],
              views.map(({ name, createdAt, sort, where: filter }) => [
                name,
                moment(createdAt),
                sort.map(({ column, descending }) => `${descending ? '-' : ''}${column}`).join(','),
                filter,
              ]),
            ),
      )
    },
  },
]

async function change(
  core: CoreClient,
  given: ParsedCommand,
  terminal: Terminal,
  how: 'add' | 'remove',
): Promise<ExitCode> {
  const [tag = '', ...devices] = given.operands
  const filter = writtenWhereOf(given, terminal, deviceVocabulary)
  mustSelectDevices(given.shape.name, devices, filter)
  await mustHaveDevices(core, given.shape.name, filter)
  const selection = await deviceSelectionOf(core, devices, filter)
  const { changed: count } = await core.handlers.tags.change({
    selection,
    add: how === 'add' ? [tag] : [],
    remove: how === 'remove' ? [tag] : [],
  })
  return changed(given, terminal, count)
}

function changed(given: ParsedCommand, terminal: Terminal, count: number): ExitCode {
  return show(given, terminal, { changed: count }, () => `${counted(count, 'device')} changed.`)
}
