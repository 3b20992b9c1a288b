import type { Organization } from '../contract/api/organizations.ts'
import { systemTimeZone } from '../contract/time-zone.ts'
import { appMethods } from './app-status.ts'
import type { CallBudget } from './call-budget/call-budget.ts'
import { comparisonMethods } from './comparison/feature.ts'
import { definitionsFeature } from './definitions/feature.ts'
import { deviceFirmwareFeature } from './devices/feature.ts'
import { downloadMethods } from './downloads/feature.ts'
import { explorerFeature } from './explorer/feature.ts'
import { exportMethods } from './exports/feature.ts'
import { FeatureList, type OpenFeatures, type RowsChange } from './feature.ts'
import { complianceFeature, firmwareFeature } from './firmware/feature.ts'
import { goldenProfilesFeature } from './golden-profiles/feature.ts'
import { holdTrialFeature } from './hold-trial.ts'
import { jobsFeature } from './jobs/feature.ts'
import { kitMethods } from './kits/feature.ts'
import { metadataFeature, metadataMethods } from './metadata/feature.ts'
import { offlineMethods } from './offline/feature.ts'
import { keysFeature } from './organizations/feature.ts'
import { overviewMethods } from './overview/feature.ts'
import { picturesFeature } from './pictures/feature.ts'
import { releaseNotesFeature } from './release-notes/feature.ts'
import { roomMethods } from './rooms/feature.ts'
import { clientsFeature } from './session-clients.ts'
import { settingsFeature } from './settings/feature.ts'
import type { SharedDeps } from './core-features.ts'
import { syncFeature, syncMethods } from './sync/feature.ts'
import { taskMethods } from './tasks.ts'
import { writesFeature } from './writes/feature.ts'

/** What the features of one organization are opened with. */
export interface SessionBase {
  readonly shared: SharedDeps
  /** A renamed organization keeps its session: its name is read whenever it is needed. */
  readonly organization: Organization
  readonly managementUrl: string
  readonly metadataUrl: string
  /** The metadata interface in stored data: the demonstration has another address at each start. */
  readonly interfaceName: string
  /** The organizations that share one budget. */
  readonly scope: string
  readonly budget: CallBudget
  /** Of planned times. */
  readonly timeZone: () => Promise<string>
  /** App status, connection or budget may have changed. */
  readonly statusChanged: () => void
  /** Tells every feature, those of all organizations too. */
  readonly rowsChanged: (how: RowsChange) => void
}

/** Opened for each organization, in order of need. */
export const sessionFeatures = new FeatureList<'each', SessionBase>()
  .with(clientsFeature)
  .with(keysFeature)
  .with(holdTrialFeature)
  .with(metadataFeature)
  .with(syncFeature)
  .with(firmwareFeature)
  .with(complianceFeature)
  .with(writesFeature)
  .with(settingsFeature)
  .with(definitionsFeature)
  .with(goldenProfilesFeature)
  .with(jobsFeature)
  .with(deviceFirmwareFeature)
  .with(explorerFeature)
  .with(releaseNotesFeature)
  .with(picturesFeature)
  .with(appMethods)
  .with(comparisonMethods)
  .with(downloadMethods)
  .with(exportMethods)
  .with(kitMethods)
  .with(metadataMethods)
  .with(offlineMethods)
  .with(overviewMethods)
  .with(roomMethods)
  .with(syncMethods)
  .with(taskMethods)

type Have = Awaited<ReturnType<typeof sessionFeatures.open>>['have']

/** The features that work for one organization. */
export interface Session extends Have {
  /**
   * The same session for one client, with writes unlocked only for it; its `close` cancels what was not
   * sent. `who`: as `Writes.who`.
   */
  readonly forClient: (who: string) => Session
  readonly close: () => Promise<void>
}

/**
 * Rejects with Failed if the organization's addresses are unavailable (a demonstration that does not start).
 */
export async function openSession(shared: SharedDeps, organization: Organization): Promise<Session> {
  const { organizations, budgets, emit, workbook } = shared
  const { id } = organization
  const { managementUrl, metadataUrl } = await organizations.addresses(id)
  const scope = await organizations.budgetScope(id)
  const budget = await budgets.of(scope)
  const statusChanged = (): void => emit('app.changed', { what: 'status' })
  let features: Pick<OpenFeatures<unknown>, 'rowsChanged'> | null = null
  const opened = await sessionFeatures.open({
    shared,
    organization: {
      ...organization,
      get name() {
        return organizations.get(id).name
      },
    },
    managementUrl,
    metadataUrl,
    interfaceName: organization.preset === 'demonstration' ? organization.preset : metadataUrl,
    scope,
    budget,
    timeZone: async () => (await workbook.preferences()).timeZone ?? systemTimeZone(),
    statusChanged,
    rowsChanged: (how) => {
      shared.rowsChanged(id, how)
      features?.rowsChanged(id, how)
      if (how !== 'beside') return
      emit('devices.changed', { count: 0 })
      emit('rooms.changed', { count: 0 })
      statusChanged()
    },
  })
  features = opened
  const stopListening = budget.onChange(statusChanged)
  const { have } = opened
  const session: Session = {
    ...have,
    forClient: (who) => {
      const writes = have.writesOfClient(who)
      return {
        ...session,
        writes,
        settings: have.settingsThrough(writes),
        explorer: have.explorerThrough(writes),
        jobs: have.jobs.through(writes),
        close: () => writes.close(),
      }
    },
    close: async () => {
      stopListening()
      await opened.close()
    },
  }
  return session
}
