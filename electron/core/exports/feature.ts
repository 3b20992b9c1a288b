import type { Changes } from '../changes/changes.ts'
import type { Devices } from '../devices/devices.ts'
import { feature, methods, type Client } from '../feature.ts'
import { openListedJobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { exportHandlers, openExports, type ExportFor } from './exports.ts'

export const exportsFeature = feature({
  open(
    needs: Pick<SharedBase, 'platform' | 'emit'> & {
      readonly workbook: Workbook
      readonly devices: Devices
      readonly rooms: Rooms
      readonly changes: Changes
      readonly journal: Journal
    },
  ) {
    const { platform, emit, workbook, devices, rooms, changes, journal } = needs
    const exported = openExports({
      devices,
      rooms,
      changes,
      journal,
      jobs: openListedJobs(workbook, platform.clock),
      desktop: platform.desktop,
      files: platform.files,
      clock: platform.clock,
      log: platform.log,
      newId: platform.newId,
    })
    const stopListening = exported.onChange(() => emit('exports.changed', { count: 1 }))
    return {
      gives: { exported },
      onRowsChanged: null,
      close: async () => {
        await exported.close()
        stopListening()
      },
    }
  },
  handlers: null,
})

export const exportMethods = methods(
  ({ shared, opened, current, session }: Client<SharedDeps, Awaited<ReturnType<ExportFor['session']>>>) => ({
    exports: exportHandlers(shared.exported, opened, async () => {
      const { id, name } = await current()
      return { organizationId: id, organizationName: name, session }
    }),
  }),
)
