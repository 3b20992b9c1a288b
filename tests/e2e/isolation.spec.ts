import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { callCore } from './core-behind.ts'
import { newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeAll(async () => {
  home = newHome()
  program = await startProgram(home)
  await expect(program.page.getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
})
test.afterAll(async () => {
  await program.close()
  home.remove()
})

test('the page can access only the contract: no node, no network, no other page, no inline script, no elements made of text', async () => {
  const { app, page } = program
  // The main process would respond on channels of these names, but the preload exposes only that of the
  // contract.
  await app.evaluate(({ ipcMain }) => ipcMain.handle('app.quit', () => 'answered'))
  const reached = await page.evaluate(async () => {
    const world = globalThis as unknown as Record<string, unknown> & {
      eval(source: string): unknown
      headroom: Record<string, unknown> & {
        call(method: string, argument: unknown): Promise<unknown>
        subscribe(event: string, listener: () => void): () => void
      }
    }
    const script = document.createElement('script')
    script.append('globalThis.inline = true')
    document.head.append(script)
    const made = (text: string): string => {
      const box = document.createElement('div')
      try {
        box.innerHTML = text
        return `${box.childNodes.length} nodes`
      } catch {
        return 'blocked'
      }
    }
    const heard: string[] = ((globalThis as unknown as { heard: string[] }).heard = [])
    for (const event of ['app.quit', 'call', 'event', 'devices.changed'])
      world.headroom.subscribe(event, () => heard.push(event))
    return {
      require: typeof world['require'],
      process: typeof world['process'],
      contract: Object.keys(world.headroom).sort(),
      otherChannel: await world.headroom.call('app.quit', {}),
      inlineScript: world['inline'] ?? 'blocked',
      textAsElements: [made('<b>x</b>'), made('x'), made('')],
      // In a frame of the page itself, because code that a debugger evaluates is exempt from the policy.
      evaluated: await new Promise((settle) => {
        requestAnimationFrame(() => {
          try {
            settle(world.eval('1'))
          } catch {
            settle('blocked')
          }
        })
      }),
      // A request also fails where there is no network: only the event shows the policy.
      network: await new Promise((settle) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (blockedURI.startsWith('https://example.com')) settle(`blocked by ${effectiveDirective}`)
        })
        fetch('https://example.com/').then(
          () => settle('reached'),
          // The event is due before the next picture.
          () => requestAnimationFrame(() => requestAnimationFrame(() => settle('failed'))),
        )
      }),
      opened: window.open('https://example.com/') === null ? 'denied' : 'opened',
    }
  })
  expect(reached).toEqual({
    require: 'undefined',
    process: 'undefined',
    contract: ['call', 'subscribe'],
    otherChannel: {
      ok: false,
      failure: { kind: 'invalid', field: 'method', message: 'There is no such method.' },
    },
    inlineScript: 'blocked',
    textAsElements: ['blocked', 'blocked', '0 nodes'],
    evaluated: 'blocked',
    network: 'blocked by connect-src',
    opened: 'denied',
  })
  const heard = (): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
  await app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!
    for (const channel of ['app.quit', 'call']) webContents.send(channel, 'told')
    webContents.send('event', 'devices.changed', { count: 0 })
  })
  await expect.poll(heard).toEqual(['devices.changed'])
})

test('neither the page nor its bridge loads the schema library, which belongs to the server', () => {
  const built = join(import.meta.dirname, '../../out')
  const holding = (part: string): string[] =>
    readdirSync(join(built, part), { recursive: true })
      .map((path) => join(part, String(path)))
      .filter(
        (path) => /\.c?js$/.test(path) && /ZodError|\bzod\b/.test(readFileSync(join(built, path), 'utf8')),
      )
  expect([holding('renderer'), holding('preload'), holding('main').length > 0]).toEqual([[], [], true])
})

test('a page that tries to navigate away stays, and invalid arguments are rejected with the problem', async () => {
  const { page } = program
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  const refusal = await callCore(page, 'devices.get', { id: 7 })
  expect(refusal).toMatchObject({ ok: false, failure: { kind: 'invalid', field: 'id' } })
  expect(page.url()).toBe(before)
})
