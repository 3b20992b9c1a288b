import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { downloadElectron, silenceInMs } from '../../build/electron-download.mjs'

/** A mirror of Electron's releases: each tenth of ten MiB is sent when the test says so. */
async function mirror(): Promise<{ readonly sendTenth: () => void; readonly asked: Promise<unknown> }> {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response.writeHead(200, { 'content-length': 10 * 2 ** 20 }))
    response.flushHeaders()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cache = mkdtempSync(join(tmpdir(), 'headroom-electron-'))
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  vi.stubEnv('electron_config_cache', cache)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
    rmSync(cache, { recursive: true, force: true })
  })
  return { sendTenth: () => responses[0]!.write(Buffer.alloc(2 ** 20)), asked: once(server, 'request') }
}

/** What is said, and a promise of the next line. */
function listener(): { readonly said: string[]; say(line: string): void; next(): Promise<void> } {
  const said: string[] = []
  let heard = (): void => undefined
  return {
    said,
    say(line) {
      said.push(line)
      heard()
    },
    next: () => new Promise((settle) => (heard = settle)),
  }
}

test('a slow download goes on, tells each tenth, and is given up when nothing more arrives', async () => {
  const { sendTenth, asked } = await mirror()
  const { said, say, next } = listener()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended = downloadElectron(say).catch((error: Error) => error)
  await asked
  for (let tenth = 1; tenth <= 3; tenth++) {
    const told = next()
    sendTenth()
    await told
    vi.advanceTimersByTime(silenceInMs - 1)
  }
  vi.advanceTimersByTime(1)
  expect([said, await ended]).toEqual([
    ['10 % of 10 MiB', '20 % of 10 MiB', '30 % of 10 MiB'],
    new Error('the server sends nothing more'),
  ])
})

test('a file that is not the published one is refused', async () => {
  const { sendTenth, asked } = await mirror()
  const ended = downloadElectron(() => undefined).catch((error: Error) => error.message)
  await asked
  for (let tenth = 1; tenth <= 10; tenth++) sendTenth()
  expect(await ended).toMatch(/checksum/i)
})
