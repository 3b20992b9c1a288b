import type { DeviceRow } from '../../contract/api/devices.ts'
import { foundOrNull } from '../../contract/failure.ts'
import type { JobWork } from '../../contract/api/jobs.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { Devices } from '../devices/devices.ts'
import type { Clock } from '../platform.ts'
import type { DeviceEndpoints } from '../management/management.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { JudgedChange, Settings, SettingsInBulk } from '../settings/settings.ts'
import type { Writes } from '../writes/writes.ts'
import {
  countedClient,
  selectedDevices,
  ended,
  endingOfWrite,
  endingWith,
  waiting,
  type ItemEnding,
  type ItemToRun,
  type ItemTools,
  type JobWorker,
  type WorkPlan,
} from './job-work.ts'
import {
  digestOf,
  judgedDevices,
  plannedDevice,
  fetchSettingsForPlan,
  settingsMemoryOf,
  checkUntilVerified,
  settingsStateNow,
  type SettingsState,
} from './settings-plan.ts'

export type ChangeSettings = Extract<JobWork, { kind: 'change-settings' }>

export interface ChangeSettingsDeps {
  readonly organizationId: string
  readonly clock: Clock
  readonly devices: Pick<Devices, 'forPlan' | 'get' | 'totals'>
  readonly settings: SettingsInBulk
  readonly fetchAll: Settings['fetchAll']
  readonly writes: Pick<Writes, 'execute' | 'earliest'>
  readonly client: ServiceClient
  /** The profile's endpoints through a client: each item counts its own calls. */
  readonly endpointsOver: (client: ServiceClient) => DeviceEndpoints
}

/** Changes settings of devices: read again, compare with the plan, one request, read back. */
export function changeSettingsWork(deps: ChangeSettingsDeps): JobWorker<ChangeSettings> {
  const { organizationId, clock, devices, settings, writes } = deps

  const changesOf = ({ work }: ItemToRun): ChangeSettings['changes'] => {
    if (work.kind !== 'change-settings') throw new Error(`An item of ${work.kind} does not change settings`)
    return work.changes
  }

  /** null: its record was never read, or was deleted. */
  const deviceOf = (id: string): Promise<DeviceRow | null> => foundOrNull(devices.get(organizationId, id))

  /** The device's current settings, and what follows from them for the changes. */
  const fetchAndJudge = async (
    item: ItemToRun,
    tools: Pick<ItemTools, 'called' | 'signal'>,
    ask: { lane: Lane; once: boolean },
  ): Promise<readonly JudgedChange[]> => {
    const deviceId = item.target.id
    const endpoints = deps.endpointsOver(countedClient(deps.client, () => tools.called(), ask.once))
    const stored = await settings.fetch(endpoints, { deviceId, lane: ask.lane, signal: tools.signal })
    return settings.judge(ask.lane)(await deviceOf(deviceId), stored, changesOf(item))
  }

  const fetchState = async (
    item: ItemToRun,
    tools: Pick<ItemTools, 'called' | 'signal'>,
    lane: Lane,
  ): Promise<Exclude<SettingsState, { kind: 'not-read' }>> =>
    settingsStateNow(
      item.target.id,
      await fetchAndJudge(item, tools, { lane, once: true }),
      settingsMemoryOf(item.memory),
    )

  const afterwards = async (
    item: ItemToRun,
    tools: ItemTools,
    journalId: number | null,
  ): Promise<ItemEnding> => {
    const state = await checkUntilVerified(clock, tools.signal, () => fetchState(item, tools, 'refresh'))
    switch (state.kind) {
      case 'verified':
      case 'applies-later':
        return ended('done', state.kind, null, journalId)
      case 'otherwise':
        return ended('failed', null, state.failure, journalId)
      case 'not-read':
        // It was accepted; the failure of the read is reported with it.
        return ended('done', 'not-watched', state.failure, journalId)
    }
  }

  const run = async (item: ItemToRun, tools: ItemTools): Promise<ItemEnding> => {
    const deviceId = item.target.id
    // Before the device is read again, so that waiting costs no calls.
    const earliestAt = writes.earliest([deviceId])
    if (earliestAt !== null) return waiting(earliestAt)
    const unsent = AbortSignal.any([tools.signal, tools.write.signal])
    const judged = await fetchAndJudge(
      item,
      { called: () => tools.called(), signal: unsent },
      { lane: 'write', once: false },
    )
    if (judged.every(({ isSo }) => isSo)) return ended('done', 'as-wanted')
    const { digests } = settingsMemoryOf(item.memory)
    const isUnchanged = ({ change, setting, isSo }: JudgedChange): boolean =>
      isSo || digestOf(deviceId, setting, change) === digests.get(change.name)
    if (!judged.every(isUnchanged)) return ended('failed', 'conflict')
    const checked = judged.flatMap((one) => (one.checked === null || one.isSo ? [] : [one.checked]))
    const refused = judged.find((one) => one.checked === null)
    // The settings match the plan, but the allowed values differ: its firmware or its model changed.
    if (refused !== undefined)
      return ended('failed', null, {
        kind: 'invalid',
        field: `settings.${refused.change.name}`,
        message: refused.reason ?? 'This value is not allowed.',
      })
    const client = countedClient(deps.client, () => tools.called())
    const report = await writes.execute({
      ...tools.write,
      operation: 'UpdateDeviceSettings',
      target: { of: 'device', id: deviceId, name: item.target.name },
      deviceIds: [deviceId],
      ...settings.write(deps.endpointsOver(client), deviceId, checked),
    })
    // Values read before may be outdated.
    if (report.outcome === 'accepted' || report.outcome === 'unconfirmed') await settings.forget(deviceId)
    const ending = endingOfWrite(report)
    if (ending !== null) return ending
    await tools.accepted('checking', report.journalId)
    return afterwards(item, tools, report.journalId)
  }

  return {
    async plan({ selection, changes }, task): Promise<WorkPlan> {
      settings.mustBePossible(changes)
      const known = await selectedDevices(devices, organizationId, selection, task)
      const found = new Set(known.map(({ id }) => id))
      const named = selection.kind === 'picked' ? [...new Set(selection.ids)] : []
      const unknown = named
        .filter((id) => !found.has(id))
        .map((id) => ({ ...plannedDevice({ id, name: id, status: 'unknown' }, [], 'gone'), devices: [] }))
      const there = known.filter(({ gone }) => !gone)
      const gone = known.filter((device) => device.gone).map((device) => plannedDevice(device, [], 'gone'))
      const savedCalls = await fetchSettingsForPlan(
        {
          clock,
          settings,
          endpoints: deps.endpointsOver(deps.client),
          fetchPages: () => deps.fetchAll(task),
          devicesInAll: async () => (await devices.totals(organizationId)).count,
          task,
        },
        there.map(({ id }) => id),
      )
      const { items, skipped } = await judgedDevices({ clock, settings, task }, there, changes)
      return {
        items: items.map((item) => ({
          ...item,
          planned: { ...item.planned, earliestAt: writes.earliest([item.planned.target.id]) },
        })),
        skipped: [...skipped, ...gone, ...unknown],
        savedCalls,
      }
    },

    run: (item, tools) => endingWith(() => run(item, tools)),

    resume: (item, tools) => afterwards(item, tools, null),

    async check(item, tools) {
      const state = await fetchState(item, tools, 'interactive')
      return state.kind === 'verified' ? ended('done', 'verified') : null
    },
  }
}
