import type { HoldTrial } from '../contract/api/budget.ts'
import { Failed, type KeySlot } from '../contract/failure.ts'
import type { PrereleaseStage } from '../contract/firmware.ts'
import type { DeviceFirmware } from '../contract/api/devices.ts'
import type { Comparing, FleetStatus, ProductNotCompared } from '../contract/api/firmware.ts'
import type { Organization } from '../contract/api/organizations.ts'
import { systemTimeZone } from '../contract/time-zone.ts'
import type { CallBudget } from './call-budget/call-budget.ts'
import { openDefinitions, type Definitions } from './definitions/definitions.ts'
import { openDevices, type JudgedDevices } from './devices/devices.ts'
import type { Explorer } from './explorer/explorer.ts'
import {
  openApprovals,
  openCompliance,
  openFirmware,
  openRecovery,
  type Approvals,
  type Firmware,
  type Recovery,
} from './firmware/firmware.ts'
import { fleetStatus } from './firmware/fleet-status.ts'
import { openGoldenProfiles, type GoldenProfiles } from './golden-profiles/golden-profiles.ts'
import type { Budgets } from './budgets.ts'
import { openSessionClients, type Connection } from './session-clients.ts'
import { openHoldTrial } from './hold-trial.ts'
import {
  openDeviceEndpoints,
  otherThanAsked,
  parseFirmware,
  type DeviceEndpoints,
} from './management/management.ts'
import { openMetadata, type Metadata } from './metadata/metadata.ts'
import { openVersionWatch, rememberedVersions, type VersionWatching } from './metadata/version-watch.ts'
import { openPictures, type Pictures } from './pictures/pictures.ts'
import { openReleaseNotes, type ReleaseNotesReader } from './release-notes/release-notes.ts'
import type { Jobs } from './jobs/jobs.ts'
import { operatingSystemUser } from './journal/journal.ts'
import type { Room } from '../contract/api/rooms.ts'
import { openSettingDigest, openSettings, openCachedSettings, type Settings } from './settings/settings.ts'
import type { ServiceClient } from './service-client/service-client.ts'
import type { SharedDeps } from './core-modules.ts'
import { openSync, refreshRoom, type Sync } from './sync/sync.ts'
import { openWrites, type Writes } from './writes/writes.ts'
import { Listeners } from './listeners.ts'
import { openApprovalNotes } from './firmware/approval-notes.ts'
import { openSessionExplorer } from './session-explorer.ts'
import { openSessionJobs } from './session-jobs.ts'

/** Maximum of suggested variants and firmware versions of a product (contract/definition.ts). */
const fleetFirmwareAtMost = 50
/**
 * Maximum of variants and firmware versions whose documents give names and groups of settings. Raise it if
 * names are missing.
 */
const namedFirmware = 200

/**
 * The modules that work for one organization: its budget, its two services, and the features that use them.
 */
export interface Session {
  readonly organization: Organization
  readonly scope: string
  readonly budget: CallBudget
  readonly sync: Sync
  readonly firmware: Firmware
  readonly definitions: Definitions
  readonly releaseNotes: ReleaseNotesReader
  readonly pictures: Pictures
  readonly settings: Settings
  readonly goldenProfiles: GoldenProfiles
  readonly metadata: Metadata
  readonly explorer: Explorer
  readonly recovery: Recovery
  /** Whether a newer version of the metadata interface is available. */
  readonly versions: VersionWatching
  /** Executes every write of the organization. */
  readonly writes: Writes
  readonly jobs: Jobs
  /**
   * The same session for one client, with writes unlocked only for it; its `close` cancels what was not
   * sent. `who`: as `Writes.who`.
   */
  readonly forClient: (who: string) => Session
  /** Locks the actions that the window and other clients unlocked. */
  readonly lockWrites: (which?: 'everything' | 'starting') => void
  /** Reads one room again from the service and writes it to the store. */
  readonly refreshRoom: (id: string) => Promise<Room>
  /**
   * The devices as if releases of these stages could be the latest, until their `end`. Rejects with Failed
   * `cache-unusable`.
   */
  readonly judgedWith: (stages: readonly PrereleaseStage[]) => Promise<JudgedDevices>
  /**
   * Compares the firmware of the fleet with the cached catalogue now. Rejects with Failed `cache-unusable`.
   */
  readonly recomputeCompliance: () => Promise<void>
  /**
   * Reads the firmware documents of the fleet's products ahead (`Firmware.warm`) and compares them all; looks for
   * a newer version of the metadata interface. Rejects with Failed `cache-unusable`.
   */
  readonly compareFleet: (signal: AbortSignal) => ReturnType<Firmware['warm']>
  /** How far a running comparison of the fleet is. Rejects with Failed `cache-unusable`. */
  readonly comparing: () => Promise<Comparing | null>
  /** Versions that a person approved. */
  readonly approvals: Approvals
  /**
   * A device's current report about its firmware. Rejects with Failed, `not-found` if the profile has no
   * address for it.
   */
  readonly firmwareOf: (deviceId: string) => Promise<DeviceFirmware>
  /** Compliance of the products of the fleet. Rejects with Failed `cache-unusable`. */
  readonly fleetStatus: () => Promise<FleetStatus>
  /** Products whose firmware could not be compared, and why. Rejects with Failed `cache-unusable`. */
  readonly notCompared: () => Promise<readonly ProductNotCompared[]>
  /** Notices about the metadata interface: nothing at all was found there; the support of its version ends. */
  readonly metadataNotes: () => readonly string[]
  /** Approvals that ended: a revoked version, a past last day. */
  readonly approvalNotes: () => readonly string[]
  /** Single requests of the management interface, with the organization's keys. */
  readonly managementClient: ServiceClient
  readonly connection: () => Connection
  /** One call with the key of only one slot. Rejects with Failed if it does not work. */
  readonly keyWorks: (slot: KeySlot) => Promise<void>
  /** The one call that a person requests during a hold. Rejects with Failed `cache-unusable`. */
  readonly tryDuringHold: (reference: string | null) => Promise<HoldTrial>
  /** Called when app status, connection or budget may have changed. */
  readonly onChange: (listener: () => void) => () => void
  /** Fires when rows change outside a sync (single-room refresh, compliance recomputed). */
  readonly onRowsChanged: (listener: () => void) => () => void
  /** Called when `comparing` changed. */
  readonly onComparing: (listener: () => void) => () => void
  /** Called when another picture of a product was stored. */
  readonly onPictures: (listener: () => void) => () => void
  readonly close: () => Promise<void>
}

