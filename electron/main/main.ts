import './small-heap.ts'
import { join } from 'node:path'
import {
  app,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  session,
  type BrowserWindow,
} from 'electron'
import { takeKey } from '../adapters/environment-key.ts'
import { homeFolder } from '../adapters/home-folder.ts'
import { newerVersionSource } from '../adapters/newer-version-source.ts'
import { openNodePlatform } from '../adapters/node-platform.ts'
import { lookedAt } from '../adapters/owner/data-folder.ts'
import { serveContract } from '../adapters/owner/contract-server.ts'
import { ownerWaits } from '../adapters/owner/limits.ts'
import { serveClients } from '../adapters/owner/owner-server.ts'
import { Failed, isKind, type Failure } from '../contract/failure.ts'
import { percentOf, type Progress } from '../contract/progress.ts'
import { linkScheme } from '../contract/page-link.ts'
import { withUnseenEscaped } from '../contract/unseen.ts'
import type { Server } from '../contract/rpc-server.ts'
import { createCore, type Core } from '../core/app.ts'
import { Listeners } from '../core/listeners.ts'
import { registerAppScheme, serveApp } from './app-scheme.ts'
import { askBeforeQuit, quitQuestion } from './ask-before-quit.ts'
import { showOver } from './notifications.ts'
import { demonstrationProcess } from './demonstration.ts'
import { desktopOf } from './desktop.ts'
import { installCommandLine } from './install-command-line.ts'
import { sendEventsOverIpc, serveOverIpc } from './ipc.ts'
import { lockWhenAway } from './lock-when-away.ts'
import { endOnErrors } from './end-on-errors.ts'
import { menuTemplate } from './menu.ts'
import { openNetwork } from './network.ts'
import { mainJobOnce } from './once.ts'
import { hashOf, linkIn, scriptOf } from './opened-links.ts'
import { keepWindowState, parseWindowState, type WindowState } from './window-state.ts'
import { pageQuestion, recoverPage } from './recover-page.ts'
import { watchScreenLock } from './screen-lock.ts'
import { stayAwake } from './stay-awake.ts'
import { ownDataFolder } from './own-data-folder.ts'
import { denyTheRest, devServerOf, pageOrigin } from './our-page.ts'
import { UnlockDialog } from './unlock-dialog.ts'
import { waitingWindow } from './waiting-window.ts'
import { bringToFront, builtParts, openWindow, showAsLeft } from './window.ts'
import { windowFolder } from './window-folder.ts'

let noteError = failedOnce as (error: unknown) => unknown
endOnErrors(process, {
  note: (error) => noteError(error),
  show: (title, sentence) => dialog.showErrorBox(title, sentence),
  exit: (code) => app.exit(code),
})
// Before any child process is started, because it would inherit the key.
if (takeKey(process.env) !== null)
  process.stderr.write('HEADROOM_KEY is for the command line only: the window does not use it.\n')
const startedAt = Date.now()
const mode = 'electron-stand-in' in process.versions ? 'stand-in' : 'electron'
const startedBy = linkIn(process.argv)
/** With a link no switch is accepted: the author of a link must not control how the program runs. */
const words = startedBy === null ? process.argv : []
const switchValue = (name: string): string | null =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null
const once = words.includes('--once')
/** The first address of the window. A link opened before the window exists is shown first. */
let begins = startedBy === null ? '' : hashOf(startedBy)
let openPage = (hash: string): void => void (begins = hash)
let openLink = (link: string): void => void (begins = hashOf(link))
let bringForward = (): void => undefined

app.setName('Headroom')
// Windows shows notifications only of a program that identifies itself (with the installer's id).
app.setAppUserModelId('io.headroom.console')
// Before any connection: Chromium reads these when it starts its network.
const refusedSwitches = [
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'allow-insecure-localhost',
].filter((name) => {
  const isGiven = app.commandLine.hasSwitch(name)
  if (isGiven) app.commandLine.removeSwitch(name)
  return isGiven
})
// Whoever starts an installed program may not know of them; a developer and the tests do.
const weakeningSwitches = app.isPackaged
  ? ['no-sandbox', 'remote-debugging-port', 'host-resolver-rules', 'ssl-key-log-file', 'log-net-log'].filter(
      (name) => app.commandLine.hasSwitch(name),
    )
  : []
