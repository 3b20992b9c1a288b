import { expect, test } from '@playwright/test'
import { askCore } from './core-behind.ts'
import { newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home)
  await expect(program.page.getByRole('button', { name: 'Open the demonstration' })).toBeVisible()
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

test('the page can reach nothing but the contract: no node, no network, no other page, no inline script, no elements made of text', async () => {
  const { app, page } = program
  // Main would answer: what refuses it is the preload.
  await app.evaluate(({ ipcMain }) => ipcMain.handle('app.quit', () => 'answered'))
  const reached = await page.evaluate(async () => {
    const world = globalThis as unknown as Record<string, unknown> & {
      eval(source: string): unknown
      headroom: Record<string, unknown> & {
        ask(channel: string, argument: unknown): Promise<unknown>
        listen(channel: string, listener: () => void): () => void
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
    const heard = (channel: string): string => {
      try {
        world.headroom.listen(channel, () => undefined)
        return 'heard'
      } catch {
        return 'refused'
      }
    }
    return {
      require: typeof world['require'],
      process: typeof world['process'],
      contract: Object.keys(world.headroom).sort(),
      otherChannel: await world.headroom.ask('app.quit', {}).then(
        () => 'answered',
        () => 'refused',
      ),
      otherAnnouncements: [heard('app.quit'), heard('devices.get'), heard('devices.changed')],
      inlineScript: world['inline'] ?? 'blocked',
      textAsElements: [made('<b>x</b>'), made('x'), made('')],
      // In a frame of the page's own: what a debugger evaluates is exempt from the policy.
      evaluated: await new Promise((settle) => {
        requestAnimationFrame(() => {
          try {
            settle(world.eval('1'))
          } catch {
            settle('blocked')
          }
        })
      }),
      network: await fetch('https://example.com/').then(
        () => 'reached',
        () => 'blocked',
      ),
      opened: window.open('https://example.com/') === null ? 'denied' : 'opened',
    }
  })
  expect(reached).toEqual({
    require: 'undefined',
    process: 'undefined',
    contract: ['ask', 'listen'],
    otherChannel: 'refused',
    otherAnnouncements: ['refused', 'refused', 'heard'],
    inlineScript: 'blocked',
    textAsElements: ['blocked', 'blocked', '0 nodes'],
    evaluated: 'blocked',
    network: 'blocked',
    opened: 'denied',
  })
})

test('a page that tries to leave stays, and bad arguments are refused with what is wrong', async () => {
  const { page } = program
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  const refusal = await askCore(page, 'devices.get', { id: 7 })
  expect(refusal).toMatchObject({ ok: false, failure: { kind: 'invalid', field: 'id' } })
  expect(page.url()).toBe(before)
})
