import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  contentPolicy,
  denyTheRest,
  devServerOf,
  isOurPage,
  pagePreferences,
} from '../../electron/main/our-page.ts'

type Event = Parameters<typeof isOurPage>[0]
const window = { isDestroyed: () => false, webContents: { id: 7, send: () => undefined } }
const from = (sender: number, frame: { url: string; parent: unknown } | null): Event =>
  ({ sender: { id: sender }, senderFrame: frame }) as unknown as Event
const page = { url: 'app://headroom/#/devices', parent: null }

describe('pages that may call the core', () => {
  test.each([
    ['our page in the main frame of our window', from(7, page), window, true],
    ['another window', from(8, page), window, false],
    ['a frame inside our page', from(7, { url: 'app://headroom/', parent: {} }), window, false],
    ['another page in our window', from(7, { url: 'https://example.com/', parent: null }), window, false],
    [
      'a page whose address only begins like ours',
      from(7, { url: 'app://headroom.example.com/', parent: null }),
      window,
      false,
    ],
    ['a file', from(7, { url: 'file:///app://headroom/', parent: null }), window, false],
    ['a frame that no longer exists', from(7, null), window, false],
    ['when the window is closed', from(7, page), { ...window, isDestroyed: () => true }, false],
    ['when there is no window', from(7, page), null, false],
  ])('%s', (_who, event, shown, may) => {
    expect(isOurPage(event, shown, 'app://headroom')).toBe(may)
  })

  test.each([
    ['http://127.0.0.1:5173/#/devices', true],
    ['http://127.0.0.1:51730/', false],
    ['app://headroom/', false],
  ])('during development only the page of the dev server: %s %s', (url, may) => {
    expect(isOurPage(from(7, { url, parent: null }), window, 'http://127.0.0.1:5173')).toBe(may)
  })
})

test('the policy allows nothing inline, including styles', () => {
  const policy = contentPolicy
  expect(policy).not.toMatch(/unsafe-|nonce-|\*|https?:/)
  expect(policy.split('; ')).toContain("default-src 'none'")
  expect(policy.split('; ')).toContain("style-src 'self'")
  expect(policy.split('; ')).toContain("require-trusted-types-for 'script'")
})

test.each([
  ['http://127.0.0.1:5173', false, 'http://127.0.0.1:5173'],
  ['http://127.0.0.1:5173/page?x#y', false, 'http://127.0.0.1:5173'],
  ['http://127.0.0.1:5173', true, null],
  ['http://localhost:5173', false, null],
  ['http://example.com', false, null],
  ['https://127.0.0.1:5173', false, null],
  ['file:///tmp', false, null],
  ['nothing', false, null],
  [undefined, false, null],
])('pages come from %s, packed %s: %s', (address, packaged, origin) => {
  expect(devServerOf(address, packaged)).toBe(origin)
})

test.each([
  [true, false],
  [false, true],
])('the page is sandboxed and isolated; packaged %s: developer tools %s', (packaged, devTools) => {
  expect(pagePreferences('/preload.cjs', packaged)).toEqual({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    spellcheck: false,
    devTools,
  })
})

/** Web contents created in an app, and the result for a new window and permissions. */
function contentsOf(devServer: string | null): {
  readonly contents: EventEmitter
  readonly granted: unknown[]
} {
  const granted: unknown[] = []
  const app = new EventEmitter()
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: () => unknown) => granted.push(handler()),
  })
  const session: Parameters<typeof denyTheRest>[1] = {
    setPermissionRequestHandler: (handler) =>
      handler?.(null as never, 'media', (isGranted) => granted.push(isGranted), null as never),
    setPermissionCheckHandler: (handler) => granted.push(handler?.(null, 'media', '', null as never)),
  }
  denyTheRest(app as unknown as Parameters<typeof denyTheRest>[0], session, devServer)
  app.emit('web-contents-created', {}, contents)
  return { contents, granted }
}
const isDenied = (contents: EventEmitter, event: string, url: string): boolean => {
  let prevented = false
  contents.emit(event, { url, preventDefault: () => (prevented = true) })
  return prevented
}

describe('any web contents', () => {
  const { contents, granted } = contentsOf(null)

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'may not do %s, even on our own page',
    (event) => {
      expect(isDenied(contents, event, 'app://headroom/')).toBe(true)
    },
  )
  test('may neither open a window nor get a permission', () => {
    expect(granted).toEqual([false, false, { action: 'deny' }])
  })
})

describe('navigation during development', () => {
  const { contents } = contentsOf('http://127.0.0.1:5173')

  test.each([
    ['will-navigate', 'http://127.0.0.1:5173/#/devices', false],
    ['will-frame-navigate', 'http://127.0.0.1:5173/', false],
    ['will-navigate', 'http://127.0.0.1:51730/', true],
    ['will-navigate', 'app://headroom/', true],
    ['will-redirect', 'http://127.0.0.1:5173/', true],
  ])('%s to %s: denied %s', (event, url, denied) => {
    expect(isDenied(contents, event, url)).toBe(denied)
  })
})