const { home, folder, unwritable } = windowFolder(homeFolder())
// Before the lock, which is one for each `userData`: the same data folder, the same lock.
for (const name of ['userData', 'sessionData'] as const) app.setPath(name, folder)
registerAppScheme(protocol)
// For every renderer, regardless of its window's options.
app.enableSandbox()
// An installed program is registered for links; one that runs from its sources is not.
if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
app.on('open-url', (event, link) => {
  event.preventDefault()
  openLink(link)
})
// From the start, like a link from macOS: a second program may be started while this one opens its data.
app.on('second-instance', (_event, itsArguments) => {
  const link = linkIn(itsArguments)
  if (link === null) bringForward()
  else openLink(link)
})
/** The command line lies beside the window. */
const commandLine = join(process.resourcesPath, 'cli', 'bin', 'headroom')
if (words.includes('--cli')) {
  const command = app.isPackaged ? commandLine : 'npm run --silent headroom --'
  process.stderr.write(`The command line is a program of its own: ${command} COMMAND\n`)
  app.exit(2)
} else if (once && app.isPackaged && !process.env['HEADROOM_HOME']) {
  process.stderr.write('--once adds an organization: set HEADROOM_HOME to a folder for it.\n')
  app.exit(2)
} else if (unwritable !== null || app.requestSingleInstanceLock()) program().catch(cannotStart)
else {
  process.stderr.write(
    `Headroom already runs with the data folder ${withUnseenEscaped(home)}: its window is shown.\n`,
  )
  app.quit()
}

/** After the window is shown, whose first rows need both processors. Raise it if they appear later than this. */
const syncsAfterInMs = 2_000

async function program(): Promise<void> {
  await app.whenReady()
  if (process.platform === 'darwin')
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({
          openPage: (hash) => openPage(hash),
          installCommandLine: () =>
            void installCommandLine(commandLine).then((said) => dialog.showMessageBox(said)),
        }),
      ),
    )
  let opened: Core | null = null
  serveApp(protocol, builtParts.renderer, async (id) => opened?.shared.pictures.file(id) ?? null)
  const devServer = devServerOf(process.env['ELECTRON_RENDERER_URL'], app.isPackaged)
  const origin = devServer ?? pageOrigin
  denyTheRest(app, session.defaultSession, devServer)
  const demonstrationOptions = (process.env['HEADROOM_DEMONSTRATION'] ?? '')
    .split(' ')
    .filter((word) => word !== '')
  const demonstration = demonstrationProcess(demonstrationOptions)
  let window: BrowserWindow | null = null
  const waiting = waitingWindow(origin, !words.includes('--headless'))
  bringForward = waiting.bringForward
  const taken =
    unwritable === null
      ? await ownDataFolder(home, ownerWaits, (holder, isLong) =>
          waiting.tell({ holder: holder ?? '', long: String(isLong) }),
        )
      : lookedAt(unwritable)
  const network = openNetwork()
  const platform = openNodePlatform({
    home,
    workerUrl: builtParts.worker,
    ...network,
    demonstration: demonstration.start,
    desktop: desktopOf(() => window, demonstration.origin),
    about: { version: app.getVersion(), shell: mode },
    environment: process.env,
    newerVersion: newerVersionSource({
      program: app.isPackaged ? process.execPath : null,
      platform: process.platform,
    }),
    downloadsFolder: () => app.getPath('downloads'),
    keyFromEnvironment: null,
    dataFolder: taken.folder,
    refusedSwitches: refusedSwitches.map((name) => `--${name}`),
    weakeningSwitches: weakeningSwitches.map((name) => `--${name}`),
  })
  const unlockDialog = new UnlockDialog({ dialog, window: () => window, now: () => performance.now() })
  const rebuilding = new Listeners<[Progress]>()
  const opening = createCore(platform, {
    organization: null,
    mayUnlock: unlockDialog.mayUnlock,
    rebuilding: (progress) => {
      waiting.tell({ rebuilding: '' }, String(percentOf(progress) ?? 0))
      rebuilding.notify(progress)
    },
  })
  // Its failure is read below: until then it is nobody's, and would end the program as an error of its own.
  opening.catch(() => undefined)
  let isClosing = false
  const server =
    taken.kind === 'owned'
      ? await serveClients({
          place: taken.place,
          waits: ownerWaits,
          name: `the app, process ${process.pid}`,
          onClient: (client) =>
            serveContract(client, {
              core: opening,
              stays: true,
              wanted: null,
              onRebuilding: rebuilding.add,
              isClosing: () => isClosing,
            }),
          onTakenTwice: taken.takenTwice,
        }).catch(() => null)
      : null
  // Page and core are prepared in parallel: calls of the page wait for the core.
  const { window: page, ready } = openWindow(`${origin}/${begins}`, builtParts.preload)
  window = page
  unlockDialog.watch(page)
  recoverPage({
    window: page,
    log: platform.log,
    ask: (what) => pageQuestion(dialog, page, what),
    quit: () => app.quit(),
    now: () => performance.now(),
  })
  openPage = (hash) => {
    bringForward()
    void window?.webContents
      .executeJavaScript(`location.hash = ${JSON.stringify(hash)}`)
      .catch(() => undefined)
  }
  openLink = (link) => {
    bringForward()
    void window?.webContents.executeJavaScript(scriptOf(link)).catch(() => undefined)
  }
  window.on('closed', () => (window = null))
  serveOverIpc(ipcMain, serverOfCore(opening), () => window, origin)
  const core = await opening
  opened = core
  // The page asks this first. Its counts are cached, and both threads that read are free until then.
  void core.server('app.status', undefined)
  noteError = (error) => core.noteBug(error, 'main')
  const close = async (): Promise<void> => {
    isClosing = true
    await core.close()
    await server?.close()
    if (taken.kind === 'owned') taken.lock.release()
  }
  sendEventsOverIpc(core.onEvent, () => window)
  closeBeforeQuit(close)
  const jobsChanged = stayAwake(powerSaveBlocker, () => core.activeJobs().running > 0)
  core.onEvent((event) => {
    if (event === 'jobs.changed') jobsChanged()
  })
  if (process.platform === 'linux')
    app.once(
      'quit',
      watchScreenLock(() => core.lockWrites('starting'), process.env),
    )
  lockWhenAway(
    powerMonitor,
    core.lockWrites,
    core.shared.writePolicy.unlockedForInMs,
    (look, inMs) => void setInterval(look, inMs).unref(),
  )
  if (!page.isDestroyed()) await showWindow(core, page, ready)
  bringForward = () => bringToFront(window)
  waiting.close()
  askBeforeQuit({
    app,
    window: page,
    close,
    ask: (jobs) => quitQuestion(dialog, page, jobs),
    // The commands of clients count as work of this process, too.
    activeJobs: () => {
      const jobs = core.activeJobs()
      return { ...jobs, running: Math.max(jobs.running, server?.clients() ?? 0) }
    },
  })
  app.on('window-all-closed', () => app.quit())
  if (!once) {
    if (Notification.isSupported())
      core.startNotifying(showOver((options) => new Notification(options), bringForward))
    core.startAskingForNewer()
    platform.clock.after(syncsAfterInMs, core.startSyncing)
    return
  }
  const code = await mainJobOnce(
    core,
    page,
    mode,
    switchValue('screenshot') ?? join(app.getPath('temp'), 'headroom-once.png'),
    startedAt,
  ).catch(failedOnce)
  await close()
  app.exit(code)
}

