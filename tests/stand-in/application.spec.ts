import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { aSmallApp, opensItsPage, type SmallApp } from './a-small-app.ts'
import { shellExecutable, shellMode } from './shell.ts'

let small: SmallApp
test.afterEach(() => small.remove())

const preload = "require('electron').contextBridge.exposeInMainWorld('ready', true)"

test('a custom scheme serves the page, and its content policy is enforced', async () => {
  small = await aSmallApp({
    'preload.cjs': preload,
    'main.mjs': `
      import { app, BrowserWindow, protocol } from 'electron'
      import { join } from 'node:path'
      protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }])
      app.whenReady().then(async () => {
        protocol.handle('app', (request) => new URL(request.url).pathname === '/'
          ? new Response('<!doctype html><title>own</title><script>globalThis.inline = true</script><script src="/own.js"></script>', { headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; script-src 'self'" } })
          : new Response('globalThis.own = location.pathname', { headers: { 'content-type': 'text/javascript' } }))
        await new BrowserWindow({ show: false, webPreferences: { preload: join(import.meta.dirname, 'preload.cjs') } }).loadURL('app://place/')
      })`,
  })
  const app = await small.start()
  const page = await app.firstWindow()
  await page.waitForFunction(() => 'own' in globalThis)
  expect(await page.evaluate('[typeof globalThis.inline, own]')).toEqual(['undefined', '/'])
  await app.close()
})

test('a driven program opens its window when the driver listens, with a preloaded script too', async () => {
  test.skip(shellMode === 'electron', 'Electron opens it at once')
  small = await aSmallApp({
    'preload.cjs': preload,
    'before.cjs': '',
    'main.mjs': `globalThis.waits = typeof globalThis.__playwright_run\n${opensItsPage('')}`,
  })
  const app = await small.start('-r', join(small.folder, 'before.cjs'))
  const waits = await app.evaluate(() => (globalThis as unknown as { waits: string }).waits)
  await app.close()
  expect(waits).toBe('function')
})

test('a vetoed navigation and a denied window keep the page', async () => {
  small = await aSmallApp({
    'preload.cjs': preload,
    'main.mjs': opensItsPage(`
      globalThis.asked = []
      app.on('web-contents-created', (_event, contents) => {
        contents.on('will-navigate', (event, url) => { asked.push('navigate ' + url); event.preventDefault() })
        contents.setWindowOpenHandler(({ url }) => { asked.push('open ' + url); return { action: 'deny' } })
      })`),
  })
  const app = await small.start()
  const page = await app.firstWindow()
  await page.waitForFunction(() => 'ready' in globalThis)
  await page.evaluate("open('https://example.com/a'); location.href = 'https://example.com/b'")
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked))
    .toEqual(['open https://example.com/a', 'navigate https://example.com/b'])
  // Evaluated in the page itself, because during a rejected navigation the driver reports the title of the
  // target.
  await expect.poll(() => page.evaluate("[document.title, 'ready' in globalThis]")).toEqual(['small', true])
  await app.close()
})

