import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { RouterView, type Router } from 'vue-router'
import { useLayoutStore } from '../../renderer/layout/layout-store.ts'
import { i18n } from '../../renderer/locales/i18n.ts'
import { copyTextKey } from '../../renderer/components/clipboard.ts'
import { openOutsideKey } from '../../renderer/components/outside.ts'
import { createPages } from '../../renderer/router.ts'
import { openCore, settle, type CoreOptions, type TestCore } from './core.ts'

export interface MountedPage {
  readonly page: VueWrapper
  readonly router: Router
  readonly copied: readonly string[]
  readonly openedOutside: readonly string[]
  /** The text of the page, with white space collapsed. */
  readonly words: () => string
  readonly button: (name: string) => ReturnType<VueWrapper['find']>
}

export interface OpenedPage extends MountedPage {
  readonly core: TestCore
}

/** Opens an address as the app does: real router, real texts, the real core. `prepare` sets up the core for the test. */
export async function openPage(
  address: string,
  options: Partial<CoreOptions> = {},
  prepare: (core: TestCore) => unknown = () => undefined,
): Promise<OpenedPage> {
  const core = await openCore(options)
  await prepare(core)
  return { ...(await mountPage(address, options.organization !== 'none')), core }
}

/** Mounts an address over the core in `globalThis`. Needs a DOM. */
export async function mountPage(address: string, anyOrganization: boolean): Promise<MountedPage> {
  const pinia = createPinia()
  setActivePinia(pinia)
  // As in main.ts, organization and preferences are loaded before the first page is shown.
  void useLayoutStore().start()
  await settle()
  const copied: string[] = []
  const openedOutside: string[] = []
  const router = createPages(() => anyOrganization)
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
    copied,
    openedOutside,
    words: () => textIn(document.body),
    button: (name) => {
      const found = page.findAll('button, a').find((one) => one.text() === name)
      if (!found) throw new Error(`no button "${name}" in: ${page.text().slice(0, 400)}`)
      return found
    },
  }
}

/** The texts of an element in order, separated by spaces, as for a screen reader. */
export function textIn(element: Node): string {
  if (element.nodeType === 3) return element.textContent ?? ''
  return [...element.childNodes].map(textIn).join(' ').replace(/\s+/g, ' ').trim()
}

/** Resolves when the router has finished: pages are loaded when first opened. */
export const nextPage = (router: Router): Promise<void> =>
  new Promise((arrived) => {
    const stop = router.afterEach(() => {
      stop()
      arrived()
    })
  })