/**
 * If the core cannot be opened, the program ends with the reason. The title bar and the system's dialogs are as
 * dark as the page.
 */
function serverOfCore(opening: Promise<Core>): Server {
  const server = opening.then(
    (core) => core.server,
    () => () => new Promise<never>(() => undefined),
  )
  return async (method, argument) => {
    const answer = await (await server)(method, argument)
    if (method === 'app.setPreferences') await followTheme(await opening)
    return answer
  }
}

const followTheme = async ({ shared: { workbook } }: Core): Promise<void> => {
  const { theme } = await workbook.preferences().catch(() => ({ theme: 'system' as const }))
  nativeTheme.themeSource = theme
}

/** A failed write is reported as the workbook's own problem. */
async function showWindow(core: Core, window: BrowserWindow, ready: Promise<void>): Promise<void> {
  const { workbook } = core.shared
  await followTheme(core)
  const left = parseWindowState(await workbook.remembered('window').catch(() => null))
  const keep = (state: WindowState): void => void workbook.remember('window', state).catch(() => undefined)
  showAsLeft(window, ready, !words.includes('--headless'), left)
  keepWindowState(window, keep, (inMs, fire) => {
    const timer = setTimeout(fire, inMs)
    return () => clearTimeout(timer)
  })
}

/** Databases are closed completely before the process ends. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    void close().finally(() => {
      closed = true
      app.quit()
    })
  })
}

function failedOnce(error: unknown): number {
  const lines = ((error as Error).stack ?? String(error)).split('\n')
  process.stderr.write(`${lines.map(withUnseenEscaped).join('\n')}\n`)
  return 3
}

/** The core could not be opened at all, for example because a newer Headroom wrote the workbook. */
function cannotStart(error: unknown): void {
  dialog.showErrorBox(
    'Headroom cannot start',
    error instanceof Failed ? startSentence(error.failure) : String(error),
  )
  app.exit(3)
}

const startSentence = (failure: Failure): string =>
  isKind(failure, 'cache-unusable') ? `${failure.message} Nothing was changed.` : failure.kind
