import type { Setting, SettingChange } from '../../contract/setting.ts'
import type { WriteReport } from '../../contract/write.ts'
import type { Console } from '../../core/console.ts'
import { everything } from '../../core/devices/devices.ts'
import { flag, show, type Command, type ExitCode } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { sentence } from '../sentences.ts'
import { moment, table } from '../table.ts'

export const settingsCommands: readonly Command[] = [
  {
    name: 'settings get',
    operands: ['DEVICE', '[SETTING]…'],
    options: { kept: { type: 'boolean', help: 'what was read before, where there is such, without the network' } },
    summary: 'shows the settings of a device, all or the named ones',
    run: async (console, given, terminal) => {
      const [device = '', ...names] = given.operands
      const id = await deviceId(console, device)
      const read = await console.answers.devices.settings({ id, refresh: !flag(given, 'kept') })
      const missing = names.filter((name) => !read.settings.some((setting) => setting.name === name))
      const settings = names.length === 0 ? read.settings : read.settings.filter((setting) => names.includes(setting.name))
      show(given, terminal, { ...read, settings }, () =>
        read.settings.length === 0
          ? 'The device has no settings.'
          : `${table(['Setting', 'Kind', 'Value', 'Locked', 'Restarts', 'Allowed'], settings.map(settingLine))}\nas of ${moment(read.observedAt) ?? ''}, by an address ${read.source === 'observed' ? 'that another client was seen using' : 'of the profile'}`,
      )
      for (const name of missing) terminal.say(`The device has no setting "${name}".`)
      return missing.length === 0 ? 0 : 4
    },
  },
  {
    name: 'settings set',
    operands: ['DEVICE', 'SETTING=VALUE…'],
    options: {
      yes: { type: 'boolean', help: 'change them: the device may restart' },
      unlock: { type: 'boolean', help: 'unlock writes for this command' },
      'no-wait': { type: 'boolean', help: 'end at once when the device was written to less than a minute ago' },
    },
    summary: 'changes settings of a device, all of them in one request',
    run: async (console, given, terminal) => {
      const [device = '', ...words] = given.operands
      const changes = words.map(changeOf)
      if (!flag(given, 'yes')) throw new UsageError('settings set changes a device and may restart it; say --yes.')
      const { settings } = await console.desks.current()
      const report = await settings.update({ deviceId: await deviceId(console, device), changes, unlock: flag(given, 'unlock'), wait: !flag(given, 'no-wait') })
      show(given, terminal, { device, ...report }, () => reportWords(report))
      return exitOf(report)
    },
  },
  {
    name: 'settings read-all',
    operands: [],
    options: {},
    summary: 'reads and keeps the settings of all devices, a page a call, where the profile names the address',
    run: async (console, given, terminal) => {
      const { settings } = await console.desks.current()
      const report = await settings.readAll({ signal: null })
      show(given, terminal, report, () => `Settings of ${report.devices} devices in ${report.calls} calls; ${report.withoutSettings} records had none.`)
      return 0
    },
  },
]

const settingLine = ({ name, kind, value, locked, feature }: Setting): (string | null)[] => [
  name,
  kind,
  value === null ? 'not available' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value),
  locked === null ? null : locked ? 'yes' : 'no',
  feature?.restarts === true ? 'yes' : feature?.restarts === false ? 'no' : null,
  feature === null ? null : allowed(feature),
]

const allowed = ({ supported, minimum, maximum }: NonNullable<Setting['feature']>): string | null =>
  supported.length > 0 ? supported.join(', ') : minimum === null && maximum === null ? null : `${minimum ?? ''}…${maximum ?? ''}`

function changeOf(word: string): SettingChange {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(word) ?? []
  if (name === undefined || value === undefined) throw new UsageError(`settings set: "${word}" is not SETTING=VALUE.`)
  return { name, value }
}

/** A device by its id, or by a serial number or name that only one device has; an id that nobody has read may still be asked for. */
async function deviceId(console: Console, given: string): Promise<string> {
  const { id } = await console.desks.currentOrganization()
  const { rows } = await console.shared.devices.window(id, {
    filter: { ...everything, text: given },
    sort: { column: 'name', descending: false },
    start: 0,
    count: 100,
  })
  const found = rows.filter((row) => row.serialNumber === given || row.name === given)
  if (rows.some((row) => row.id === given) || found.length === 0) return given
  const [one] = found
  if (found.length > 1 || one === undefined) throw new UsageError(`${found.length} devices are called "${given}": use an id.`)
  return one.id
}

function reportWords({ outcome, failure, earliestAt }: WriteReport): string {
  if (outcome === 'accepted') return 'Accepted. The device may show the old values for a while.'
  if (outcome === 'waiting')
    return `Not sent: the device was written to less than a minute ago${earliestAt === null ? '' : ` (free ${new Date(earliestAt).toISOString()})`}.`
  return failure === null ? 'Not done.' : sentence(failure)
}

const exitOf = ({ outcome }: WriteReport): ExitCode => (outcome === 'accepted' ? 0 : outcome === 'waiting' ? 4 : 3)
