import { expect, test } from 'vitest'
import { offlineHandlers, type OfflineDeps } from '../../../electron/core/offline/offline.ts'
import { openTasks } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'
import { failureOf } from '../../failure-of.ts'

/** A sweep that is cancelled after its first documents, of which so many were read. */
function cutAfter(prepared: number) {
  const tasks = openTasks({ clock: new FakeClock(), newId: () => 'task' })
  const document = async (): Promise<object> => ({})
  const deps = {
    organization: { id: 'o', vendorId: 2830, assumed: { platforms: [], agentTypes: [] } },
    devices: {
      commonFirmware: async () => [
        { productId: 9395, variantType: null, firmwareVersion: '1.0.0', devices: 1 },
      ],
    },
    documents: {
      size: async () => ({ documents: 0, bytes: 0 }),
      keepingAll: async (work: () => Promise<void>) => {
        await work()
        return prepared
      },
    },
    approvals: { decisions: document },
    definitions: { versions: async () => ({ inUse: { schemaInUse: null } }) },
    metadata: {
      recoveryIds: async () => ({ value: new Map() }),
      schemaVersions: async () => ({ value: [] }),
      telemetry: document,
      nameMap: document,
      openApi: document,
      productContent: async () => tasks.cancel(null),
    },
  } as unknown as OfflineDeps
  return offlineHandlers(async () => deps, tasks).prepare()
}

test('a sweep that is cancelled says how many documents it has stored', async () => {
  expect(await cutAfter(3)).toMatchObject({ products: 1, prepared: 3, failure: { kind: 'cancelled' } })
})

test('a sweep that is cancelled before it has stored one is cancelled', async () => {
  expect(await failureOf(() => cutAfter(0))).toEqual({ kind: 'cancelled' })
})
