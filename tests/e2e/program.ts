import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { _electron, expect, test, type ElectronApplication, type Page } from '@playwright/test'
import { shellArguments, shellExecutable } from '../stand-in/shell.ts'
import { answerWith } from './desktop-answers.ts'

const root = resolve(import.meta.dirname, '../..')
/** For what Playwright waits for by itself, as for an expectation (playwright.config.ts). */
const limitInMs = 180_000

/** A separate home for one test. */
export interface Home {
  readonly folder: string
  remove(): void
}
export function newHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-e2e-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Program {
  readonly app: ElectronApplication
  readonly page: Page
  /** Errors in the page; every test must end without any. */
  readonly pageErrors: string[]
  clipboard(): Promise<string>
  /** In a failed test, keeps a picture of the window and prints what the program logged last. */
  explain(): Promise<void>
  /** Ends the program, at the end of a test. */
  close(): Promise<void>
}

export const launchArguments: readonly string[] = [...shellArguments, '.', '--headless']
export const dataFolder = (home: Home): string => join(home.folder, 'home')

/** A start that ends by itself, because the program runs on this home already. */
export async function startAgain(
  home: Home,
  ...more: readonly string[]
): Promise<{ readonly code: number | null; readonly errors: string }> {
  const env = { ...process.env, HEADROOM_HOME: dataFolder(home) }
  const second = spawn(shellExecutable, [...launchArguments, ...more], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = text(second.stderr)
  const [code] = (await once(second, 'exit')) as [number | null]
  return { code, errors: await errors }
}

/** Opens a link as the system does while the program runs: it starts the program again. */
export const openLink = async (home: Home, link: string): Promise<void> => void (await startAgain(home, link))

/**
 * Starts the built app on a home, as a technician does; the window is 1280×720. `switches`: for the shell.
 * `folder`: that of another build. `shows`: part of the address of the window to use, if there are several.
 * `link`: the link it starts with.
 */
export async function startProgram(
  home: Home,
  environment: Readonly<Record<string, string>> = {},
  switches: readonly string[] = [],
  folder = root,
  shows = '',
  link: string | null = null,
): Promise<Program> {
  const app = await _electron.launch({
    executablePath: shellExecutable,
    args: [...switches, ...launchArguments, ...(link === null ? [] : [link])],
    cwd: folder,
    env: {
      ...(process.env as Record<string, string>),
      HEADROOM_HOME: dataFolder(home),
      HEADROOM_KEY: '',
      ...environment,
    },
  })
  // Playwright's own limit for an action is 30 seconds.
  app.context().setDefaultTimeout(limitInMs)
  const page = await windowThat(app, shows)
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} ${message.location().url}`)
  })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page
    .waitForFunction(() => document.querySelector('#app > *')?.checkVisibility(), undefined, {
      timeout: limitInMs,
    })
    .catch(async () => {
      throw new Error(
        [
          'The window stayed empty.',
          page.url(),
          ...lastLines(),
          ...pageErrors,
          await ownViewOfPages(app),
        ].join('\n'),
      )
    })
  function lastLines(): readonly string[] {
    const log = join(home.folder, 'home/logs/headroom.log')
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20) : ['nothing']
  }
  const explain = async (): Promise<void> => {
    if (test.info().errors.length === 0) return
    const path = test.info().outputPath('window.png')
    const picture = await page.screenshot({ path, timeout: 10_000 }).then(() => relative(root, path), String)
    process.stderr.write(`${[picture, 'headroom.log:', ...lastLines()].join('\n')}\n`)
  }
  return {
    app,
    page,
    pageErrors,
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    explain,
    close: async () => {
      await explain()
      // A command that has just ended may still count as work, and then the program asks.
      await answerWith(app, 'Quit').catch(() => undefined)
      await app.close()
    },
  }
}

/** The pages of the program as Electron sees them: an empty page differs from one that Playwright does not see. */
const ownViewOfPages = (app: ElectronApplication): Promise<string> =>
  app.evaluate(async ({ BrowserWindow }) => {
    const views = BrowserWindow.getAllWindows().map(async ({ webContents }) => {
      const content = webContents
        .executeJavaScript(
          `[document.readyState, 'headroom' in window, document.body.outerHTML.slice(0, 500),
            ...performance.getEntriesByType('resource').map((one) => one.name + ' ' + one.responseStatus + ' ' + Math.round(one.duration) + ' ms')].join(' | ')`,
        )
        .catch(String)
      const none = new Promise((end) =>
        AbortSignal.timeout(5_000).addEventListener('abort', () => end('no response of the page')),
      )
      return `${webContents.getURL()}: ${String(await Promise.race([content, none]))}`
    })
    return (await Promise.all(views)).join('\n')
  })

async function windowThat(app: ElectronApplication, shows: string): Promise<Page> {
  const first = await app.firstWindow({ timeout: limitInMs })
  const found = (): Page | undefined =>
    shows === '' ? first : app.windows().find((one) => one.url().includes(shows))
  await expect.poll(() => found() !== undefined).toBe(true)
  return found()!
}

/** The environment of a program whose own demonstration is small, for tests that do not need its 1,200 devices. */
export const smallDemonstration = { HEADROOM_DEMONSTRATION: '--devices 60 --rooms 6' } as const

/** The demonstration service as a custom service, which a test can break and stop. */
export interface Service {
  readonly managementUrl: string
  readonly metadataUrl: string
  readonly key: string
  readonly devices: number
  readonly rooms: number
  end(): Promise<void>
}

export async function startService(...options: readonly string[]): Promise<Service> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(root, 'out/main/demo.js'), '--json', '--with-parent', ...options],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  const started = JSON.parse(line) as Omit<Service, 'end'>
  return {
    ...started,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Opens the organization form and fills in a custom service; the caller types the key. */
export async function fillInService(page: Page, service: Service, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Other', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Management address').fill(service.managementUrl)
  await page.getByLabel('Metadata address').fill(service.metadataUrl)
}

export async function connect(page: Page, service: Service, name: string): Promise<void> {
  await fillInService(page, service, name)
  await page.getByLabel('Subscription key', { exact: true }).fill(service.key)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expectLanded(page)
}

/** The first page once there is an organization: the Overview. */
export async function expectLanded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
}

/** Reloads the page of a connected program, which then shows its first page. */
export async function reload({ app, page }: Program): Promise<void> {
  await page.evaluate(() => (location.hash = '#/overview'))
  // A page may not navigate by itself: the program reloads it.
  const loaded = page.waitForEvent('load')
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.reload())
  await loaded
  await expectLanded(page)
}

const tools = ['Device recovery', 'Definitions', 'Explorer']
/**
 * Opens a page with the navigation, as a technician does: tools are folded, the journal opens from the jobs.
 */
export async function goTo(page: Page, name: string): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Pages' })
  const folded = rail.getByRole('button', { name: 'Tools', expanded: false })
  if (tools.includes(name) && (await folded.count()) > 0) await folded.click()
  if (name === 'Journal') {
    await goTo(page, 'Jobs')
    await page.locator('main .header').getByRole('link', { name }).click()
  } else await rail.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

/** The count in the header of a page: `10,000 devices`. */
export async function expectCount(page: Page, what: 'devices' | 'rooms', count: number): Promise<void> {
  await expect(
    page
      .locator('main header')
      .getByText(`${count.toLocaleString('en-US')} ${what}`)
      .first(),
  ).toBeVisible()
}

/** The built app on its own home, connected to its own service, after its first sync. */
export async function startSynced(
  devices: number,
  rooms: number,
): Promise<{ readonly home: Home; readonly program: Program; readonly service: Service }> {
  const home = newHome()
  const service = await startService('--devices', String(devices), '--rooms', String(rooms))
  const program = await startProgram(home)
  await connect(program.page, service, 'Nordlys A/S')
  await expectCount(program.page, 'devices', devices)
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  return { home, program, service }
}
