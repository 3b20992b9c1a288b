import type { ContactPurpose, ReachableHost } from '../../contract/api/connections.ts'
import { feature, type Client } from '../feature.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SharedBase } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openConnections, type Connections } from './connections.ts'

export const connectionsFeature = feature({
  open(
    needs: Pick<SharedBase, 'platform' | 'policy'> & {
      readonly workbook: Workbook
      readonly organizations: Organizations
    },
  ) {
    const { platform, policy, workbook, organizations } = needs
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
  handlers: ({ shared }: Client<Shared, unknown>) => ({
    connections: {
      list: () => shared.connections.list(),
      reachable: async () => shared.connections.reachable(await knownHosts(shared)),
    },
  }),
})

type Shared = Pick<SharedBase, 'platform' | 'policy'> & {
  readonly connections: Connections
  readonly organizations: Organizations
}

/** What may be contacted: the services of each organization, and who tells of a newer version, where the policy allows it. */
async function knownHosts({ organizations, platform, policy }: Shared): Promise<readonly ReachableHost[]> {
  const { organizations: all } = await organizations.list()
  const newer = platform.newerVersion(policy.settings().newerVersions ?? null)
  const at = (url: string, why: ContactPurpose, organizationId: string | null): ReachableHost[] => {
    if (!URL.canParse(url)) return []
    const { protocol, hostname, port } = new URL(url)
    return [{ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)), why, organizationId }]
  }
  const known = [
    ...all.flatMap(({ id, preset, managementUrl, metadataUrl }) =>
      // Each demonstration has a port of its own.
      preset === 'demonstration'
        ? []
        : [...at(managementUrl, 'management', id), ...at(metadataUrl, 'metadata', id)],
    ),
    ...('url' in newer ? at(newer.url, 'newer-version', null) : []),
  ]
  return known.filter(({ host }) => policy.refusal('host', host) === null)
}
