import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import { deviceVocabulary } from '../../contract/filter/vocabularies.ts'
import type { Device } from '../../contract/api/devices.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import type { WriteReport } from '../../contract/api/writes.ts'
import type { CoreClient } from '../core-client.ts'
import { flag, show, type Command, type ExitCode, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { planAndRun, refuseUnready } from '../job-run.ts'
import { asksForJob, jobOptions, termsOf } from '../job-terms.ts'
import { filterNotes, writtenWhereOf } from '../listing.ts'
import { sentence } from '../texts.ts'
import { loadSettingNames, loadSettingNamesOf, titled, type Titled } from '../setting-names.ts'
import { counted, moment, table } from '../table.ts'
import { deviceSelectionOf, mustHaveDevices, mustSelectDevices } from './device-selection.ts'

export const settingsCommands: readonly Command[] = [
  {
    name: 'settings get',
    operands: ['DEVICE', '[SETTING]…'],
    options: {
      kept: { type: 'boolean', help: 'show stored settings, offline' },
    },
    summary: 'shows all or some settings of a device',
    needsKey: (given) => !flag(given, 'kept'),
    run: async (core, given, terminal) => {
      const [device = '', ...names] = given.operands
      const { id, productId } = await deviceTyped(core, device)
      const result = await core.handlers.devices.settings(
        flag(given, 'kept') ? { id, refresh: false, storedOnly: true } : { id, refresh: true },
      )
      const missing = names.filter((name) => !result.settings.some((setting) => setting.name === name))
      const productIds = productId === null ? [] : [productId]
      const settings = titled(
        await (flag(given, 'kept') ? loadSettingNames(core) : loadSettingNamesOf(core, productIds, terminal)),
        names.length === 0 ? result.settings : result.settings.filter(({ name }) => names.includes(name)),
        productIds,
      )
      show(given, terminal, { ...result, settings }, () =>
        result.settings.length === 0
          ? 'The device has no settings.'
          : [
              ...table(
                ['Setting', 'Label', 'Group', 'Kind', 'Value', 'Locked', 'Restarts', 'Allowed'],
                settings.map(settingLine),
              ),
              `as of ${moment(result.observedAt) ?? ''}, by an address ${result.source === 'observed' ? 'observed in another app' : 'of the profile'}`,
            ],
      )
      for (const name of missing) terminal.say(`The device has no setting "${name}".`)
      return missing.length === 0 ? 0 : 4
    },
  },
  {
    name: 'settings set',
    operands: ['[DEVICE]…', 'SETTING=VALUE…'],
    options: {
      ...jobOptions,
      where: {
        type: 'string',
        help: 'all devices that match a filter, as in the command devices: \'product:"PanaCast 50" room:"Aarhus 3"\'',
      },
      'no-wait': {
        type: 'boolean',
        help: 'one device: end immediately if an action was sent to it within the last minute',
      },
    },
    summary:
      'changes settings of one or more devices, with one request per device; several devices are a job (headroom jobs)',
    notes: filterNotes(deviceVocabulary, 'names, serial numbers, rooms and users'),
    needsKey: true,
    run: async (core, given, terminal) => {
      const where = writtenWhereOf(given, terminal, deviceVocabulary)
      const { devices, changes } = partsOf(given.operands)
      if (changes.length === 0) throw new UsageError('settings set needs a SETTING=VALUE.')
      mustSelectDevices('settings set', devices, where)
      const [only = ''] = devices
      if (devices.length === 1 && !asksForJob(given) && !flag(given, 'dry-run'))
        return set(core, only, changes, given, terminal)
      if (flag(given, 'no-wait'))
        throw new UsageError('--no-wait works only with one device; a job waits automatically.')
      const terms = termsOf(given, Date.now())
      await mustHaveDevices(core, 'settings set', where)
      await refuseUnready(core, given, 'settings set changes devices and may restart them')
      const selection = await deviceSelectionOf(core, devices, where)
      return planAndRun(
        core,
        { work: { kind: 'change-settings', selection, changes }, ...terms },
        given,
        terminal,
      )
    },
  },
  {
    name: 'settings read-all',
    summary:
      'reads and stores the settings of all devices: in pages if the profile has the address, else with one call per device',
    needsKey: true,
    run: async (core, given, terminal) => {
      const { devices } = core.handlers
      const { calls, byPages } = await devices.settingsCost({ selection: all })
      if (!byPages) terminal.say(`${counted(calls, 'call')}, one per device.`)
      const report = await devices.readSettings({ selection: all })
      show(
        given,
        terminal,
        report,
        () =>
          `Settings of ${counted(report.devices, 'device')} in ${counted(report.calls, 'call')}; ${byPages ? `${counted(report.withoutSettings, 'record')} had none` : `${counted(report.withoutSettings, 'device')} could not be read`}.`,
      )
      const { missed, notInInventory, withoutSettings } = report
      const { deviceCount } = await core.handlers.app.status()
      if (missed > 0)
        terminal.say(
          `${missed} of ${counted(deviceCount, 'device')} of the organization ${missed === 1 ? 'was' : 'were'} not in the answer.`,
        )
      if (notInInventory > 0)
        terminal.say(
          `${counted(notInInventory, 'device')} of the answer ${notInInventory === 1 ? 'is' : 'are'} not in the inventory. Sync to read ${notInInventory === 1 ? 'it' : 'them'}.`,
        )
      return missed > 0 || (!byPages && withoutSettings > 0) ? 4 : 0
    },
  },
]

const all = { kind: 'matching', where: '', except: [] } as const

const settingLine = (one: Titled<Setting>): (string | null)[] => {
  const { name, label, group, kind, value, locked, feature } = one
  return [
    name,
    label,
    group,
    kind,
    value === null ? 'not available' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value),
    locked === null ? null : locked ? 'yes' : 'no',
    feature?.restarts === true ? 'yes' : feature?.restarts === false ? 'no' : null,
    feature === null ? null : allowed(feature),
  ]
}

