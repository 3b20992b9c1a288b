import { orNull } from '../../contract/failure.ts'
import { feature, type Client } from '../feature.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import { writeReportedVersion } from '../devices/devices.ts'
import {
  fetchRuleNow,
  fetchUpdateRule,
  type Approvals,
  type Compliance,
  type Firmware,
} from '../firmware/firmware.ts'
import { changeSettingsWork } from './change-settings-work.ts'
import type { JobWorkers } from './job-work.ts'
import { jobHandlers, openJobs, type Jobs } from './jobs.ts'
import { rebootRoomsWork } from './reboot-rooms-work.ts'
import { updateFirmwareWork } from './update-firmware-work.ts'
import { operatingSystemUser } from '../journal/journal.ts'
import type { DeviceEndpoints } from '../management/management.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { SessionClients } from '../session-clients.ts'
import { openSettingsInBulk, type Settings } from '../settings/settings.ts'
import { refreshRoom } from '../sync/sync.ts'
import { throttle } from '../throttle.ts'
import type { Writes } from '../writes/writes.ts'

/** Throttle interval, so that a list on screen does not flicker. Lower it if watched rows update too late. */
const watchedNotifiedEveryInMs = 1_000

/** The jobs of one organization and the workers that execute their items. */
export const jobsFeature = feature({
  open(
    needs: SessionBase & {
      readonly clients: SessionClients
      readonly managementClient: ServiceClient
      readonly writes: Writes
      readonly closeWrites: () => Promise<void>
      readonly aboutSettings: Parameters<typeof openSettingsInBulk>[0]
      readonly endpointsOver: (client: ServiceClient) => DeviceEndpoints
      readonly settings: Settings
      readonly metadata: Metadata
      readonly firmware: Firmware
      readonly approvals: Approvals
      readonly compliance: Pick<Compliance, 'changed'>
      /** A room was read again. */
      readonly roomRead: () => void
    },
  ) {
    const { organization, budget, timeZone, clients, managementClient, writes, closeWrites } = needs
    const { aboutSettings, endpointsOver, settings, metadata, firmware, approvals, compliance } = needs
    const { roomRead } = needs
    const { platform, store, workbook, journal, devices, rooms, organizations, emit } = needs.shared
    const { clock } = platform
    const { id } = organization
    // Jobs poll many rooms and devices a second: subscribers are notified at most once per interval.
    const watched = throttle(clock, watchedNotifiedEveryInMs, roomRead)
    const reported = async (deviceId: string, version: string, at: number): Promise<void> => {
      // The cache reports its own problems; a device's report is shown and does not end a job.
      await orNull(
        store.database.perform(writeReportedVersion, { organizationId: id, id: deviceId, version, at }),
      )
      watched.happened()
      compliance.changed('settled')
    }
    const workers: JobWorkers = {
      'reboot-rooms': rebootRoomsWork({
        organization,
        clock,
        rooms,
        devices,
        writes,
        client: managementClient,
        managementOver: clients.managementOver,
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
        client: managementClient,
        endpointsOver,
      }),
      'update-firmware': updateFirmwareWork({
        organizationId: id,
        vendorId: organization.vendorId,
        clock,
        devices,
        rooms,
        ruleOf: (productId) =>
          fetchUpdateRule({ firmware, metadata, approvals }, { vendorId: organization.vendorId, productId }),
        ruleNow: (productId, signal) =>
          fetchRuleNow(
            { firmware, metadata, approvals },
            { vendorId: organization.vendorId, productId },
            signal,
          ),
        writes,
        client: managementClient,
        endpointsOver,
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
      budget,
      clock,
      newId: platform.newId,
      log: platform.log,
      connection: { state: () => clients.connection().connection, onChange: clients.onConnection },
      timeZone,
      zonesOf: (deviceIds) => rooms.zonesOf(id, deviceIds),
    })
    jobs.onChange((ids) => emit('jobs.changed', { ids }))
    return {
      gives: {
        jobs,
        /** Stores the firmware version that a device reports. Does not reject with Failed. */
        reported,
      },
      onRowsChanged: null,
      close: async () => {
        await Promise.all([jobs.close(), closeWrites()])
        watched.close()
      },
    }
  },
  handlers: ({ session, sessions, currentId, tasks }: Client<SharedDeps, { readonly jobs: Jobs }>) => ({
    jobs: jobHandlers(session, tasks, async () => sessions.jobsBut(await currentId())),
  }),
})
