import type { Organization } from '../contract/api/organizations.ts'
import type { SharedDeps } from './core-modules.ts'
import type { Definitions } from './definitions/definitions.ts'
import {
  inTime,
  knownName,
  openExplorer,
  openOfferedValues,
  openStoredCalls,
  roomTarget,
  type Explorer,
} from './explorer/explorer.ts'
import type { Firmware } from './firmware/firmware.ts'
import type { Management } from './management/management.ts'
import { unknownReads, type Metadata } from './metadata/metadata.ts'
import { fetchRoomForWrite } from './rooms/rooms.ts'
import type { SessionClients } from './session-clients.ts'
import type { Settings } from './settings/settings.ts'
import type { Writes } from './writes/writes.ts'

/** Maximum of products and devices whose values the Explorer suggests. Raise it if values are missing. */
const offeredRows = 200

/** The Explorer of one organization; its writes are sent through the given ones. */
export function openSessionExplorer(
  { platform, organizations, documents, workbook, devices, rooms }: SharedDeps,
  organization: Organization,
  {
    clients,
    baseUrls,
    management,
    metadata,
    firmware,
    definitions,
    settings,
  }: {
    readonly clients: SessionClients
    readonly baseUrls: { readonly metadata: string; readonly management: string }
    readonly management: Management
    readonly metadata: Metadata
    readonly firmware: Firmware
    readonly definitions: Definitions
    readonly settings: Settings
  },
): (writes: Writes) => Explorer {
  const { clock } = platform
  const { id } = organization
  const offered = openOfferedValues({
    clock,
    profile: organization,
    products: async () =>
      (await firmware.products({ text: '', owned: false, start: 0, count: offeredRows })).rows,
    buildTypes: () => firmware.buildTypes(),
    devices: async () =>
      (await devices.slice(id, { where: '', sort: [], start: 0, count: offeredRows })).rows,
    schemaVersions: async () => (await metadata.schemaVersions()).value,
    definitionVersions: async () => {
      const { inUse, latest } = await definitions.inUse({ refresh: false })
      return latest === null ? [inUse] : [inUse, latest]
    },
    recoveryIds: async () => [...((await metadata.recoveryIds()).value.get(organization.vendorId) ?? [])],
    bundles: async () => (await metadata.firmwareBundles()).value,
    catalogue: async () => {
      const { products, bundles } = (await metadata.catalogue()).value
      return [
        ...products.flatMap((one) => one.entityIds.map((entityId) => ({ entityId, bundle: null }))),
        ...bundles.map(({ name }) => ({ entityId: null, bundle: name })),
      ]
    },
  })
  return (writes) =>
    openExplorer({
      clock,
      profile: organization,
      scrub: (text) => organizations.scrubber.text(text),
      keyScrubber: () => organizations.keyScrubber(),
      documents,
      clients: {
        metadata: clients.metadata,
        management: (apiVersion) => clients.management(organizations.keyRing(id), { apiVersion }),
      },
      baseUrls,
      writes,
      room: (groupId) =>
        roomTarget((room) => {
          const ask = { lane: 'interactive', signal: null } as const
          return fetchRoomForWrite({ organizationId: id, rooms, management, clock }, room, ask)
        }, groupId),
      deviceName: (deviceId) => knownName(devices, id, deviceId),
      forgetSettings: (deviceId) => settings.forget(deviceId),
      storedCalls: openStoredCalls(workbook, id),
      offered,
      described: ({ ask }) =>
        inTime(
          clock,
          metadata.openApi(undefined, { cachedOnly: !ask }).then(({ value }) => unknownReads(value)),
        ),
    })
}
