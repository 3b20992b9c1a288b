import { disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils'
import { afterEach, beforeEach, vi } from 'vitest'
import { setLanguage } from '../../renderer/locales/i18n.ts'
import { setTimeZone } from '../../renderer/components/format.ts'
import { refreshNow } from '../../renderer/components/now.ts'
import { setStaleAfter } from '../../renderer/components/stale-limit.ts'
import { clearMessages, holdToasts } from '../../renderer/components/toasts.ts'
import { presentAt } from '../renderer/present-at.ts'
import { endWindowListeners } from './window-listeners.ts'

/**
 * All files of a worker share one document and the module state of the renderer. So each test begins as the
 * program does, with nothing mounted and no messages.
 */
// Tables of a file are made when it is loaded.
vi.setSystemTime(presentAt)
beforeEach(() => {
  endWindowListeners()
  vi.useRealTimers()
  // Time stands still until a test moves it: an age never depends on how long a test took.
  vi.setSystemTime(presentAt)
  vi.unstubAllGlobals()
  // The element of App.vue into which menus and pop-ups are inserted.
  document.body.innerHTML = '<main id="page"></main>'
  for (const { name } of [...document.documentElement.attributes])
    document.documentElement.removeAttribute(name)
  // There is no previous page: going back would open one of another test.
  window.history.replaceState(null, '', '#/')
  setLanguage('en')
  setTimeZone(null)
  setStaleAfter(24)
  clearMessages()
  holdToasts(false)
  refreshNow()
})
disableAutoUnmount()
enableAutoUnmount(afterEach)