const allowed = ({ supported, minimum, maximum }: NonNullable<Setting['feature']>): string | null =>
  supported.length > 0
    ? supported.join(', ')
    : minimum === null && maximum === null
      ? null
      : `${minimum ?? ''}…${maximum ?? ''}`

function changeOf(word: string): SettingChange {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(word) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`settings set: "${word}" is not SETTING=VALUE.`)
  return { name, value }
}

/** An id that was never read may still be requested. */
const deviceTyped = async (core: CoreClient, given: string): Promise<Pick<Device, 'id' | 'productId'>> =>
  (await foundOrNull(core.handlers.devices.find({ text: given }))) ?? { id: given, productId: null }

/** Devices come first: from the first SETTING=VALUE on, every operand is one. */
function partsOf(operands: readonly string[]): {
  readonly devices: readonly string[]
  readonly changes: readonly SettingChange[]
} {
  const first = operands.findIndex((word) => /^[^=\s]+=/.test(word))
  const from = first < 0 ? operands.length : first
  return { devices: operands.slice(0, from), changes: operands.slice(from).map(changeOf) }
}

async function set(
  core: CoreClient,
  what: string,
  changes: readonly SettingChange[],
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!flag(given, 'yes')) {
    const { name } = await core.handlers.organizations.current()
    throw new UsageError(`settings set changes a device and may restart it (${name}): add --yes --unlock.`)
  }
  const { id } = await deviceTyped(core, what)
  try {
    const { devices } = core.handlers
    const request = { id, changes, unlock: flag(given, 'unlock'), reference: null }
    const first = await devices.setSettings({ ...request, wait: false })
    if (first.outcome !== 'waiting' || flag(given, 'no-wait')) return tell(given, terminal, id, first)
    terminal.say(
      `An action was sent to the device less than a minute ago: waiting until ${moment(first.earliestAt) ?? 'it is free'}.`,
    )
    return tell(given, terminal, id, await devices.setSettings({ ...request, wait: true }))
  } catch (error) {
    if (!(error instanceof Failed) || isKind(error.failure, 'invalid')) throw error
    // Nothing was sent: the document says so too.
    return tell(given, terminal, id, {
      outcome: 'refused',
      failure: error.failure,
      earliestAt: null,
      journalId: null,
    })
  }
}

/** As `reboot --json`: `reason` is the kind of the failure; all of it is on standard error. */
function tell(
  given: ParsedCommand,
  terminal: Terminal,
  device: string,
  { outcome, failure, earliestAt }: WriteReport,
): ExitCode {
  show(
    given,
    terminal,
    { device, outcome, reason: failure?.kind ?? null, earliestAt },
    () => outcomes[outcome],
  )
  if (failure !== null) terminal.say(flag(given, 'json') ? JSON.stringify(failure) : sentence(failure))
  return outcome === 'accepted' ? 0 : outcome === 'waiting' ? 4 : 3
}

const outcomes: { readonly [O in WriteReport['outcome']]: string } = {
  accepted: 'Accepted. The device may show the old values for a while.',
  waiting: 'Not changed: an action was sent to the device less than a minute ago.',
  unconfirmed: 'No answer came: the settings may have changed. Read them before you try again.',
  refused: 'Not changed.',
}
