import type { Organization } from '../contract/api/organizations.ts'
import { Failed } from '../contract/failure.ts'
import type { BudgetException, CallBudget } from './call-budget/call-budget.ts'
import { openManagement, type Management } from './management/management.ts'
import type { DataFolder, Transport } from './platform.ts'
import {
  openManagementClient,
  openMetadataClient,
  type KeyRing,
  type ServiceClient,
} from './service-client/service-client.ts'
import type { SharedDeps } from './core-features.ts'
import { feature } from './feature.ts'
import type { SessionBase } from './session.ts'
import { Listeners } from './listeners.ts'

export interface Connection {
  readonly connection: 'online' | 'offline' | 'unknown'
  readonly connectionAt: number | null
}

/**
 * The clients of one organization for its two services, and whether their last attempt reached the service.
 */
export interface SessionClients {
  readonly metadata: ServiceClient
  /** A client of the management interface with these keys. */
  readonly management: (keys: KeyRing, options?: ManagementClientOptions) => ServiceClient
  readonly managementOver: (client: ServiceClient) => Management
  /** Host of the management interface. */
  readonly managementHost: string
  readonly connection: () => Connection
  /** The connection was lost or found. Returns the function that ends it. */
  readonly onConnection: (listener: () => void) => () => void
}

interface ManagementClientOptions {
  /** Default: the organization's. */
  readonly apiVersion?: number
  readonly exception?: BudgetException
  /** Called at each attempt. */
  readonly attempted?: () => void
}

function openSessionClients(
  { platform, organizations, connections }: Pick<SharedDeps, 'platform' | 'organizations' | 'connections'>,
  organization: Organization,
  {
    budget,
    scope,
    managementUrl,
    metadataUrl,
  }: {
    readonly budget: CallBudget
    readonly scope: string
    readonly managementUrl: string
    readonly metadataUrl: string
  },
): SessionClients {
  const { clock, random } = platform
  const listeners = new Listeners()
  let connection: Connection = { connection: 'unknown', connectionAt: null }
  const reach = (reached: boolean, at: number): void => {
    const previous = connection.connection
    connection = { connection: reached ? 'online' : 'offline', connectionAt: at }
    if (previous === connection.connection) return
    listeners.notify()
  }

  const transport = ownersOnly(
    connections.counted(platform.transport, 'management', organization.id),
    platform.dataFolder,
  )
  const managementHost = new URL(managementUrl).host
  const metadata = openMetadataClient({
    transport: connections.counted(platform.transport, 'metadata', organization.id),
    clock,
    random,
    baseUrl: metadataUrl,
    scrubber: organizations.scrubber,
    pool: `metadata ${organization.id}`,
  })
  metadata.onReach(reach)
  return {
    metadata,
    management: (keys, { apiVersion = organization.managementVersion, exception, attempted } = {}) => {
      const client = openManagementClient({
        transport: {
          ...transport,
          attempt: (request) => {
            attempted?.()
            return transport.attempt(request)
          },
        },
        clock,
        random,
        budget,
        keys,
        baseUrl: managementUrl,
        apiVersion,
        pool: `management ${scope}`,
        exception,
        mayCall: () => mustOwn(platform.dataFolder),
      })
      client.onReach(reach)
      return client
    },
    managementOver: (client) =>
      openManagement(client, { managementVersion: organization.managementVersion, host: managementHost }),
    managementHost,
    connection: () => connection,
    onConnection: listeners.add,
  }
}

/** The two services of an organization, and its requests with its own keys. */
export const clientsFeature = feature({
  open({ shared, organization, statusChanged, ...addresses }: SessionBase) {
    const clients = openSessionClients(shared, organization, addresses)
    clients.onConnection(statusChanged)
    const managementClient = clients.management(shared.organizations.keyRing(organization.id))
    return {
      gives: {
        clients,
        /** Single requests of the management interface, with the organization's keys. */
        managementClient,
        management: clients.managementOver(managementClient),
        connection: clients.connection,
      },
      onRowsChanged: null,
      close: null,
    }
  },
  handlers: null,
})

/** The owner of the data folder counts calls: no other process makes them. */
const ownersOnly = (transport: Transport, folder: DataFolder): Transport => ({
  ...transport,
  attempt: async (request) => {
    mustOwn(folder)
    return transport.attempt(request)
  },
})

function mustOwn(folder: DataFolder): void {
  const failure = folder.problem()
  if (failure !== null) throw new Failed(failure)
}
