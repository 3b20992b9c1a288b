import { mount, RouterLinkStub } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { Standing } from '../../../electron/contract/app.ts'
import StatusBar from '../../../renderer/frame/StatusBar.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { aCore } from '../open-page.ts'

async function bar(connection: Standing['connection'], waitingFor: Standing['sync']['waitingFor']): Promise<string> {
  const outcome = (await aCore().ask('app.standing', undefined)) as { ok: true; value: Standing }
  const standing: Standing = { ...outcome.value, connection, sync: { ...outcome.value.sync, running: true, pages: 0, waitingFor } }
  return mount(StatusBar, {
    props: { standing, syncing: true, theme: 'light', unlockedForInMs: null },
    global: { plugins: [i18n], stubs: { RouterLink: RouterLinkStub } },
  })
    .get('.sync .label')
    .text()
}

describe('what the status bar says of a sync', () => {
  it.each<[Standing['connection'], Standing['sync']['waitingFor'], string]>([
    ['offline', 'retry', 'Offline, trying again'],
    ['online', 'retry', 'Sync is starting, waits before trying again'],
    ['online', null, 'Sync is starting'],
  ])('%s, waits for %s', async (connection, waitingFor, said) => {
    expect(await bar(connection, waitingFor)).toBe(said)
  })
})
