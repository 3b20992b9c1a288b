import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { onTestFinished, vi } from 'vitest'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import { refreshNow } from '../../renderer/components/now.ts'
import { openOn, preparedFor, type Before, type CoreOptions, type TestCore } from './prepared-core.ts'
import { presentAt } from './present-at.ts'

export { acceptedKeys, changeProfile, type CoreOptions, type TestCore } from './prepared-core.ts'

const defaults: CoreOptions = { organization: 'nordlys', devices: 300, readAgoInMs: 3 * 60_000 }

/** Devices that match a filter, by name; at most 500. */
export const devicesOf = async (core: TestCore, where = ''): Promise<readonly DeviceRow[]> =>
  (
    await core.handlers.devices.slice({
      where,
      sort: [
        { column: 'name', descending: false },
        { column: 'id', descending: false },
      ],
      start: 0,
      count: 500,
    })
  ).rows

/**
 * Opens the real core on databases in memory and connects it to the pages. Closed when the test ends.
 * `before`: what happened in the last minute, for several tests; done once per function.
 */
export async function openCore(given: Partial<CoreOptions> = {}, before?: Before): Promise<TestCore> {
  const options = { ...defaults, ...given }
  const { databases, keychain } = await preparedFor(options, presentAt, before)
  const opened = await openOn(options, databases, keychain, presentAt)
  const core: TestCore = {
    ...opened,
    advance: async (byInMs) => {
      await opened.advance(byInMs)
      shareTime(core)
    },
    sleep: (forInMs) => {
      opened.sleep(forInMs)
      shareTime(core)
    },
  }
  onTestFinished(async () => {
    latest = null
    // Work that is being closed may still wait in the budget.
    await opened.finish(opened.close())
  })
  shareTime(core)
  Object.assign(globalThis, { headroom: core })
  setActivePinia(createPinia())
  latest = core
  return core
}
let latest: TestCore | null = null

/** The pages read the time from the clock of the core. */
function shareTime({ clock }: TestCore): void {
  vi.setSystemTime(clock.now())
  refreshNow()
}

/**
 * Far more turns than any response takes: a query that has no response by then waits for the clock, which
 * only a test advances.
 */
const turnsAtMost = 500
/** A module that is loaded on first use takes real time: no number of turns is enough for it. */
const turnsBetweenModules = 100

/** Lets every response of the core arrive, including those to queries that follow from earlier results. */
export async function settle(): Promise<void> {
  for (let turn = 1, idleTurns = 0; idleTurns < 6 && turn <= turnsAtMost; turn++) {
    // Runs due timers: a back-off takes no time here (fake-platform.ts).
    await latest?.clock.advance(0)
    await flushPromises()
    if (turn % turnsBetweenModules === 0) await vi.dynamicImportSettled()
    idleTurns = (latest?.isIdle() ?? true) ? idleTurns + 1 : 0
  }
}
