import type { Comparing, FleetStatus, ProductNotCompared } from '../../contract/api/firmware.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import { openDevices, type JudgedDevices } from '../devices/devices.ts'
import { feature, type Client } from '../feature.ts'
import { operatingSystemUser } from '../journal/journal.ts'
import type { Metadata, VersionWatching } from '../metadata/metadata.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import type { Sync } from '../sync/sync.ts'
import { openApprovalNotes } from './approval-notes.ts'
import { openApprovals, type Approvals } from './approvals.ts'
import { openCompliance } from './compliance.ts'
import { firmwareHandlers, openFirmware, type Firmware } from './firmware.ts'
import { fleetStatus } from './fleet-status.ts'
import { openRecovery } from './recovery.ts'

/** Maximum of suggested variants of a product (contract/definition.ts). */
const fleetFirmwareAtMost = 50

/** Releases of the products, versions that a person approved, and devices in recovery mode. */
export const firmwareFeature = feature({
  open({ shared, organization, timeZone, metadata }: SessionBase & { readonly metadata: Metadata }) {
    const { clock } = shared.platform
    const { id } = organization
    const approvals = openApprovals({
      clock,
      workbook: shared.workbook,
      journal: shared.journal,
      organization,
      who: operatingSystemUser(),
      timeZone,
      releases: (product, ask) => firmware.releases(product, ask),
      product: (product) => firmware.product(product, { cachedOnly: true }),
    })
    const firmware: Firmware = openFirmware({
      clock,
      metadata,
      approvals,
      fleetVariants: async (productId) =>
        (await shared.devices.commonFirmware(id, fleetFirmwareAtMost, productId)).map(
          (one) => one.variantType,
        ),
      deviceCounts: () => shared.devices.countsByProduct(id),
      vendorId: organization.vendorId,
      assumedBuildTypes: organization.assumed.buildTypes,
      includeStages: organization.includeStages,
    })
    const recovery = openRecovery({
      clock,
      metadata,
      product: (product) => firmware.product(product),
      productsWithFile: (file) => firmware.productsWithFile(file),
      releases: (product) => firmware.releases(product, { cachedOnly: true }),
      vendorId: organization.vendorId,
      usualBuildType: (release) => firmware.usualBuildType(release),
      includeStages: organization.includeStages,
    })
    return { gives: { approvals, firmware, recovery }, onRowsChanged: null, close: null }
  },
  handlers: null,
})

