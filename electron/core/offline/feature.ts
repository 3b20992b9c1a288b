import { methods, type Client } from '../feature.ts'
import type { SharedDeps } from '../core-features.ts'
import { offlineHandlers, type OfflineDeps } from './offline.ts'

export const offlineMethods = methods(
  ({
    shared: { devices, documents },
    session,
    tasks,
  }: Client<SharedDeps, Omit<OfflineDeps, 'devices' | 'documents'>>) => ({
    offline: offlineHandlers(async () => ({ devices, documents, ...(await session()) }), tasks),
  }),
)
