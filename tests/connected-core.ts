import { openHttpTransport } from '../electron/adapters/http-transport.ts'
import type { OrganizationDraft } from '../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../electron/core/app.ts'
import { presets } from '../electron/core/organizations/presets.ts'
import {
  startDemonstration,
  type Demonstration,
  type DemonstrationOptions,
} from '../electron/demo/demonstration.ts'
import { fromMorning } from './demo/a-demonstration.ts'
import { fakePlatform, type FakePlatform } from './fake-platform.ts'
import { atFixedAddress } from './fixed-address.ts'
import { memoryDatabases, type DatabaseImages } from './memory-databases.ts'
import { TemporaryHome } from './temporary-store.ts'
import { addOrganization } from './add-organization.ts'

/** A key that the service accepts. */
export const serviceKeys = {
  primary: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  secondary: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
} as const

/** The addresses that only the demonstration publishes, such as those of settings. */
export const { templates: demonstrationTemplates } = presets.find(
  ({ name }) => name === 'demonstration',
)!.draft

export interface ConnectedCore {
  readonly home: TemporaryHome
  readonly platform: FakePlatform
  readonly service: Demonstration
  readonly core: Core
  /** Adds the service as an organization with the primary key, and returns its id. */
  add(draft?: Partial<OrganizationDraft>): Promise<string>
  close(): Promise<void>
}

/** A core in memory, or `onFiles`, and its own demonstration service behind real HTTP. */
export async function openConnectedCore({
  onFiles = false,
  ...options
}: DemonstrationOptions & { readonly onFiles?: boolean }): Promise<ConnectedCore> {
  const home = new TemporaryHome()
  const databases = onFiles ? {} : { databases: memoryDatabases() }
  return connect(home, fakePlatform(home, databases), await start(options))
}

/** A core in memory that has the service as an organization with the primary key, and has read it once. */
export async function openSyncedCore(
  options: DemonstrationOptions,
  draft: Partial<OrganizationDraft> = {},
): Promise<ConnectedCore> {
  const name = JSON.stringify([options, draft])
  const made = synced.get(name) ?? makeSynced(options, draft)
  synced.set(name, made)
  return openOn(options, await made)
}

export interface Synced {
  readonly databases: DatabaseImages
  readonly keys: ReadonlyMap<string, string>
}
/** Made once per process for each fleet and draft. */
const synced = new Map<string, Promise<Synced>>()

async function makeSynced(options: DemonstrationOptions, draft: Partial<OrganizationDraft>): Promise<Synced> {
  const databases = memoryDatabases()
  const { core, add, platform, close } = await openOn(options, null, databases)
  await add(draft)
  await core.handlers.sync.run()
  await (await core.sessions.current()).recomputeCompliance()
  const images = databases.image()
  await close()
  return { databases: images, keys: platform.keychain.entries }
}

async function openOn(
  options: DemonstrationOptions,
  from: Synced | null,
  databases = memoryDatabases(from?.databases),
): Promise<ConnectedCore> {
  const home = new TemporaryHome()
  const { service, transport } = atFixedAddress(await start(options), openHttpTransport())
  const platform = fakePlatform(home, { databases, transport })
  for (const [account, secret] of from?.keys ?? []) platform.keychain.entries.set(account, secret)
  return connect(home, platform, service)
}

const start = (options: DemonstrationOptions): Promise<Demonstration> =>
  startDemonstration({
    now: fromMorning(),
    key: serviceKeys.primary,
    secondaryKey: serviceKeys.secondary,
    ...options,
  })

async function connect(
  home: TemporaryHome,
  platform: FakePlatform,
  service: Demonstration,
): Promise<ConnectedCore> {
  const core = await createCore(platform)
  return {
    home,
    platform,
    service,
    core,
    add: async (draft = {}) => {
      const { id } = await addOrganization(core.handlers, service, { key: serviceKeys.primary, ...draft })
      return id
    },
    close: async () => {
      await core.close()
      await service.stop()
      await home.remove()
    },
  }
}