/** The firmware of the fleet, compared with the catalogue. */
export const complianceFeature = feature({
  open(
    needs: SessionBase & {
      readonly approvals: Approvals
      readonly firmware: Firmware
      readonly versions: VersionWatching
      readonly sync: Sync
    },
  ) {
    const { shared, metadataUrl, rowsChanged, statusChanged, approvals, firmware, versions, sync } = needs
    const { id, vendorId, metadataVersion } = needs.organization
    const { platform, store, devices, emit } = shared
    const { clock, log } = platform
    const compliance = openCompliance({
      clock,
      store,
      firmware,
      approvals,
      deviceCounts: () => devices.countsByProduct(id),
      syncing: () => sync.state().running,
      organizationId: id,
      vendorId,
      onError: (error) =>
        log.write('error', 'Firmware could not be compared with the catalogue', { error: String(error) }),
    })
    const approvalNotes = openApprovalNotes(approvals, log, statusChanged)
    const disposers = [
      compliance.onChange(() => rowsChanged('beside')),
      compliance.onChange(approvalNotes.check),
      compliance.onComparing(() => emit('firmware.changed', { count: 0 })),
      approvals.onChange(approvalNotes.check),
      firmware.onReadAnew(approvalNotes.check),
    ]
    approvalNotes.check()
    /** Stores results for these stages under a name of their own, until their `end`. */
    const judgedAs = async (stages: readonly PrereleaseStage[]) => {
      const judged = ` ${platform.newId()}`
      return { judged, ...(await compliance.judged(stages, judged)) }
    }
    // Stored data is enough to begin with, also without a connection; a start shows its first rows before.
    compliance.changed('more-to-come')
    return {
      gives: {
        compliance,
        /** Approvals that ended: a revoked version, a past last day. */
        approvalNotes: approvalNotes.notes,
        /** Notices about the metadata interface: nothing at all was found there; the support of its version ends. */
        metadataNotes: (): readonly string[] => [
          ...(firmware.nothingPublished() ? [nothingPublished(metadataUrl, metadataVersion)] : []),
          ...versions.notes(),
        ],
        /** Compares the fleet with the cached catalogue now. Rejects with Failed `cache-unusable`. */
        recomputeCompliance: async (): Promise<void> => void (await compliance.reconcile()),
        /**
         * The devices as if releases of these stages could be the latest, until their `end`. Rejects with Failed
         * `cache-unusable`.
         */
        judgedWith: async (stages: readonly PrereleaseStage[]): Promise<JudgedDevices> => {
          const { judged, ...one } = await judgedAs(stages)
          return { ...one, devices: openDevices({ store, clock, judged }) }
        },
        /**
         * Reads the firmware documents of the fleet's products ahead (`Firmware.warm`) and compares them all; looks
         * for a newer version of the metadata interface. Rejects with Failed `cache-unusable`.
         */
        compareFleet: async (signal: AbortSignal): ReturnType<Firmware['warm']> => {
          const looking = versions.look(signal)
          const warmed = await compliance.compareAll((asked) => firmware.warm({ signal, asked }), signal)
          await looking
          return warmed
        },
        /** How far a running comparison of the fleet is. Rejects with Failed `cache-unusable`. */
        comparing: (): Promise<Comparing | null> => compliance.comparing(),
        /** Called when `comparing` changed. */
        onComparing: (listener: () => void): (() => void) => compliance.onComparing(listener),
        /** The name in the stored catalogue, as on every page; null: it does not list the product. */
        productNames: async (): Promise<(productId: number) => string | null> => {
          const nameOf = await firmware.names({ cachedOnly: true })
          return (productId) => nameOf({ vendorId, productId })
        },
        /** Products whose firmware could not be compared, and why. Rejects with Failed `cache-unusable`. */
        notCompared: (): Promise<readonly ProductNotCompared[]> => compliance.notCompared(),
        /** Compliance of the products of the fleet. Rejects with Failed `cache-unusable`. */
        fleetStatus: async (stages: readonly PrereleaseStage[] | null): Promise<FleetStatus> => {
          const statusAs = (judged: string) =>
            fleetStatus(
              { database: store.database, organizationId: id, vendorId, judged },
              firmware,
              approvals,
              compliance,
            )
          if (stages === null) return { ...(await statusAs('')), unread: 0 }
          const { judged, unread, end } = await judgedAs(stages)
          try {
            return { ...(await statusAs(judged)), unread }
          } finally {
            await end()
          }
        },
      },
      onRowsChanged: (_, how) => {
        if (how !== 'beside') compliance.changed(how)
      },
      close: async () => {
        for (const end of disposers) end()
        await compliance.close()
      },
    }
  },
  handlers: ({
    shared: { devices, emit },
    session,
    sessions,
    currentId,
  }: Client<
    SharedDeps,
    Parameters<typeof firmwareHandlers>[1] extends () => Promise<infer S> ? S : never
  >) => ({
    firmware: {
      ...firmwareHandlers(devices, session, () => emit('firmware.changed', { count: 1 })),
      comparing: async () => sessions.comparing(await currentId()),
    },
  }),
})

const nothingPublished = (metadataUrl: string, version: number): string =>
  `The metadata interface at ${new URL(metadataUrl).host}, version ${version}, publishes nothing (404 for every document), so no firmware was compared. Check the metadata address and version of the organization.`