/**
 * Opens the session of one organization. Rejects with Failed if its addresses are unavailable (a
 * demonstration that does not start).
 */
export async function openSession(
  shared: SharedDeps,
  organization: Organization,
  budgets: Budgets,
): Promise<Session> {
  const { platform, organizations, store, devices, rooms } = shared
  const { id } = organization
  const { managementUrl, metadataUrl } = await organizations.addresses(id)
  const scope = await organizations.budgetScope(id)
  const budget = await budgets.of(scope)
  const listeners = new Listeners()
  const changed = listeners.notify
  const rowListeners = new Listeners()
  const rowsChanged = (_: string, how: 'settled' | 'more-to-come'): void => {
    devices.changed(id, how)
    rooms.changed(id, how)
    shared.changes.changed(id, how)
    compliance.changed(how)
    goldenProfiles.changed(how)
  }
  const rowsChangedBeside = (): void => {
    devices.changed(id)
    rooms.changed(id)
    shared.changes.changed(id)
    goldenProfiles.changed('settled')
    rowListeners.notify()
    changed()
  }
  const roomRead = (): void => {
    rowsChangedBeside()
    shared.changes.recorded()
  }
  const { clock } = platform
  const timeZone = async (): Promise<string> =>
    (await shared.workbook.preferences()).timeZone ?? systemTimeZone()
  const clients = openSessionClients(shared, organization, {
    budget,
    scope,
    managementUrl,
    metadataUrl,
  })
  clients.onConnection(changed)
  const { managementHost, managementOver } = clients
  const managementClient = clients.management(organizations.keyRing(id))
  const management = managementOver(managementClient)
  // A renamed organization keeps its session: the name is read whenever it is needed.
  const named: Organization = {
    ...organization,
    get name() {
      return organizations.get(id).name
    },
  }
  const writesOf = (who: string | null): Writes =>
    openWrites({
      clock,
      log: platform.log,
      slots: shared.writeSlots,
      journal: shared.journal,
      storageProblem: shared.storageProblem,
      organization: named,
      who,
      ...(who === null && { mayUnlock: shared.mayUnlock }),
    })
  const writes = writesOf(null)
  const metadata = openMetadata({
    client: clients.metadata,
    cache: shared.documents,
    baseUrl: metadataUrl,
    apiVersion: organization.metadataVersion,
    family: organization.family,
  })

  // A separate client, so that every attempt of a sync is counted, including those without data.
  let syncAttempts = 0
  const syncClient = clients.management(organizations.keyRing(id), { attempted: () => syncAttempts++ })
  const sync = await openSync({
    clock,
    management: managementOver(syncClient),
    store,
    organizationId: id,
    budget: () => budget.state(),
    retrying: () => syncClient.retrying() > 0,
    attempts: () => syncAttempts,
    changed: rowsChanged,
    firstRows: () => devices.firstRows(id),
    onError: (error) =>
      platform.log.write('error', 'A planned sync ended unexpectedly', { error: String(error) }),
  })
  const approvals = openApprovals({
    clock,
    workbook: shared.workbook,
    journal: shared.journal,
    organization: named,
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
      (await devices.commonFirmware(id, fleetFirmwareAtMost, productId)).map((one) => one.variantType),
    deviceCounts: () => devices.countsByProduct(id),
    vendorId: organization.vendorId,
    assumedBuildTypes: organization.assumed.buildTypes,
    includeStages: organization.includeStages,
  })
  const compliance = openCompliance({
    clock,
    store,
    firmware,
    approvals,
    deviceCounts: () => devices.countsByProduct(id),
    syncing: () => sync.state().running,
    organizationId: id,
    vendorId: organization.vendorId,
    onError: (error) =>
      platform.log.write('error', 'Firmware could not be compared with the catalogue', {
        error: String(error),
      }),
  })
  const approvalNotes = openApprovalNotes(approvals, platform.log, changed)
  const disposers = [
    sync.onProgress(changed),
    budget.onChange(changed),
    writes.onChange(changed),
    compliance.onChange(rowsChangedBeside),
    compliance.onChange(approvalNotes.check),
    approvals.onChange(approvalNotes.check),
    firmware.onReadAnew(approvalNotes.check),
  ]
  approvalNotes.check()
  // Stored data is enough to begin with, also without a connection.
  compliance.changed('settled')
  const endpointsOver = (client: ServiceClient): DeviceEndpoints =>
    openDeviceEndpoints({
      client,
      templates: organization.templates,
      host: managementHost,
      sentId: (deviceId) => sync.sentId(deviceId),
    })
  const aboutSettings = {
    organizationId: id,
    vendorId: organization.vendorId,
    templates: organization.templates,
    endpoints: endpointsOver(managementClient),
    host: managementHost,
    digest: await openSettingDigest(shared.workbook, platform.newId),
    metadata,
    store,
    changed: () => shared.changes.recorded(),
    stored: () => goldenProfiles.changed('more-to-come'),
  }
  const cachedSettings = openCachedSettings(aboutSettings)
  const definitions = openDefinitions({
    metadata,
    cachedValues: async ({ vendorId, productId, variantType }, names) =>
      vendorId === organization.vendorId
        ? await cachedSettings.ofProduct({ productId, variantType }, names)
        : [],
    installed: platform.definitionsPackage,
    versionLimit: organization.definitionCeiling,
    workbook: shared.workbook,
    clock,
    // Devices report no vendor (observed): the organization's is used.
    fleetFirmware: async ({ vendorId, productId }) =>
      vendorId === organization.vendorId
        ? await devices.commonFirmware(id, fleetFirmwareAtMost, productId)
        : [],
    fleet: async () =>
      (await devices.commonFirmware(id, namedFirmware)).map(({ count: _, ...one }) => ({
        vendorId: organization.vendorId,
        ...one,
      })),
    releases: (product) => firmware.releases(product),
  })
  const goldenProfiles = openGoldenProfiles({
    organizationId: id,
    workbook: shared.workbook,
    store,
    devices,
    clock,
    newId: platform.newId,
    settings: cachedSettings,
  })
  const settingsThrough = (through: Writes): Settings =>
    openSettings({
      ...aboutSettings,
      device: (deviceId) => devices.get(id, deviceId),
      writes: through,
    })
  const settings = settingsThrough(writes)
  const { jobs, reported, closeJobs } = openSessionJobs(shared, organization, {
    budget,
    clients,
    management: { client: managementClient, over: managementOver, endpointsOver },
    writes,
    aboutSettings,
    settings,
    metadata,
    firmware,
    approvals,
    compliance,
    timeZone,
    roomRead,
  })
  // The demonstration has another address at each start.
  const interfaceName = organization.preset === 'demonstration' ? organization.preset : metadataUrl
  const versions = openVersionWatch({
    metadata,
    clock,
    log: platform.log,
    inUse: organization.metadataVersion,
    seen: rememberedVersions(shared.workbook, interfaceName),
    timeZone,
    changed,
  })
  const explorerThrough = openSessionExplorer(shared, organization, {
    clients,
    baseUrls: { metadata: metadataUrl, management: managementUrl },
    management,
    metadata,
    firmware,
    definitions,
    settings,
  })
  const releaseNotes = openReleaseNotes({ metadata, releases: (product) => firmware.releases(product) })
  const pictureListeners = new Listeners()
  const pictures = openPictures({
    clock,
    log: platform.log,
    dataFolder: platform.dataFolder,
    names: platform.names,
    transport: platform.fileTransport,
    ownOrigin: new URL(metadataUrl).origin,
    interfaceName,
    cache: shared.pictures,
    // Returns cached data, so that a caller that waits for a document is not delayed by a picture.
    named: (product) => releaseNotes.pictures(product, { cachedOnly: true }),
    counted: (url, attempt) => shared.connections.attempted(url, 'picture', id, attempt),
    changed: pictureListeners.notify,
  })
  const writing = (through: Writes): Pick<Session, 'writes' | 'settings' | 'explorer' | 'jobs'> => ({
    writes: through,
    settings: settingsThrough(through),
    explorer: explorerThrough(through),
    jobs: jobs.through(through),
  })
  const clientWrites = new Set<Writes>()
  const session: Session = {
    ...writing(writes),
    forClient: (who) => {
      const own = writesOf(who)
      clientWrites.add(own)
      return {
        ...session,
        ...writing(own),
        close: async () => {
          await own.close()
          clientWrites.delete(own)
        },
      }
    },
    lockWrites: (which) => {
      for (const one of [writes, ...clientWrites]) one.lockNow(which)
    },
    organization: named,
    scope,
    budget,
    sync,
    firmware,
    definitions,
    releaseNotes,
    pictures,
    refreshRoom: (roomId) =>
      refreshRoom({ clock, management, store, rooms, organizationId: id, changed: roomRead }, roomId),
    firmwareOf: async (deviceId) => {
      const answer = await endpointsOver(managementClient).firmware({
        deviceId,
        lane: 'interactive',
        signal: null,
      })
      const { productId } = await devices.get(id, deviceId)
      const other = otherThanAsked(answer.json, { deviceId, productId })
      if (other !== null) throw Failed.invalid('firmware', other)
      const reading = parseFirmware(answer.json)
      if (reading.version !== null) await reported(deviceId, reading.version, answer.receivedAt)
      return { deviceId, ...reading, observedAt: answer.receivedAt, raw: answer.json }
    },
    recomputeCompliance: async () => {
      await compliance.reconcile()
    },
    judgedWith: async (stages) => {
      const judged = ` ${platform.newId()}`
      const { unread, end } = await compliance.judged(stages, judged)
      return { devices: openDevices({ store, clock, judged }), unread, end }
    },
    compareFleet: async (signal) => {
      const looking = versions.look(signal)
      const warmed = await compliance.compareAll((asked) => firmware.warm({ signal, asked }), signal)
      await looking
      return warmed
    },
    comparing: () => compliance.comparing(),
    approvals,
    fleetStatus: () =>
      fleetStatus(
        { database: store.database, organizationId: id, vendorId: organization.vendorId },
        firmware,
        approvals,
        compliance,
      ),
    notCompared: () => compliance.notCompared(),
    metadataNotes: () => [
      ...(firmware.nothingPublished() ? [nothingPublished(metadataUrl, organization.metadataVersion)] : []),
      ...versions.notes(),
    ],
    approvalNotes: approvalNotes.notes,
    metadata,
    recovery: openRecovery({
      clock,
      metadata,
      product: (product) => firmware.product(product),
      productsWithFile: (file) => firmware.productsWithFile(file),
      vendorId: organization.vendorId,
      usualBuildType: (release) => firmware.usualBuildType(release),
      includeStages: organization.includeStages,
    }),
    versions,
    managementClient,
    connection: clients.connection,
    goldenProfiles,
    keyWorks: async (slot) => {
      const checked = managementOver(clients.management(organizations.slotRing(id, slot)))
      // A specified value of deviceClientType; the check is one call with page size 1 (behaviour, section 1).
      await checked.devicePage({
        stream: 'MeetingRoom',
        token: null,
        pageSize: 1,
        lane: 'interactive',
        signal: null,
      })
    },
    tryDuringHold: openHoldTrial({
      budget,
      clock,
      journal: shared.journal,
      organization: named,
      managementOver,
      operation: organization.managementVersion === 1 ? 'ListDevicesV1' : 'ListDevices',
      client: () =>
        clients.management(organizations.slotRing(id, organizations.get(id).keyInUse), { exception: 'hold' }),
    }),
    onChange: listeners.add,
    onRowsChanged: rowListeners.add,
    onComparing: (listener) => compliance.onComparing(listener),
    onPictures: pictureListeners.add,
    close: async () => {
      listeners.clear()
      rowListeners.clear()
      pictureListeners.clear()
      for (const end of disposers) end()
      // Closing the writes also ends those that the jobs wait for.
      await Promise.all([
        closeJobs(),
        writes.close(),
        pictures.close(),
        ...[...clientWrites].map((one) => one.close()),
      ])
      goldenProfiles.close()
      await sync.close()
      await compliance.close()
    },
  }
  return session
}

const nothingPublished = (metadataUrl: string, version: number): string =>
  `The metadata interface at ${new URL(metadataUrl).host}, version ${version}, publishes nothing (404 for every document), so no firmware was compared. Check the metadata address and version of the organization.`
