import { deviceVocabulary } from '../../contract/filter/vocabularies.ts'
import { watchedAtMostInMinutes, watchedForInMinutes } from '../../contract/job.ts'
import { flag, show, text, type Command } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { planAndRun, refuseUnready } from '../job-run.ts'
import { firstOf, jobOptions, termsOf } from '../job-terms.ts'
import { filterNotes, writtenWhereOf } from '../listing.ts'
import { moment } from '../table.ts'
import { deviceSelectionOf, mustHaveDevices, mustSelectDevices } from './device-selection.ts'

export const firmwareUpdateCommands: readonly Command[] = [
  {
    name: 'firmware read',
    operands: ['DEVICE'],
    summary: 'asks a device for its firmware version, with the address of the organization’s profile',
    needsKey: true,
    run: async (core, given, terminal) => {
      const { id } = await core.handlers.devices.find({ text: given.operands[0] ?? '' })
      const result = await core.handlers.devices.firmware({ id })
      show(given, terminal, result, () => [
        result.version === null
          ? 'The answer contains no version: --json shows it as received.'
          : result.version,
        ...(result.updating === true ? ['It is being updated.'] : []),
        `as of ${moment(result.observedAt) ?? ''}, with an address of the profile`,
      ])
      return result.version === null ? 4 : 0
    },
  },
  {
    name: 'firmware update',
    operands: ['[DEVICE]…', 'VERSION'],
    options: {
      ...jobOptions,
      canary: {
        type: 'boolean',
        help: 'one device of each product first, the others once it reports its version',
      },
      first: { type: 'string', help: 'this device first, as with --canary: its name, serial number or id' },
      where: {
        type: 'string',
        help: 'all devices that match a filter, as in the command devices: \'product:"PanaCast 50" fw:behind\'',
      },
      'allow-downgrade': {
        type: 'boolean',
        help: 'allow a downgrade if the catalogue allows it, and devices whose version is not known',
      },
      'skip-offline': { type: 'boolean', help: 'leave out devices that are offline' },
      'watch-for': {
        type: 'string',
        help: `minutes to wait for a device to report the version (${watchedForInMinutes})`,
      },
    },
    summary:
      'updates the firmware of devices, with the address of the organization’s profile, as a job (headroom jobs); VERSION may be latest or approved',
    notes: filterNotes(deviceVocabulary, 'names, serial numbers, rooms and users'),
    needsKey: true,
    run: async (core, given, terminal) => {
      const where = writtenWhereOf(given, terminal, deviceVocabulary)
      const devices = given.operands.slice(0, -1)
      const version = given.operands.at(-1) ?? ''
      mustSelectDevices('firmware update', devices, where)
      const watchForInMinutes = watchForOf(given)
      const terms = termsOf(given, Date.now())
      await mustHaveDevices(core, 'firmware update', where)
      await refuseUnready(core, given, 'firmware update restarts devices')
      const selection = await deviceSelectionOf(core, devices, where)
      const first = await firstOf(
        given,
        async (typed) => (await core.handlers.devices.find({ text: typed })).id,
      )
      const allowDowngrade = flag(given, 'allow-downgrade')
      return planAndRun(
        core,
        {
          work: {
            kind: 'update-firmware',
            selection,
            version,
            allowDowngrade,
            ...(flag(given, 'skip-offline') ? { withoutOffline: true } : {}),
            watchForInMinutes,
          },
          ...terms,
          ...first,
        },
        given,
        terminal,
      )
    },
  },
]

function watchForOf(given: ParsedCommand): number {
  const typed = text(given, 'watch-for')
  if (typed === null) return watchedForInMinutes
  if (flag(given, 'no-watch')) throw new UsageError('Use either --watch-for or --no-watch.')
  const minutes = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  if (minutes < 1 || minutes > watchedAtMostInMinutes)
    throw new UsageError(`--watch-for: minutes from 1 to ${watchedAtMostInMinutes}, not "${typed}".`)
  return minutes
}
