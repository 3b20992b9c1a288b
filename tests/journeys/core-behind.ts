import type { Page } from '@playwright/test'
import { Failed, type Outcome } from '../../electron/contract/failure.ts'
import { linkOver, type Channel, type Link, type Transport } from '../../electron/contract/wire.ts'

declare global {
  interface Window {
    /** What the preload exposes. */
    readonly headroom?: Transport
  }
}

/** Asks the core as the page does, past the view. */
export const askCore = (page: Page, channel: Channel, argument?: unknown): Promise<Outcome<unknown>> =>
  page.evaluate(([name, given]) => window.headroom!.ask(name, given), [channel, argument] as const)

/** The core behind a page. Announcements are not heard. */
export const coreBehind = (page: Page): Link =>
  linkOver({
    ask: (channel, argument) => askCore(page, channel, argument),
    listen: () => () => undefined,
  })

/** Rejects with Failed. */
export async function valueOf<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const settled = await outcome
  if (!settled.ok) throw new Failed(settled.failure)
  return settled.value
}
