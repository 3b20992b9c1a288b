import { methods, type Client } from '../feature.ts'
import type { SharedDeps } from '../core-features.ts'
import { kitHandlers, type KitDeps } from './kits.ts'

export const kitMethods = methods(
  ({
    shared: { devices, rooms, platform },
    downloads,
    session,
    who,
    tasks,
  }: Client<SharedDeps, Omit<KitDeps, 'devices' | 'rooms' | 'downloads' | 'folders' | 'clock'>>) => ({
    kits: kitHandlers(
      async () => ({
        devices,
        rooms,
        downloads,
        folders: platform.folders,
        clock: platform.clock,
        ...(await session()),
      }),
      { who, tasks },
    ),
  }),
)
