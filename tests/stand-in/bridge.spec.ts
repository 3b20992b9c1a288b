import { expect, test, type ElectronApplication, type Page } from '@playwright/test'
import { aSmallApp, opensItsPage, type SmallApp } from './a-small-app.ts'

const preload = `
const { contextBridge, ipcRenderer } = require('electron')
let nodeRefused = ''
try { require('node:fs') } catch (error) { nodeRefused = error.message }
globalThis.leak = 1
class Kept { constructor() { this.x = 1 } method() { return 2 } }
contextBridge.exposeInMainWorld('bridge', {
  nodeRefused,
  nested: { deep: [1, { two: 2 }] },
  sum: (a, b) => a + b,
  later: async (x) => ({ got: x }),
  throws: () => { throw new RangeError('nope') },
  rejects: () => Promise.reject(new Error('rejected')),
  calls: (f) => f(20) + 1,
  callsLater: async (f) => (await f('q')) + '!',
  kept: new Kept(),
  returnsFunction: () => (n) => n * 2,
  date: new Date(5),
  map: new Map([[1, { a: new Set([1]) }]]),
  bytes: new Uint8Array([1, 2, 3]),
  echo: (value) => ipcRenderer.invoke('echo', value),
  unknown: () => ipcRenderer.invoke('unknown'),
  symbol: () => ipcRenderer.invoke('echo', Symbol('x')),
  failing: () => ipcRenderer.invoke('failing'),
  held: () => ipcRenderer.invoke('held'),
})
try { contextBridge.exposeInMainWorld('bridge', {}) } catch (error) { contextBridge.exposeInMainWorld('again', error.message) }
`
const main = opensItsPage(
  "ipcMain.handle('echo', (_event, value) => value); ipcMain.handle('failing', () => { throw new Error('from main') }); globalThis.held = []; ipcMain.handle('held', () => new Promise((settle) => globalThis.held.push(settle)))",
)

let small: SmallApp
let app: ElectronApplication
let page: Page
test.beforeAll(async () => {
  small = await aSmallApp({ 'main.mjs': main, 'preload.cjs': preload })
  app = await small.start()
  page = await app.firstWindow()
  await page.waitForFunction(() => 'again' in globalThis)
})
test.afterAll(async () => {
  await app.close()
  await small.remove()
})

/** Evaluates in the page, where `bridge` is what the preload exposed. */
const inPage = (expression: string): Promise<unknown> => page.evaluate(expression)

for (const [what, expression, expected] of [
  ['the preload runs in a world of its own', 'typeof globalThis.leak', 'undefined'],
  ['a sandboxed preload has no Node', 'bridge.nodeRefused', 'module not found: node:fs'],
  ['nested values cross', 'bridge.nested.deep[1].two', 2],
  ['what crosses is frozen', 'Object.isFrozen(bridge.nested)', true],
  ['functions answer at once', 'bridge.sum(2, 3)', 5],
  ['promises cross', 'bridge.later({ d: 1 })', { got: { d: 1 } }],
  [
    'errors keep their message',
    '(() => { try { bridge.throws() } catch (e) { return [e instanceof Error, e.message] } })()',
    [true, 'nope'],
  ],
  [
    'rejections keep their message',
    'bridge.rejects().catch((e) => [e instanceof Error, e.message])',
    [true, 'rejected'],
  ],
  ['callbacks are called', 'bridge.calls((n) => n + 1)', 22],
  ['asynchronous callbacks are awaited', "bridge.callsLater(async (s) => s + '?')", 'q?!'],
  ['methods of a class stay behind', '[bridge.kept.x, typeof bridge.kept.method]', [1, 'undefined']],
  ['functions may return functions', 'bridge.returnsFunction()(21)', 42],
  [
    'dates, maps and bytes keep their kind',
    '[bridge.date instanceof Date, bridge.map.get(1).a.has(1), bridge.bytes instanceof Uint8Array]',
    [true, true, true],
  ],
  [
    'a name is exposed once',
    'again',
    'Cannot bind an API on top of an existing property on the window object',
  ],
  [
    'an unknown channel rejects',
    'bridge.unknown().catch((e) => e.message)',
    "Error invoking remote method 'unknown': Error: No handler registered for 'unknown'",
  ],
  [
    'an error of a handler arrives as text',
    'bridge.failing().catch((e) => e.message)',
    "Error invoking remote method 'failing': Error: from main",
  ],
  [
    'values that cannot be cloned are refused',
    'bridge.symbol().catch((e) => e.message)',
    'An object could not be cloned.',
  ],
  ['five million characters cross', "bridge.echo('x'.repeat(5e6)).then((s) => s.length)", 5_000_000],
  [
    'the structured clone keeps every kind of value',
    `bridge.echo({ u: undefined, n: NaN, z: -0, big: 10n, d: new Date(7), m: new Map([['k', [1]]]), s: new Set(['x']), b: new Uint8Array([9]), r: /x/gi, e: new TypeError('te'), a: new ArrayBuffer(2), nul: null, gap: [1, , 3], text: '\\u2028"\\\\' })
      .then((v) => ['u' in v, Number.isNaN(v.n), Object.is(v.z, -0), v.big === 10n, +v.d, v.m.get('k')[0], v.s.has('x'), v.b[0], String(v.r), v.e.message, v.a.byteLength, v.nul, v.gap.length, 1 in v.gap, v.text])`,
    [true, true, true, true, 7, 1, true, 9, '/x/gi', 'te', 2, null, 3, false, '\u2028"\\'],
  ],
] as const) {
  test(what, async () => {
    expect(await inPage(expression)).toEqual(expected)
  })
}

test('a reply to an earlier document does not answer a call of the next one', async () => {
  const heldCalls = (): Promise<number> =>
    app.evaluate(() => (globalThis as unknown as { held: readonly unknown[] }).held.length)
  const again = async (): Promise<void> => {
    const loaded = page.waitForEvent('load')
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.reload())
    await loaded
    await page.waitForFunction(() => 'again' in globalThis)
  }
  await again()
  await inPage('void bridge.held()')
  await expect.poll(heldCalls).toBe(1)
  await again()
  await inPage('void (globalThis.answer = bridge.held())')
  await expect.poll(heldCalls).toBe(2)
  await app.evaluate(() => {
    const { held } = globalThis as unknown as { held: readonly ((reply: string) => void)[] }
    held[0]!('earlier')
    held[1]!('next')
  })
  expect(await inPage('globalThis.answer')).toBe('next')
})
