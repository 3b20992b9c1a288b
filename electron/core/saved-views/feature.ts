import { feature, type Client } from '../feature.ts'
import type { SharedBase } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openSavedViews, savedViewHandlers, type SavedViews } from './saved-views.ts'

export const savedViewsFeature = feature({
  open: ({ platform, workbook }: Pick<SharedBase, 'platform'> & { readonly workbook: Workbook }) => ({
    gives: { savedViews: openSavedViews({ workbook, clock: platform.clock }) },
    onRowsChanged: null,
    close: null,
  }),
  handlers: ({ shared }: Client<{ readonly savedViews: SavedViews }, unknown>) => ({
    views: savedViewHandlers(shared.savedViews),
  }),
})
