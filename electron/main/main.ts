import { join } from 'node:path'
import { app, dialog, ipcMain, net, powerMonitor, protocol, session, type BrowserWindow } from 'electron'
import { takeKey } from '../adapters/environment-key.ts'
import { openNodePlatform } from '../adapters/node-platform.ts'
import { ownerWaits } from '../adapters/owner/limits.ts'
import { serveClients } from '../adapters/owner/owner-server.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import { withUnseenShown } from '../contract/unseen.ts'
import { serverOver } from '../contract/rpc-server.ts'
import { createCore, type Core } from '../core/app.ts'
import { registerAppScheme, serveApp } from './app-scheme.ts'
import { openChromiumTransport } from './chromium-transport.ts'
import { askBeforeQuit, quitQuestion } from './ask-before-quit.ts'
import { demonstrationProcess } from './demonstration.ts'
import { desktopOf } from './desktop.ts'
import { sendEventsOverIpc, serveOverIpc } from './ipc.ts'
import { lockWhenAway } from './lock-when-away.ts'
import { mainJobOnce } from './once.ts'
import { keepWindowState, readWindowState, type WindowState } from './window-state.ts'
import { ownDataFolder } from './own-data-folder.ts'
import { denyTheRest, devServerOf, pageOrigin } from './our-page.ts'
import { commandLine, servedCommands } from './served-commands.ts'
import { waitingWindow } from './waiting-window.ts'
import { builtParts, openWindow } from './window.ts'

// Before anything is started that would inherit it.
const keyFromEnvironment = takeKey(process.env)
const startedAt = Date.now()
const mode = 'electron-stand-in' in process.versions ? 'stand-in' : 'electron'
const switchValue = (name: string): string | null =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null
const once = process.argv.includes('--once')

app.setName('Headroom')
// Before anything connects: Chromium reads these when it starts its network.
const refusedSwitches = [
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'allow-insecure-localhost',
].filter((name) => {
  const isGiven = app.commandLine.hasSwitch(name)
  if (isGiven) app.commandLine.removeSwitch(name)
  return isGiven
})
const chosenHome = process.env['HEADROOM_HOME'] ?? ''
const home = chosenHome === '' ? app.getPath('userData') : chosenHome
registerAppScheme(protocol)
// Every renderer, whatever its window asks for.
app.enableSandbox()
if (process.argv.includes('--cli')) void prompt()
else if (app.requestSingleInstanceLock()) program().catch(cannotStart)
else app.quit()

/** Installed, the command line is this same program without a window. */
async function prompt(): Promise<void> {
  await app.whenReady()
  const { runCommandLine } = await commandLine()
  app.exit(
    await runCommandLine(process.argv.slice(process.argv.indexOf('--cli') + 1), {
      home,
      key: keyFromEnvironment,
      waits: ownerWaits,
      workerUrl: builtParts.worker,
      demonstration: demonstrationProcess([]),
    }),
  )
}

async function program(): Promise<void> {
  await app.whenReady()
  serveApp(protocol, builtParts.renderer)
  const devServer = devServerOf(process.env['ELECTRON_RENDERER_URL'], app.isPackaged)
  const origin = devServer ?? pageOrigin
  denyTheRest(app, session.defaultSession, devServer)
  const demonstrationOptions = (process.env['HEADROOM_DEMONSTRATION'] ?? '')
    .split(' ')
    .filter((word) => word !== '')
  const demonstration = demonstrationProcess(demonstrationOptions)
  let window: BrowserWindow | null = null
  const waiting = waitingWindow(origin, !process.argv.includes('--headless'))
  const taken = await ownDataFolder(home, ownerWaits, (holder, isLong) =>
    waiting.tell({ holder: holder ?? '', long: String(isLong) }),
  )
  const platform = openNodePlatform({
    home,
    workerUrl: builtParts.worker,
    transport: openChromiumTransport({
      request: (options) => net.request(options),
      sessionFor: (name) => session.fromPartition(name),
    }),
    demonstration: demonstration.start,
    desktop: desktopOf(() => window, demonstration.origin),
    about: { version: app.getVersion(), shell: mode },
    environment: process.env,
    keyFromEnvironment,
    waiting: (file) => waiting.tell({ waitsFor: `${file}.sqlite` }),
    dataFolder: taken.folder,
    refusedSwitches: refusedSwitches.map((name) => `--${name}`),
  })
  const opening = createCore(platform, { organization: null })
  const commands = servedCommands(opening)
  const server =
    taken.kind === 'owned'
      ? await serveClients({
          place: taken.place,
          waits: ownerWaits,
          name: `the app, process ${process.pid}`,
          onClient: commands.serve,
        }).catch(() => null)
      : null
  const core = await opening
  const close = async (): Promise<void> => {
    await commands.handOver(core.close)
    await server?.close()
    if (taken.kind === 'owned') taken.lock.release()
  }
  serveOverIpc(ipcMain, serverOver(core.handlers, core.noteBug), () => window, origin)
  sendEventsOverIpc(core.onAnnouncement, () => window)
  closeBeforeQuit(close)
  lockWhenAway(powerMonitor, core.lockWrites, (look, inMs) => void setInterval(look, inMs).unref())
  const shown = await openWindowAsLeft(core, origin)
  window = shown
  waiting.close()
  askBeforeQuit({
    app,
    window: shown,
    ask: (jobs) => quitQuestion(dialog, shown, jobs),
    // What commands are at is work of this process, too.
    jobsGoingOn: () => {
      const jobs = core.jobsGoingOn()
      return { ...jobs, running: Math.max(jobs.running, commands.working()) }
    },
  })
  window.on('closed', () => (window = null))
  app.on('second-instance', () => {
    if (window?.isMinimized() === true) window.restore()
    window?.focus()
  })
  app.on('window-all-closed', () => app.quit())
  if (!once) return core.startSyncing()
  const code = await mainJobOnce(
    core,
    window,
    mode,
    switchValue('screenshot') ?? join(app.getPath('temp'), 'headroom-once.png'),
    startedAt,
  ).catch(failedOnce)
  await close()
  app.exit(code)
}

/** What cannot be kept is told as the workbook's own trouble. */
async function openWindowAsLeft({ shared: { workbook } }: Core, origin: string): Promise<BrowserWindow> {
  const left = readWindowState(await workbook.remembered('window').catch(() => null))
  const window = openWindow(origin, builtParts.preload, !process.argv.includes('--headless'), left)
  const keep = (state: WindowState): void => void workbook.remember('window', state).catch(() => undefined)
  keepWindowState(window, keep, (inMs, fire) => {
    const timer = setTimeout(fire, inMs)
    return () => clearTimeout(timer)
  })
  return window
}

/** Databases are closed whole before the process ends. */
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
  process.stderr.write(`${lines.map(withUnseenShown).join('\n')}\n`)
  return 3
}

/** The core could not be opened at all, as with a workbook that a newer Headroom wrote. */
function cannotStart(error: unknown): void {
  dialog.showErrorBox(
    'Headroom cannot start',
    error instanceof Failed ? startSentence(error.failure) : String(error),
  )
  app.exit(3)
}

const startSentence = (failure: Failure): string =>
  failure.kind === 'cache-unusable' ? `${failure.message} Nothing was changed.` : failure.kind
