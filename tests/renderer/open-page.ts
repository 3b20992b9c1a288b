import { createPinia, setActivePinia } from 'pinia'
import { refreshPresentTime } from '../../renderer/parts/present-time.ts'
import { doubleLink, type DoubleLink, type DoubleOptions } from './double-link.ts'
import { mountPage, type MountedPage } from './page.ts'

export { settle } from './core.ts'
export { nextPage, wordsOf } from './page.ts'

/** A store's surroundings: a fresh Pinia, and a double in place of the core. */
export function aCore(options: Partial<DoubleOptions> = {}): DoubleLink {
  const double = doubleLink({ devices: 300, ...options })
  // Not before the double's present, or four minutes would read as three.
  refreshPresentTime()
  Object.assign(globalThis, { headroom: double })
  setActivePinia(createPinia())
  return double
}

export interface OpenedPage extends MountedPage {
  readonly core: DoubleLink
}

/** Opens an address as the app does: real router, real texts, a double behind the link. Needs a DOM. */
export async function openPage(
  address: string,
  options: Partial<DoubleOptions> = {},
  prepare: (core: DoubleLink) => void = () => undefined,
): Promise<OpenedPage> {
  const core = aCore(options)
  prepare(core)
  return { ...(await mountPage(address, options.none !== true)), core }
}
