import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { RouterView, type Router } from 'vue-router'
import { i18n } from '../../renderer/locales/i18n.ts'
import { copyTextKey } from '../../renderer/parts/clipboard.ts'
import { openOutsideKey } from '../../renderer/parts/outside.ts'
import { refreshPresentTime } from '../../renderer/parts/present-time.ts'
import { createPages } from '../../renderer/router.ts'
import { doubleLink, type DoubleLink, type DoubleOptions } from './double-link.ts'

/** A store's surroundings: a fresh Pinia, and a double in place of the core. */
export function aCore(options: Partial<DoubleOptions> = {}): DoubleLink {
  const double = doubleLink({ devices: 300, ...options })
  // Not before the double's present, or four minutes would read as three.
  refreshPresentTime()
  Object.assign(globalThis, { headroom: double })
  setActivePinia(createPinia())
  return double
}

export interface OpenedPage {
  readonly page: VueWrapper
  readonly router: Router
  readonly core: DoubleLink
  readonly copied: readonly string[]
  readonly openedOutside: readonly string[]
  /** What the page says, white space folded. */
  readonly words: () => string
  readonly button: (name: string) => ReturnType<VueWrapper['find']>
}

/** Opens an address as the app does: real router, real texts, a double behind the link. Needs a DOM. */
export async function openPage(
  address: string,
  options: Partial<DoubleOptions> = {},
  prepare: (core: DoubleLink) => void = () => undefined,
): Promise<OpenedPage> {
  const core = aCore(options)
  prepare(core)
  const pinia = createPinia()
  setActivePinia(pinia)
  const copied: string[] = []
  const openedOutside: string[] = []
  const router = createPages(() => options.none !== true)
  await router.push(address)
  const page = mount(RouterView, {
    attachTo: '#page',
    global: {
      plugins: [pinia, i18n, router],
      provide: {
        [copyTextKey as symbol]: (text: string) => Promise.resolve(copied.push(text) > 0),
        [openOutsideKey as symbol]: (url: string) => Promise.resolve(void openedOutside.push(url)),
      },
    },
  })
  await settle()
  return {
    page,
    router,
    core,
    copied,
    openedOutside,
    words: () => wordsOf(document.body),
    button: (name) => {
      const found = page.findAll('button, a').find((one) => one.text() === name)
      if (!found) throw new Error(`no button "${name}" in: ${page.text().slice(0, 400)}`)
      return found
    },
  }
}

/** The texts of an element one after the other, a space between, as a reader meets them. */
export function wordsOf(element: Node): string {
  if (element.nodeType === 3) return element.textContent ?? ''
  return [...element.childNodes].map(wordsOf).join(' ').replace(/\s+/g, ' ').trim()
}

/** Resolves when the router has arrived somewhere: pages are loaded when first opened. */
export const nextPage = (router: Router): Promise<void> =>
  new Promise((arrived) => {
    const stop = router.afterEach(() => {
      stop()
      arrived()
    })
  })

/** Lets every answer of the double arrive: pages ask, then ask again with what they learnt. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 6; round += 1) await flushPromises()
}
