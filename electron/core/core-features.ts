import type { Progress } from '../contract/progress.ts'
import { budgetsFeature } from './budgets.ts'
import type { CallLimits } from './call-budget/call-budget.ts'
import { changesFeature } from './changes/feature.ts'
import { connectionsFeature } from './connections/feature.ts'
import { devicesFeature } from './devices/feature.ts'
import type { Emit } from './event-bus.ts'
import { exportsFeature } from './exports/feature.ts'
import { FeatureList } from './feature.ts'
import { journalFeature } from './journal/feature.ts'
import { documentsFeature } from './metadata/feature.ts'
import { organizationsFeature } from './organizations/feature.ts'
import { newerVersionFeature } from './newer-version/feature.ts'
import { overviewFeature } from './overview/feature.ts'
import { cachedPicturesFeature } from './pictures/feature.ts'
import type { Platform } from './platform.ts'
import type { Policy } from './policy/policy.ts'
import { roomsFeature } from './rooms/feature.ts'
import { savedViewsFeature } from './saved-views/feature.ts'
import { storeFeature, workbookFeature } from './data-files.ts'
import { tagsFeature } from './tags/feature.ts'
import { webhooksFeature } from './webhooks/feature.ts'
import { unconfirmedWritesFeature, writeSlotsFeature } from './writes/feature.ts'
import type { MayUnlock } from './writes/writes.ts'

/** What the first features are opened with. */
export interface SharedBase {
  /** Connects only where the policy allows. */
  readonly platform: Platform
  readonly policy: Policy
  readonly emit: Emit
  /** Name or id of the organization to work for; null: the current one. */
  readonly named: string | null
  /** Limits of the service other than the specification's; null: those. */
  readonly limits: CallLimits | null
  /** Progress of rebuilding tables. */
  readonly rebuilding: (progress: Progress) => void
  /** Of the window. */
  readonly mayUnlock: MayUnlock
}

/** Opened once, for all organizations, in order of need. A new feature is one line here or in session.ts. */
export const sharedFeatures = new FeatureList<'all', SharedBase>()
  .with(workbookFeature)
  .with(organizationsFeature)
  .with(storeFeature)
  .with(journalFeature)
  .with(writeSlotsFeature)
  .with(unconfirmedWritesFeature)
  .with(devicesFeature)
  .with(roomsFeature)
  .with(changesFeature)
  .with(connectionsFeature)
  .with(newerVersionFeature)
  .with(tagsFeature)
  .with(exportsFeature)
  .with(documentsFeature)
  .with(savedViewsFeature)
  .with(cachedPicturesFeature)
  .with(overviewFeature)
  .with(webhooksFeature)
  .with(budgetsFeature)

type Opening = Awaited<ReturnType<typeof sharedFeatures.open>>

/** Shared by all organizations. */
export type SharedDeps = Opening['have'] & Pick<Opening, 'rowsChanged' | 'close'>

/** Rejects with Failed `cache-unusable`. */
export async function openSharedDeps(base: SharedBase): Promise<SharedDeps> {
  const { have, rowsChanged, close } = await sharedFeatures.open(base)
  return { ...have, rowsChanged, close }
}
