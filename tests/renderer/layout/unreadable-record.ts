import type { TestCore } from '../core.ts'

interface Page {
  readonly items: readonly unknown[]
}

/** Runs a sync that reads one record without an id. */
export async function syncUnreadable(core: TestCore): Promise<void> {
  let pages = 0
  core.service.alter('/devices/api/devices', (page: Page) => ({
    ...page,
    items: pages++ === 0 ? [{ name: '?' }, ...page.items] : page.items,
  }))
  await core.finish(core.handlers.sync.run())
}