test('a utility process exchanges messages and ends with the program', async () => {
  small = await aSmallApp({
    'preload.cjs': preload,
    'child.mjs': `process.parentPort.on('message', ({ data }) => process.parentPort.postMessage({ answer: data.ask * 2, type: process.type, args: process.argv.slice(2), pid: process.pid }))`,
    'main.mjs': opensItsPage(
      `const child = utilityProcess.fork(join(import.meta.dirname, 'child.mjs'), ['--json'], { stdio: 'ignore' })
       child.once('message', (message) => { globalThis.got = message })
       child.postMessage({ ask: 21 })`,
      ', utilityProcess',
    ),
  })
  const app = await small.start()
  interface Got {
    readonly answer: number
    readonly type: string
    readonly args: readonly string[]
    readonly pid: number
  }
  const read = (): Promise<Got | undefined> =>
    app.evaluate(() => (globalThis as unknown as { got?: Got }).got)
  await expect
    .poll(async () => ({ ...(await read()), pid: 0 }))
    .toEqual({ answer: 42, type: 'utility', args: ['--json'], pid: 0 })
  const pid = (await read())?.pid ?? 0
  await app.close()
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('the first instance is notified of the second', async () => {
  small = await aSmallApp({
    'preload.cjs': preload,
    'main.mjs': opensItsPage('').replace(
      'await 0',
      `globalThis.heard = []; globalThis.first = app.requestSingleInstanceLock(); app.on('second-instance', (_event, argv) => heard.push(argv.at(-1))); if (!first) app.exit(7)`,
    ),
  })
  const first = await small.start()
  await first.firstWindow()
  expect(await small.ended('--second')).toBe(7)
  await expect
    .poll(() => first.evaluate(() => (globalThis as unknown as { heard: string[] }).heard))
    .toEqual(['--second'])
  await first.close()
})

test('the program does not start with an operand after one that looks like a link, and says nothing', async () => {
  test.skip(shellMode === 'electron' && process.platform !== 'win32', 'Electron looks on Windows alone')
  small = await aSmallApp({ 'main.mjs': "import { app } from 'electron'\napp.exit(7)" })
  const [blocked, last, after] = await Promise.all([
    small.ended('tag:loan', 'other'),
    small.ended('other', 'tag:loan', '--json'),
    small.ended('--', 'tag:loan', 'other'),
  ])
  expect([blocked! & 0xff, last, after]).toEqual([0xff, 7, 7])
})

test('a switch that was removed is not on the command line', async () => {
  small = await aSmallApp({
    'main.mjs': `import { app } from 'electron'
      const has = () => ['some-switch', 'other-switch'].map((name) => Number(app.commandLine.hasSwitch(name))).join('')
      const before = has()
      app.commandLine.removeSwitch('some-switch')
      app.exit(before === '11' && has() === '01' ? 7 : 1)`,
  })
  expect(await small.ended('--some-switch=1', '--other-switch')).toBe(7)
})

test('a locked screen is an event of Windows and macOS alone', async () => {
  test.skip(shellMode === 'electron' || process.platform !== 'linux', 'events are simulated by the stand-in')
  small = await aSmallApp({
    'main.mjs': `import { app, powerMonitor } from 'electron'
      let heard = 0
      for (const name of ['lock-screen', 'suspend']) powerMonitor.on(name, () => heard++)
      powerMonitor.emit('suspend')
      try { powerMonitor.emit('lock-screen') } catch (error) { app.exit(heard === 1 && error.message.includes('linux has no power event lock-screen') ? 7 : 1) }`,
  })
  expect(await small.ended()).toBe(7)
})

test('each userData folder has its own lock, none if it cannot be written; pages store under sessionData', async () => {
  small = await aSmallApp({
    'preload.cjs': preload,
    blocked: '',
    'main.mjs': opensItsPage('').replace(
      'await 0',
      `const wrong = [['userData', 'relative'], ['nothing', import.meta.dirname]].map(([name, path]) => {
        try { app.setPath(name, path) } catch (error) { return error.message }
      })
      const own = join(import.meta.dirname, process.argv.at(-1))
      app.setPath('userData', own)
      app.setPath('sessionData', join(own, 'session'))
      globalThis.found = { wrong, first: app.requestSingleInstanceLock() }
      if (!found.first) app.exit(7)
      else if (process.argv.includes('--short')) app.exit(0)`,
    ),
  })
  const first = await small.start('one')
  await first.firstWindow()
  const ended = [
    await small.ended('--short', 'one'),
    await small.ended('--short', 'two'),
    await small.ended('--short', 'blocked/folder'),
  ]
  expect({
    found: await first.evaluate(() => (globalThis as unknown as { found: unknown }).found),
    ended,
    stored: readdirSync(join(small.folder, 'one/session')).length > 0,
  }).toEqual({
    found: { wrong: ['Path must be absolute', 'Failed to set path'], first: true },
    ended: [7, 0, 7],
    stored: true,
  })
  await first.close()
})

test('the page prefers the theme set by the program', async () => {
  small = await aSmallApp({ 'preload.cjs': preload, 'main.mjs': opensItsPage('') })
  const app = await small.start()
  const page = await app.firstWindow()
  await page.waitForFunction(() => 'ready' in globalThis)
  const dark = (): Promise<boolean> => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
  })
  await expect.poll(dark).toBe(true)
  await app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'light'
  })
  await expect.poll(dark).toBe(false)
  await app.close()
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a maximised window keeps its restored position and size', async () => {
  small = await aSmallApp({ 'preload.cjs': preload, 'main.mjs': opensItsPage('') })
  const app = await small.start()
  await app.firstWindow()
  const seen = await app.evaluate(({ BrowserWindow, screen }) => {
    const [window] = BrowserWindow.getAllWindows()
    window!.setBounds({ x: 20, y: 30, width: 700, height: 500 })
    window!.maximize()
    const fills = window!.getBounds().width >= screen.getPrimaryDisplay().workArea.width
    const maximised = [window!.isMaximized(), fills, window!.getNormalBounds()]
    window!.unmaximize()
    return [maximised, window!.isMaximized(), window!.getBounds()]
  })
  const normal = { x: 20, y: 30, width: 700, height: 500 }
  expect(seen).toEqual([[true, true, normal], false, normal])
  await app.close()
})

test('a hidden window has no picture until it is shown, and an unhandled rejection ends nothing', async () => {
  test.skip(process.platform === 'darwin', 'macOS paints hidden windows')
  small = await aSmallApp({
    'preload.cjs': preload,
    'main.mjs': opensItsPage('').replace(
      "await window.loadFile('index.html')",
      `await window.loadFile('index.html')
      void Promise.reject(new Error('nobody handles this'))
      const hidden = (await window.webContents.capturePage()).isEmpty()
      window.showInactive()
      globalThis.got = [hidden, (await window.webContents.capturePage()).isEmpty()]`,
    ),
  })
  const app = await small.start()
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { got?: boolean[] }).got))
    .toEqual([true, false])
  await app.close()
})

test('without a display it does not start, unless it is told to need none', async () => {
  test.skip(process.platform !== 'linux', 'only Linux has systems without a display')
  small = await aSmallApp({
    'preload.cjs': preload,
    'main.mjs': "import { app } from 'electron'; app.exit(7)",
  })
  const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' }
  const ended = (...args: string[]) =>
    spawnSync(shellExecutable, [...args, '--no-sandbox', small.folder], { env, encoding: 'utf8' })
  const [without, told] = [ended(), ended('--ozone-platform=headless')]
  expect([without.status === 7, without.stderr.includes('Missing X server'), told.status]).toEqual([
    false,
    true,
    7,
  ])
})
