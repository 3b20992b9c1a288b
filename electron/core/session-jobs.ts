import type { Organization } from '../contract/api/organizations.ts'
import { orNull } from '../contract/failure.ts'
import type { CallBudget } from './call-budget/call-budget.ts'
import type { SharedDeps } from './core-modules.ts'
import { writeReportedVersion } from './devices/devices.ts'
import { fetchRuleNow, fetchUpdateRule, type Approvals, type Firmware } from './firmware/firmware.ts'
import type { Compliance } from './firmware/compliance.ts'
import { isTimeZone } from '../contract/time-zone.ts'
import { changeSettingsWork } from './jobs/change-settings-work.ts'
import type { JobWorkers } from './jobs/job-work.ts'
import { openJobs, type Jobs } from './jobs/jobs.ts'
import { rebootRoomsWork } from './jobs/reboot-rooms-work.ts'
import { updateFirmwareWork } from './jobs/update-firmware-work.ts'
import { operatingSystemUser } from './journal/journal.ts'
import type { DeviceEndpoints, Management } from './management/management.ts'
import type { Metadata } from './metadata/metadata.ts'
import type { ServiceClient } from './service-client/service-client.ts'
import type { SessionClients } from './session-clients.ts'
import { openSettingsInBulk, type Settings } from './settings/settings.ts'
import { refreshRoom } from './sync/sync.ts'
import { throttle } from './throttle.ts'
import type { Writes } from './writes/writes.ts'

/** Throttle interval, so that a list on screen does not flicker. Lower it if watched rows update too late. */
const watchedNotifiedEveryInMs = 1_000

interface SessionJobs {
  readonly jobs: Jobs
  /** Stores the firmware version that a device reports. Does not reject with Failed. */
  readonly reported: (deviceId: string, version: string, at: number) => Promise<void>
  readonly closeJobs: () => Promise<void>
}

/** The jobs of one organization and the workers that execute their items. */
export function openSessionJobs(
  { platform, store, workbook, journal, devices, rooms, organizations }: SharedDeps,
  organization: Organization,
  deps: {
    readonly budget: CallBudget
    readonly clients: SessionClients
    readonly management: {
      readonly client: ServiceClient
      readonly over: (client: ServiceClient) => Management
      readonly endpointsOver: (client: ServiceClient) => DeviceEndpoints
    }
    readonly writes: Writes
    readonly aboutSettings: Parameters<typeof openSettingsInBulk>[0]
    readonly settings: Settings
    readonly metadata: Metadata
    readonly firmware: Firmware
    readonly approvals: Approvals
    readonly compliance: Pick<Compliance, 'changed'>
    readonly timeZone: () => Promise<string>
    /** A room was read again. */
    readonly roomRead: () => void
  },
): SessionJobs {
  const { clients, management, writes, aboutSettings, settings, metadata, firmware, approvals } = deps
  const { clock } = platform
  const { id } = organization
  // Jobs poll many rooms and devices a second: subscribers are notified at most once per interval.
  const watched = throttle(clock, watchedNotifiedEveryInMs, deps.roomRead)
  const reported = async (deviceId: string, version: string, at: number): Promise<void> => {
    // The cache reports its own problems; a device's report is shown and does not end a job.
    await orNull(
      store.database.perform(writeReportedVersion, { organizationId: id, id: deviceId, version, at }),
    )
    watched.happened()
    deps.compliance.changed('settled')
  }
  const workers: JobWorkers = {
    'reboot-rooms': rebootRoomsWork({
      organization,
      clock,
      rooms,
      devices,
      writes,
      client: management.client,
      managementOver: management.over,
      journal,
      refresh: (roomId, over, ask) =>
        refreshRoom(
          { clock, management: over, store, rooms, organizationId: id, changed: () => watched.happened() },
          roomId,
          ask,
        ),
    }),
    'change-settings': changeSettingsWork({
      organizationId: id,
      clock,
      devices,
      settings: openSettingsInBulk(aboutSettings),
      fetchAll: (task) => settings.fetchAll(task),
      writes,
      client: management.client,
      endpointsOver: management.endpointsOver,
    }),
    'update-firmware': updateFirmwareWork({
      organizationId: id,
      vendorId: organization.vendorId,
      clock,
      devices,
      ruleOf: (productId) =>
        fetchUpdateRule({ firmware, metadata, approvals }, { vendorId: organization.vendorId, productId }),
      ruleNow: (productId, signal) =>
        fetchRuleNow(
          { firmware, metadata, approvals },
          { vendorId: organization.vendorId, productId },
          signal,
        ),
      writes,
      client: management.client,
      endpointsOver: management.endpointsOver,
      reported,
    }),
  }
  const jobs = openJobs({
    organizationId: id,
    organizationName: () => organizations.get(id).name,
    workbook,
    who: operatingSystemUser(),
    workers,
    writes,
    budget: deps.budget,
    clock,
    newId: platform.newId,
    log: platform.log,
    connection: { state: () => clients.connection().connection, onChange: clients.onConnection },
    timeZone: deps.timeZone,
    async zonesOf(deviceIds) {
      const roomsOf = await rooms.roomsOf(id, deviceIds)
      const ids = [...new Set(roomsOf.values())]
      const zones = new Map<string, string>()
      for (const { id: room, timeZone } of (await rooms.selected(id, { kind: 'picked', ids })).rooms)
        if (timeZone !== null && isTimeZone(timeZone)) zones.set(room, timeZone)
      return new Map(
        [...roomsOf].flatMap(([device, room]) => {
          const zone = zones.get(room)
          return zone === undefined ? [] : [[device, zone] as const]
        }),
      )
    },
  })
  return {
    jobs,
    reported,
    async closeJobs() {
      await jobs.close()
      watched.close()
    },
  }
}
