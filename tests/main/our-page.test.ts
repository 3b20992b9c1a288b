import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { contentPolicy, denyTheRest, isOurPage, pagePreferences } from '../../electron/main/our-page.ts'

type Event = Parameters<typeof isOurPage>[0]
const window = { isDestroyed: () => false, webContents: { id: 7, send: () => undefined } }
const from = (sender: number, frame: { url: string; parent: unknown } | null): Event =>
  ({ sender: { id: sender }, senderFrame: frame }) as unknown as Event
const page = { url: 'app://headroom/#/devices', parent: null }

describe('who may ask the core', () => {
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
    ['a frame that is gone already', from(7, null), window, false],
    ['when the window is closed', from(7, page), { ...window, isDestroyed: () => true }, false],
    ['when there is no window', from(7, page), null, false],
  ])('%s', (_who, event, shown, may) => {
    expect(isOurPage(event, shown)).toBe(may)
  })
})

test('the policy allows nothing inline but styles that carry this load’s nonce', () => {
  const policy = contentPolicy('abc')
  expect(policy).not.toMatch(/unsafe-|\*|https?:/)
  expect(policy.split('; ')).toContain("default-src 'none'")
  expect(policy.split('; ')).toContain("style-src 'self' 'nonce-abc'")
  expect(policy.split('; ')).toContain("require-trusted-types-for 'script'")
})

test.each([
  [true, false],
  [false, true],
])('the page is sandboxed and isolated; packaged %s: developer tools %s', (packaged, devTools) => {
  expect(pagePreferences('/preload.cjs', packaged)).toEqual({
    ...{
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
    devTools,
  })
})

describe('whatever contents come to be', () => {
  const app = new EventEmitter()
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: () => unknown) => (opened = handler()),
  })
  let opened: unknown
  const permissions: unknown[] = []
  denyTheRest(app as unknown as Parameters<typeof denyTheRest>[0], {
    setPermissionRequestHandler: (handler) =>
      handler?.(null as never, 'media', (granted) => permissions.push(granted), null as never),
    setPermissionCheckHandler: (handler) => permissions.push(handler?.(null, 'media', '', null as never)),
  })
  app.emit('web-contents-created', {}, contents)

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    '%s is denied',
    (event) => {
      let prevented = false
      contents.emit(event, { preventDefault: () => (prevented = true) })
      expect(prevented).toBe(true)
    },
  )
  test('a new window and any permission are denied', () => {
    expect([opened, permissions]).toEqual([{ action: 'deny' }, [false, false]])
  })
})
