import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/tailwind.css'
import './styles/pictures.css'
import './styles/forced-colors.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { applyPreferences } from './layout/appearance.ts'
import { useLayoutStore } from './layout/layout-store.ts'
import { api } from './api.ts'
import { i18n } from './locales/i18n.ts'
import { linkOfPage } from './links/page-links.ts'
import { copyTextKey } from './components/clipboard.ts'
import { openOutsideKey } from './components/outside.ts'
import { pageLinkKey } from './components/page-link.ts'
import { showToast } from './components/toasts.ts'
import { failureText } from './failures/failure-text.ts'
import { createPages } from './router.ts'

// The charts clear their element with an empty text; no other text may become elements (main/our-page.ts).
window.trustedTypes?.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) })

/**
 * Needed only while the program waits at its start (main/waiting-window.ts) and no call has a response yet.
 */
const parameters = new URLSearchParams(location.search)
if (['holder', 'rebuilding'].some((what) => parameters.has(what))) await openWaiting()
else await openProgram()

async function openWaiting(): Promise<void> {
  const { default: WaitingPage } = await import('./welcome/WaitingPage.vue')
  const app = createApp(WaitingPage, {
    holder: parameters.get('holder'),
    long: parameters.get('long') === 'true',
  })
  app.use(createPinia())
  app.use(i18n)
  applyPreferences(useLayoutStore().preferences)
  app.mount('#app')
}

async function openProgram(): Promise<void> {
  const app = createApp(App)
  app.use(createPinia())
  app.use(i18n)
  app.provide(copyTextKey, async (text) => (await api.app.copy({ text })).ok)
  app.provide(openOutsideKey, async (url) => {
    const outcome = await api.app.openOutside({ url })
    if (!outcome.ok) showToast(failureText(outcome.failure).sentence, 'bad')
  })

  const appLayout = useLayoutStore()
  // The first page depends on whether there is an organization, and the theme must be right when the window
  // is first drawn.
  await appLayout.start()
  const router = createPages(appLayout.findOrganization)
  app.use(router)
  app.provide(pageLinkKey, () => linkOfPage(router.currentRoute.value, appLayout.current?.name ?? null))
  if (location.hash.length <= 2 && appLayout.hasOrganization && appLayout.preferences.lastPage)
    await router.replace(appLayout.preferences.lastPage)
  router.afterEach((to) => appLayout.rememberPage(to.path))
  // Esc in the open list of a field closes that list, not also the drawer or dialog around it.
  const keepInList = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && event.target instanceof HTMLOptionElement) event.stopPropagation()
  }
  window.addEventListener('keydown', keepInList, { capture: true })
  app.mount('#app')
}
