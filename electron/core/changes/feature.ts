import { feature, type Client } from '../feature.ts'
import type { SharedBase } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { changeHandlers, openChanges, type Changes } from './changes.ts'

export const changesFeature = feature({
  open(
    needs: Pick<SharedBase, 'platform' | 'emit'> & { readonly store: Store; readonly workbook: Workbook },
  ) {
    const { platform, emit, store, workbook } = needs
    const changes = openChanges({ store, workbook, clock: platform.clock })
    const close = changes.onChange(() => emit('changes.changed', { count: 1 }))
    return {
      gives: { changes },
      onRowsChanged: (id, how) => changes.changed(id, how === 'beside' ? undefined : how),
      close,
    }
  },
  handlers: ({
    shared: { changes, emit },
    currentId,
  }: Client<Pick<SharedBase, 'emit'> & { readonly changes: Changes }, unknown>) => ({
    changes: changeHandlers(changes, currentId, () => emit('changes.changed', { count: 0 })),
  }),
})
