import { Failed } from '../../contract/failure.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { Comparing, ProductNotCompared } from '../../contract/api/firmware.ts'
import type { Changes } from '../changes/changes.ts'
import { feature, methods, type Client } from '../feature.ts'
import type { Approvals } from '../firmware/firmware.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import { openOverview, withLatest, type Compared } from './overview.ts'

export const overviewFeature = feature({
  open: ({
    platform,
    store,
    rooms,
    changes,
  }: Pick<SharedBase, 'platform'> & {
    readonly store: Store
    readonly rooms: Rooms
    readonly changes: Changes
  }) => ({
    gives: { overview: openOverview({ store, rooms, changes, clock: platform.clock }) },
    onRowsChanged: null,
    close: null,
  }),
  handlers: null,
})

export const overviewMethods = methods(
  ({
    shared: { overview, workbook },
    currentId,
    session,
  }: Client<
    SharedDeps,
    {
      readonly approvals: Approvals
      readonly notCompared: () => Promise<readonly ProductNotCompared[]>
      readonly comparing: () => Promise<Comparing | null>
      readonly productNames: () => Promise<Compared['nameOf']>
    }
  >): { readonly overview: Handlers<'overview'> } => {
    const compared = async (): Promise<Compared> => {
      const { approvals, notCompared, comparing, productNames } = await session()
      return {
        with: (await approvals.decisions()).comparesWith,
        not: await notCompared(),
        comparing: await comparing(),
        nameOf: await productNames(),
      }
    }
    return {
      overview: {
        get: async () => {
          const [id, { staleAfterInHours }, known] = await Promise.all([
            currentId(),
            workbook.preferences(),
            compared().catch(noneWithoutSession),
          ])
          return overview.get(id, staleAfterInHours * 3_600_000, known)
        },
      },
    }
  },
)

/** The overview is also available without a session, for example if a demonstration does not start. */
const noneWithoutSession = (error: unknown): Compared => {
  if (error instanceof Failed) return withLatest
  throw error
}
