import type { Connections } from '../connections/connections.ts'
import type { SharedBase } from '../core-features.ts'
import { feature, type Client } from '../feature.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openNewerVersions, type NewerVersions } from './newer-version.ts'

export const newerVersionFeature = feature({
  open(
    needs: Pick<SharedBase, 'platform' | 'policy' | 'emit'> & {
      readonly workbook: Workbook
      readonly connections: Connections
    },
  ) {
    const { policy, emit, workbook, connections } = needs
    const { clock, log, transport, newerVersion, about } = needs.platform
    const newerVersions = openNewerVersions({
      clock,
      log,
      workbook,
      transport: connections.counted(transport, 'newer-version', null),
      source: () => newerVersion(policy.settings().newerVersions ?? null),
      version: about.version,
      changed: () => emit('app.changed', { what: 'status' }),
    })
    return { gives: { newerVersions }, onRowsChanged: null, close: newerVersions.close }
  },
  handlers: ({ shared }: Client<{ readonly newerVersions: NewerVersions }, unknown>) => ({
    newerVersion: { check: () => shared.newerVersions.check() },
  }),
})
