import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { onTestFinished, vi } from 'vitest'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import { refreshPresentTime } from '../../renderer/components/present-time.ts'
import { openOn, preparedFor, type CoreOptions, type TestCore } from './prepared-core.ts'

export { acceptedKeys, changeProfile, type CoreOptions, type TestCore } from './prepared-core.ts'

/** A Thursday morning in Europe, when people are at work: the time of every test, until it moves it. */
export const presentAt = Date.UTC(2026, 10, 19, 9, 30)

const defaults: CoreOptions = { organization: 'nordlys', devices: 300, readAgoInMs: 3 * 60_000 }

/** Devices that match a filter, by name; at most 500. */
export const devicesOf = async (core: TestCore, where = ''): Promise<readonly DeviceRow[]> =>
  (
    await core.handlers.devices.window({
      where,
      sort: [{ column: 'name', descending: false }],
      start: 0,
      count: 500,
    })
  ).rows

/** Opens the real core on databases in memory and puts it where the pages look for it. Closed when the test ends. */
export async function openCore(given: Partial<CoreOptions> = {}): Promise<TestCore> {
  const options = { ...defaults, ...given }
  const { databases, keychain } = await preparedFor(options, presentAt)
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
    // What is closed may wait for its turn at the budget.
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
  refreshPresentTime()
}

/** Far more turns than any answer takes: what is still unanswered then waits for the clock, which only a test moves. */
const turnsAtMost = 500

/** Lets every answer of the core arrive: pages ask, then ask again with what they learnt. */
export async function settle(): Promise<void> {
  for (let turn = 0, quiet = 0; quiet < 6 && turn < turnsAtMost; turn++) {
    // What is due now happens: a back-off is no time at all here (fake-platform.ts).
    await latest?.clock.advance(0)
    await flushPromises()
    quiet = (latest?.quiet() ?? true) ? quiet + 1 : 0
  }
}
