import type { Handlers } from '../../contract/rpc-client.ts'
import { methods, type Client } from '../feature.ts'
import type { SessionBase } from '../session.ts'
import type { CachedSettings } from '../settings/settings.ts'
import type { SharedDeps } from '../core-features.ts'
import { compareDevices, compareRooms, type ComparisonDeps } from './comparison.ts'

export const comparisonMethods = methods(
  ({
    shared: { devices, rooms },
    session,
  }: Client<SharedDeps, Pick<SessionBase, 'organization'> & { readonly cachedSettings: CachedSettings }>): {
    readonly comparison: Handlers<'comparison'>
  } => {
    const deps = async (): Promise<ComparisonDeps> => {
      const { organization, cachedSettings } = await session()
      const { id: organizationId, templates } = organization
      return { organizationId, templates, devices, rooms, settings: cachedSettings }
    }
    return {
      comparison: {
        rooms: async (ids) => compareRooms(await deps(), ids),
        devices: async (ids) => compareDevices(await deps(), ids),
      },
    }
  },
)
