import { feature, type Client } from '../feature.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import type { Definitions } from '../definitions/definitions.ts'
import {
  explorerHandlers,
  inTime,
  knownName,
  openExplorer,
  openOfferedValues,
  openStoredCalls,
  roomTarget,
  type Explorer,
} from './explorer.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Management } from '../management/management.ts'
import { unknownReads, type Metadata } from '../metadata/metadata.ts'
import { fetchRoomForWrite } from '../rooms/rooms.ts'
import type { SessionClients } from '../session-clients.ts'
import type { Settings } from '../settings/settings.ts'
import type { Writes } from '../writes/writes.ts'

/** Maximum of products and devices whose values the Explorer suggests. Raise it if values are missing. */
const offeredRows = 200

export const explorerFeature = feature({
  open(
    needs: SessionBase & {
      readonly clients: SessionClients
      readonly management: Management
      readonly metadata: Metadata
      readonly firmware: Firmware
      readonly definitions: Definitions
      readonly settings: Settings
      readonly writes: Writes
    },
  ) {
    const { organization, managementUrl, metadataUrl, clients, management, metadata, firmware } = needs
    const { definitions, settings, writes } = needs
    const { platform, organizations, documents, workbook, devices, rooms } = needs.shared
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
    const explorerThrough = (through: Writes): Explorer =>
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
        baseUrls: { metadata: metadataUrl, management: managementUrl },
        writes: through,
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
    return {
      gives: {
        explorer: explorerThrough(writes),
        /** That of one client, whose writes are its own. */
        explorerThrough,
      },
      onRowsChanged: null,
      close: null,
    }
  },
  handlers: ({ current, session, tasks }: Client<SharedDeps, { readonly explorer: Explorer }>) => ({
    explorer: explorerHandlers(current, session, tasks),
  }),
})
