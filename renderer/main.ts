import './styles/tokens.css'
import './styles/base.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { useFrameStore } from './frame/frame-store.ts'
import { link } from './link.ts'
import { i18n } from './locales/i18n.ts'
import { copyTextKey } from './parts/clipboard.ts'
import { openOutsideKey } from './parts/outside.ts'
import { showToast } from './parts/toasts.ts'
import { wordsOf } from './failures/failure-text.ts'
import { createPages } from './router.ts'

// The charts empty their box with an empty text; no other text may become elements (main/our-page.ts).
window.trustedTypes?.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) })

const app = createApp(App)
app.use(createPinia())
app.use(i18n)
app.provide(copyTextKey, async (text) => (await link.app.copy({ text })).ok)
app.provide(openOutsideKey, async (url) => {
  const outcome = await link.app.openOutside({ url })
  if (!outcome.ok) showToast(wordsOf(outcome.failure).sentence, 'bad')
})

const frame = useFrameStore()
// The first page depends on whether there is an organization, and the theme must be right from the first paint.
await frame.start()
const router = createPages(() => frame.hasOrganization)
app.use(router)
if (location.hash.length <= 2 && frame.hasOrganization && frame.preferences.lastPage)
  await router.replace(frame.preferences.lastPage)
router.afterEach((to) => frame.rememberPage(to.path))
app.mount('#app')
