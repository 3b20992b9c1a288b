import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { openNodePlatform } from '../../../electron/adapters/node-platform.ts'
import type { OrganizationList } from '../../../electron/contract/api/organizations.ts'
import type { Outcome } from '../../../electron/contract/failure.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { Home } from '../../e2e/program.ts'
import type { Service } from './service.ts'

/** Queries the core behind a page, of this build or the earlier one (which called it `ask`). Throws on a failure. */
export async function ask<T>(page: Page, method: string, argument?: unknown): Promise<T> {
  const outcome = (await page.evaluate(
    ([name, given]) => {
      type Ask = (method: string, argument: unknown) => Promise<unknown>
      const bridge = window.headroom as unknown as { readonly call?: Ask; readonly ask?: Ask }
      return (bridge.call ?? bridge.ask)?.(name, given)
    },
    [method, argument] as const,
  )) as Outcome<T>
  if (!outcome.ok) throw new Error(`${method}: ${JSON.stringify(outcome.failure)}`)
  return outcome.value
}

/** Queries again with each frame of the page until the response is as expected. */
export async function askUntil<T>(page: Page, method: string, holds: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask<T>(page, method)
    if (holds(answer)) return answer
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(go)))
  }
}

/** The program first shows the page that was open last; only then can it open another one. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate((hash) => {
    location.hash = hash
  }, place)
}

const nowhere = (): Promise<never> => Promise.reject(new Error('not in a benchmark'))
export const openCore = (home: Home, key: string): Promise<Core> =>
  createCore(
    openNodePlatform({
      home: join(home.folder, 'home'),
      workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
      transport: openHttpTransport(),
      demonstration: nowhere,
      desktop: {
        openOutside: nowhere,
        copy: nowhere,
        saveAs: nowhere,
        chooseFolder: nowhere,
        showFile: nowhere,
      },
      about: { version: '0.0.0', shell: 'none' },
      environment: {},
      keyFromEnvironment: key,
      dataFolder: { problem: () => null },
    }),
  )

/** Through the page of a running program, of this build or the earlier one. */
export async function addOrganizationOf(page: Page, service: Service): Promise<void> {
  const { managementUrl, metadataUrl } = service
  const { presets } = await ask<OrganizationList>(page, 'organizations.list')
  const custom = presets.find(({ name }) => name === 'custom')!.draft
  await ask(page, 'organizations.add', { ...custom, name: 'Bench', managementUrl, metadataUrl })
  await enterKey(page, service)
}

/** Of the home's only organization: a window does not take HEADROOM_KEY. */
export async function enterKey(page: Page, { key }: Service): Promise<void> {
  const { organizations } = await ask<OrganizationList>(page, 'organizations.list')
  await ask(page, 'organizations.setKey', { id: organizations[0]!.id, slot: 'primary', key })
}

/** The home's only organization, before any program runs on it. */
export async function addOrganization(
  home: Home,
  { managementUrl, metadataUrl, key }: Service,
): Promise<void> {
  const core = await openCore(home, key)
  const { presets } = await core.handlers.organizations.list()
  const custom = presets.find(({ name }) => name === 'custom')!.draft
  await core.handlers.organizations.add({ ...custom, name: 'Bench', managementUrl, metadataUrl })
  await core.close()
}
