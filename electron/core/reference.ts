import { Failed } from '../contract/failure.ts'
import type { Telemetry, VersionWatch } from '../contract/metadata.ts'
import type { Organization } from '../contract/organization.ts'
import type { RebootPlan } from '../contract/write.ts'
import type { Definitions } from './definitions/definitions.ts'
import type { Devices } from './devices/devices.ts'
import {
  openExplorer,
  openKeptCalls,
  openOfferedValues,
  type Explorer,
  type ExplorerClients,
  type WriteTarget,
} from './explorer/explorer.ts'
import { openRecovery, type Firmware, type Recovery } from './firmware/firmware.ts'
import type { Clock } from './host.ts'
import type { DocumentCache, Metadata } from './metadata/metadata.ts'
import { openVersionWatch, rememberedVersions } from './metadata/version-watch.ts'
import type { Settings } from './settings/settings.ts'
import type { Workbook } from './storage/workbook.ts'
import type { Reboots } from './rooms/reboots.ts'
import type { WriteGate } from './write-gate/write-gate.ts'

/** What an organization's desk knows of the interfaces themselves, beside its fleet. */
export interface Reference {
  readonly explorer: Explorer
  readonly recovery: Recovery
  readonly telemetry: (query: { readonly refresh: boolean }) => Promise<Telemetry>
  readonly versions: (query: { readonly refresh: boolean }) => Promise<VersionWatch>
}

export interface ReferenceParts {
  readonly clock: Clock
  readonly organization: Organization
  readonly workbook: Workbook
  readonly scrub: (text: string) => string
  readonly keyScrubber: () => Promise<(text: string) => string>
  readonly metadata: Metadata
  /** For what calls by name received. */
  readonly documents: DocumentCache
  readonly clients: ExplorerClients
  readonly baseUrls: { readonly metadata: string; readonly management: string }
  readonly gate: WriteGate
  /** For a room's devices, read again. */
  readonly reboots: Pick<Reboots, 'plan'>
  readonly devices: Devices
  readonly settings: Pick<Settings, 'forget'>
  readonly firmware: Firmware
  readonly definitions: Definitions
}

/** Chosen: records that cannot be read and are shown; all are counted. */
const unreadAtMost = 50
/** Chosen: products and devices whose values the Explorer offers. */
const offeredRows = 200

export function openReference(parts: ReferenceParts): Reference {
  const { clock, organization, workbook, metadata, firmware, devices, definitions } = parts
  const offered = openOfferedValues({
    clock,
    profile: organization,
    products: async () =>
      (await firmware.products({ text: '', owned: false, start: 0, count: offeredRows })).rows,
    buildTypes: () => firmware.buildTypes(),
    devices: async () =>
      (
        await devices.window(organization.id, {
          where: '',
          sort: [],
          start: 0,
          count: offeredRows,
        })
      ).rows,
    schemaVersions: async () => (await metadata.schemaVersions()).value,
    definitionVersions: async () => {
      const { inUse, latest } = await definitions.inUse({ refresh: false })
      return latest === null ? [inUse] : [inUse, latest]
    },
    recoveryIds: async () => [...((await metadata.recoveryIds()).value.get(organization.vendorId) ?? [])],
    bundles: async () => (await metadata.records('GetFirmwareBundles', {})).value,
  })
  // The demonstration has another address at each start.
  const interfaceName =
    organization.preset === 'demonstration' ? organization.preset : parts.baseUrls.metadata
  const watch = openVersionWatch({
    metadata,
    clock,
    inUse: organization.metadataVersion,
    seen: rememberedVersions(workbook, interfaceName),
  })
  return {
    explorer: openExplorer({
      ...parts,
      profile: organization,
      room: (groupId) => roomTarget(parts.reboots, groupId),
      deviceName: (deviceId) => knownName(devices, organization.id, deviceId),
      forgetSettings: (deviceId) => parts.settings.forget(deviceId),
      kept: openKeptCalls(workbook, organization.id),
      offered,
    }),
    recovery: openRecovery({
      clock,
      metadata,
      product: (id) => firmware.product(id),
      productsWithFile: (file) => firmware.productsWithFile(file),
      vendorId: organization.vendorId,
      usualBuildType: (release) => firmware.usualBuildType(release),
      includeStages: organization.includeStages,
    }),
    telemetry: async ({ refresh }) => {
      const { value, observedAt, fromCache } = await metadata.telemetry({ refresh })
      const { events, unreadable, raw } = value
      return {
        events,
        unreadable: { count: unreadable.length, records: unreadable.slice(0, unreadAtMost) },
        raw,
        observedAt,
        fromCache,
      }
    },
    versions: (query) => watch.check(query),
  }
}

/** For the journal only: a name that cannot be had keeps no write from being made. */
async function knownName(
  devices: Pick<Devices, 'get'>,
  organizationId: string,
  deviceId: string,
): Promise<string | null> {
  try {
    return (await devices.get(organizationId, deviceId)).name
  } catch (error) {
    if (error instanceof Failed) return null
    throw error
  }
}

/** Whose slots a reboot takes; a room whose members nobody knows is refused (behaviour, section 2). */
async function roomTarget(reboots: Pick<Reboots, 'plan'>, groupId: string): Promise<WriteTarget> {
  const deviceIdsOf = ({ problem, devices }: RebootPlan): readonly string[] => {
    if (problem === 'members-unknown')
      throw new Failed({
        kind: 'invalid',
        field: 'groupId',
        message: 'Which devices stand in this room is not known.',
      })
    return devices.map((device) => device.id)
  }
  const plan = await reboots.plan(groupId)
  return {
    target: { of: 'room', id: plan.room.id, name: plan.room.name },
    deviceIds: deviceIdsOf(plan),
    deviceIdsAgain: async () => deviceIdsOf(await reboots.plan(groupId)),
  }
}
