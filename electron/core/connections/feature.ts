import { feature, type Client } from '../feature.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SharedBase } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openConnections, type Connections } from './connections.ts'

export const connectionsFeature = feature({
  open({
    platform,
    policy,
    workbook,
    organizations,
  }: Pick<SharedBase, 'platform' | 'policy'> & {
    readonly workbook: Workbook
    readonly organizations: Organizations
  }) {
    const { clock, log } = platform
    const connections = openConnections({
      workbook,
      clock,
      log,
      nameOf: organizations.nameOf,
      mustAllow: (host) => policy.mustAllow('host', host),
    })
    return { gives: { connections }, onRowsChanged: null, close: () => connections.close() }
  },
  handlers: ({ shared }: Client<{ readonly connections: Connections }, unknown>) => ({
    connections: { list: () => shared.connections.list() },
  }),
})
