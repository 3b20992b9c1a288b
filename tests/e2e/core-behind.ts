import type { Page } from '@playwright/test'
import { Failed, type Outcome } from '../../electron/contract/failure.ts'
import { clientOver, type Client, type Transport } from '../../electron/contract/rpc-client.ts'

declare global {
  interface Window {
    /** What the preload exposes. */
    readonly headroom?: Transport
  }
}

/** Calls the core as the page does, without the user interface. */
export const callCore = (page: Page, method: string, argument?: unknown): Promise<Outcome<unknown>> =>
  page.evaluate(([name, given]) => window.headroom!.call(name, given), [method, argument] as const)

/** The core behind a page, without events. */
export const coreBehind = (page: Page): Client =>
  clientOver(() => ({
    call: (method, argument) => callCore(page, method, argument),
    subscribe: () => () => undefined,
  }))

/** Rejects with Failed. */
export async function valueOf<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const settled = await outcome
  if (!settled.ok) throw new Failed(settled.failure)
  return settled.value
}
