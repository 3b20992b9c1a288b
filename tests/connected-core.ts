import type { OrganizationDraft } from '../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../electron/core/app.ts'
import {
  startDemonstration,
  type Demonstration,
  type DemonstrationOptions,
} from '../electron/demo/demonstration.ts'
import { fromMorning } from './demo/a-demonstration.ts'
import { fakePlatform, type FakePlatform } from './fake-platform.ts'
import { memoryDatabases } from './memory-databases.ts'
import { TemporaryHome } from './temporary-store.ts'

/** A key that the service accepts. */
export const serviceKeys = {
  primary: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  secondary: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
} as const

export interface ConnectedCore {
  readonly home: TemporaryHome
  readonly platform: FakePlatform
  readonly service: Demonstration
  readonly core: Core
  /** Adds the service as an organization with the primary key, and returns its id. */
  add(draft?: Partial<OrganizationDraft>): Promise<string>
  /** Sets the addresses that only the demonstration publishes, such as those of settings. */
  demonstrationTemplates(): Promise<OrganizationDraft['templates']>
  close(): Promise<void>
}

/** A core in memory, or `onFiles`, and its own demonstration service behind real HTTP. */
export async function openConnectedCore({
  onFiles = false,
  ...options
}: DemonstrationOptions & { readonly onFiles?: boolean }): Promise<ConnectedCore> {
  const home = new TemporaryHome()
  const platform = fakePlatform(home, onFiles ? {} : { databases: memoryDatabases() })
  const service = await startDemonstration({
    now: fromMorning(),
    key: serviceKeys.primary,
    secondaryKey: serviceKeys.secondary,
    ...options,
  })
  const core = await createCore(platform)
  const { organizations } = core.handlers
  const preset = async (wanted: OrganizationDraft['preset']): Promise<OrganizationDraft> =>
    (await organizations.list()).presets.find(({ name }) => name === wanted)!.draft
  return {
    home,
    platform,
    service,
    core,
    add: async (draft = {}) => {
      const { managementUrl, metadataUrl } = service
      const custom = await preset('custom')
      const { id } = await organizations.add({
        ...custom,
        name: 'Nordlys',
        managementUrl,
        metadataUrl,
        ...draft,
      })
      await organizations.setKey({ id, slot: 'primary', key: serviceKeys.primary })
      return id
    },
    demonstrationTemplates: async () => (await preset('demonstration')).templates,
    close: async () => {
      await core.close()
      await service.stop()
      await home.remove()
    },
  }
}
