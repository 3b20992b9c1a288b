import { driftStates, type DriftState } from '../../contract/golden-profile.ts'
import type {
  DriftedDevice,
  GoldenProfile,
  GoldenProfileDetails,
  GoldenProfileSummary,
  GoldenSettingSummary,
  SettingDrift,
} from '../../contract/api/golden-profiles.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import { deviceLabel } from '../../contract/device-name.ts'
import { Failed } from '../../contract/failure.ts'
import type { SettingNames } from '../../contract/setting-name.ts'
import type { CoreClient } from '../core-client.ts'
import { driftText } from '../../contract/golden-profile.ts'
import { flag, show, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { loadSettingNames, titled, type Titled } from '../setting-names.ts'
import { counted, moment, table, type Line, type TableLine } from '../table.ts'

/** Rows requested at once: the limit of the contract. */
const pageSize = 500

export const goldenProfileCommands: readonly Command[] = [
  {
    name: 'settings golden',
    summary: 'lists the golden profiles of the organization with their settings',
    run: async (core, given, terminal) => {
      const names = await loadSettingNames(core)
      const profiles = (await core.handlers.goldenProfiles.list()).map(({ profile }) => ({
        ...profile,
        settings: titled(names, profile.settings, [profile.productId]),
      }))
      return show(given, terminal, profiles, () =>
        profiles.length === 0
          ? none
          : profiles.flatMap((profile, index) => [...(index === 0 ? [] : ['']), ...profileLines(profile)]),
      )
    },
  },
  {
    name: 'settings drift',
    operands: ['[GOLDEN PROFILE]…'],
    options: {
      'not-allowed': {
        type: 'boolean',
        help: 'show values on devices that their feature models do not allow instead',
      },
    },
    summary:
      'compares devices with all golden profiles or one of them; uses settings already read and makes no calls',
    run: async (core, given, terminal) => {
      const name = given.operands.join(' ')
      if (flag(given, 'not-allowed')) {
        if (name !== '') throw new UsageError('settings drift: use either a golden profile or --not-allowed.')
        const { rows: found, ...counts } = await notAllowed(core)
        const rows = titledDrift(await loadSettingNames(core), found)
        return show(given, terminal, { ...counts, devices: rows, devicesInAll: counts.devices }, () => [
          ...(rows.length === 0 ? [] : [...deviceTable(rows), '']),
          // Only devices with a feature model can be compared.
          `${counts.total} of ${counted(counts.read - counts.withoutModel, 'device')} that can be compared ${counts.total === 1 ? 'has' : 'have'} values that are not allowed. Settings not read: ${counts.devices - counts.read}. No feature model stored: ${counts.withoutModel} (settings get reads it).`,
        ])
      }
      if (name === '') {
        const summaries = await core.handlers.goldenProfiles.list()
        return show(given, terminal, summaries, () =>
          summaries.length === 0 ? none : table(countHead, summaries.map(countLine)),
        )
      }
      const found = await detailsOf(core, name)
      const names = await loadSettingNames(core)
      const productIds = [found.profile.productId]
      const details = { ...found, settings: titled(names, found.settings, productIds) }
      const devices = titledDrift(names, await notAsWanted(core, found.profile.id), productIds)
      return show(given, terminal, { ...details, deviceDrift: devices }, () => [
        ...table(countHead, [countLine(details)]),
        '',
        ...table(
          [
            'Setting',
            'Label',
            'Group',
            'Wanted',
            'As wanted',
            'Drifted',
            'Not available',
            'Instead',
            'Not taken',
          ],
          details.settings.map(settingLine),
        ),
        ...(devices.length === 0 ? [] : ['', ...deviceTable(devices)]),
        ...(details.oldestReadAt === null
          ? []
          : ['', `by settings read since ${moment(details.oldestReadAt) ?? ''}`]),
      ])
    },
  },
]

const none = 'No golden profiles yet. Make one in the app from the settings of a device.'

const product = ({
  productName,
  productId,
  variantType,
}: Pick<GoldenProfile, 'productName' | 'productId' | 'variantType'>): string =>
  `${productName ?? `product ${productId}`}${variantType === null ? '' : `, variant ${variantType}`}`

function profileLines(
  profile: Omit<GoldenProfile, 'settings'> & { readonly settings: readonly Titled<SettingChange>[] },
): Line[] {
  const rows = profile.settings.map((one) => [
    `  ${one.name}`,
    one.label,
    one.group,
    typeof one.value === 'boolean' ? (one.value ? 'on' : 'off') : String(one.value),
    one.locked === undefined ? '' : one.locked ? 'locked' : 'not locked',
  ])
  return [
    `${profile.name} (${product(profile)})`,
    ...table(['  Setting', 'Label', 'Group', 'Wanted', 'Lock'], rows),
  ]
}

const stateLabels: { readonly [S in DriftState]: string } = {
  drifted: 'Drifted',
  'not-available': 'Not available',
  'not-read': 'Not read',
  'as-wanted': 'As wanted',
}
const countHead = [
  'Golden profile',
  'Product',
  'Devices',
  ...driftStates.map((state) => stateLabels[state]),
  'Read since',
]
const countLine = (summary: GoldenProfileSummary): (string | number | null)[] => [
  summary.profile.name,
  product(summary.profile),
  summary.devices,
  ...driftStates.map((state) => summary.counts[state]),
  moment(summary.oldestReadAt),
]

const settingLine = (one: Titled<GoldenSettingSummary>): (string | number | null)[] => [
  one.name,
  one.label,
  one.group,
  one.wanted,
  one.asWanted,
  one.drifted,
  one.notAvailable,
  one.instead.length === 0 ? null : one.instead.map(({ value, count }) => `${value} (${count})`).join(', '),
  one.refused === null ? null : `by ${one.refused.devices}: ${one.refused.reason}`,
]

type TitledDevice = Omit<DriftedDevice, 'drift'> & { readonly drift: readonly Titled<SettingDrift>[] }
const titledDrift = (
  names: SettingNames,
  devices: readonly DriftedDevice[],
  productIds?: readonly number[],
): readonly TitledDevice[] =>
  devices.map((device) => ({ ...device, drift: titled(names, device.drift, productIds) }))

const deviceTable = (devices: readonly TitledDevice[]): TableLine[] =>
  table(
    ['Device', 'Id', 'State', 'Settings'],
    devices.map(({ room, state, drift, ...device }) => [
      deviceLabel({ ...device, room: { name: room } }),
      device.id,
      stateLabels[state],
      drift.length === 0 ? null : drift.map((one) => `${one.label}: ${driftText(one)}`).join('; '),
    ]),
  )

/** By its name in any case, or its id. */
async function detailsOf(core: CoreClient, name: string): Promise<GoldenProfileDetails> {
  const summaries = await core.handlers.goldenProfiles.list()
  const found =
    summaries.find(({ profile }) => profile.id === name || profile.name === name) ??
    summaries.find(({ profile }) => profile.name.toLowerCase() === name.toLowerCase())
  if (found === undefined) throw Failed.notFound(`golden profile "${name}"`)
  return core.handlers.goldenProfiles.get({ id: found.profile.id })
}

async function notAsWanted(core: CoreClient, id: string): Promise<readonly DriftedDevice[]> {
  const found: DriftedDevice[] = []
  for (const state of driftStates) {
    if (state === 'as-wanted') continue
    for (let start = 0; ; start += pageSize) {
      const { rows, total } = await core.handlers.goldenProfiles.devices({
        id,
        state,
        setting: null,
        start,
        count: pageSize,
      })
      found.push(...rows)
      if (rows.length === 0 || start + pageSize >= total) break
    }
  }
  return found
}

async function notAllowed(core: CoreClient) {
  const first = await core.handlers.goldenProfiles.notAllowed({ start: 0, count: pageSize })
  const rows = [...first.rows]
  while (rows.length < first.total) {
    const more = await core.handlers.goldenProfiles.notAllowed({ start: rows.length, count: pageSize })
    if (more.rows.length === 0) break
    rows.push(...more.rows)
  }
  return { ...first, rows }
}
