import { feature, type Client } from '../feature.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SharedBase } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { journalHandlers, openJournal, operatingSystemUser, type Journal } from './journal.ts'

export const journalFeature = feature({
  open({
    platform,
    emit,
    workbook,
    organizations,
  }: Pick<SharedBase, 'platform' | 'emit'> & {
    readonly workbook: Workbook
    readonly organizations: Organizations
  }) {
    const journal = openJournal({
      workbook,
      clock: platform.clock,
      who: operatingSystemUser(),
      keyScrubber: () => organizations.keyScrubber(),
    })
    const close = journal.onChange(() => emit('journal.changed', { count: 1 }))
    return { gives: { journal }, onRowsChanged: null, close }
  },
  handlers: ({ shared, currentId }: Client<{ readonly journal: Journal }, unknown>) => ({
    journal: journalHandlers(shared.journal, currentId),
  }),
})
