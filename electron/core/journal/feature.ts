import { orNull } from '../../contract/failure.ts'
import { feature, type Client } from '../feature.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SharedBase } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { removeOldLines } from './journal-removal.ts'
import { journalHandlers, openJournal, operatingSystemUser, type Journal } from './journal.ts'

export const journalFeature = feature({
  async open(
    needs: Pick<SharedBase, 'platform' | 'policy' | 'emit'> & {
      readonly workbook: Workbook
      readonly organizations: Organizations
    },
  ) {
    const { platform, policy, emit, workbook, organizations } = needs
    const journal = openJournal({
      workbook,
      clock: platform.clock,
      who: operatingSystemUser(),
      keyScrubber: () => organizations.keyScrubber(),
    })
    const { journalDays } = policy.settings()
    // A file that cannot be written reports its own problem.
    if (policy.state().state === 'applied' && journalDays !== undefined)
      await orNull(removeOldLines(workbook, journal, platform.clock, journalDays))
    const close = journal.onChange(() => emit('journal.changed', { count: 1 }))
    return { gives: { journal }, onRowsChanged: null, close }
  },
  handlers: ({ shared, currentId }: Client<{ readonly journal: Journal }, unknown>) => ({
    journal: journalHandlers(shared.journal, currentId),
  }),
})
