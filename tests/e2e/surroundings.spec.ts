import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { isLoopback } from '../../electron/contract/loopback.ts'
import { openWireServer } from '../adapters/wire-server.ts'
import { shellExecutable, shellMode } from '../stand-in/shell.ts'
import { headroom } from './headroom.ts'
import { expectCount, expectLanded, launchArguments, newHome, startProgram, type Home } from './program.ts'

let home: Home
const closing: (() => unknown)[] = []

test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  home.remove()
})

/** A proxy that records the requested hosts, and an environment with all variables that name it. */
async function aProxy() {
  const hosts: string[] = []
  const server = createServer((request, response) => {
    hosts.push(new URL(request.url ?? '', 'http://none').hostname)
    response.writeHead(502).end()
  })
  server.on('connect', (request, socket) => {
    hosts.push(new URL(`http://${request.url ?? ''}`).hostname)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((end) => server.listen(0, '127.0.0.1', end))
  closing.push(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, address])),
    no_proxy: '',
    NO_PROXY: '',
    HEADROOM_DEMONSTRATION: '--devices 120 --rooms 10',
  }
  // The browser under the stand-in contacts hosts of its own.
  return { environment, asked: () => hosts.filter(isLoopback) }
}

test('behind a proxy the first steps of the README work, and the proxy receives nothing', async () => {
  const { environment, asked } = await aProxy()
  const steps: (readonly [number | null, string])[] = []
  for (const words of ['org add Try --preset demonstration', 'sync', 'devices --json']) {
    const { code, output } = await headroom(home, words.split(' '), { environment })
    steps.push([
      code,
      words.endsWith('--json')
        ? `${(JSON.parse(output) as { total: number }).total} devices`
        : (output.split('\n')[0] ?? ''),
    ])
  }
  expect([steps, asked()]).toEqual([
    [
      [0, expect.stringContaining('Try')],
      [0, expect.any(String)],
      [0, '120 devices'],
    ],
    [],
  ])
})

test('behind a proxy the window opens the demonstration, and the proxy receives nothing', async () => {
  const { environment, asked } = await aProxy()
  const { page, close } = await startProgram(home, environment)
  closing.unshift(close)
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectLanded(page)
  await expectCount(page, 'devices', 120)
  expect(asked()).toEqual([])
})

test('a service with an untrusted certificate receives no key, regardless of NODE_TLS_REJECT_UNAUTHORIZED, which is reported', async () => {
  const { url, arrivals, close } = await openWireServer((_, response) => response.end('{"items":[]}'), true)
  closing.push(close)
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
  const custom = [
    'org',
    'add',
    'Nordlys',
    '--preset',
    'custom',
    '--management-url',
    url,
    '--metadata-url',
    url,
  ]
  expect((await headroom(home, custom, { environment })).code).toBe(0)
  const { code, errors } = await headroom(home, ['sync'], { key, environment })
  expect([code, arrivals]).toEqual([3, []])
  expect(errors).toContain(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks. Headroom checks certificates anyway.',
  )
  expect(errors).not.toContain('Warning')
})

test('a data folder whose path is too long is reported, on the command line and in the window', async () => {
  test.skip(process.platform === 'win32', 'Windows has another limit')
  test.skip(shellMode !== 'stand-in', 'a real box waits for a person')
  const environment = { HEADROOM_HOME: join(home.folder, 'x/'.repeat(2_048)) }
  const { code, errors } = await headroom(home, ['org', 'list'], { environment })
  expect([code, errors]).toEqual([3, expect.stringContaining('Choose another one with HEADROOM_HOME.')])
  const started = spawnSync(shellExecutable, launchArguments, {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  expect([started.status, started.stdout + started.stderr]).toEqual([
    3,
    expect.stringContaining(
      'workbook.sqlite cannot be used in its folder: its path is too long for this system (ENAMETOOLONG). Nothing was changed.',
    ),
  ])
})

test('the window reports a data folder that others may write to and a request to skip certificate checks', async () => {
  const folder = join(home.folder, 'home')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  const { page, close } = await startProgram(home, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  closing.unshift(close)
  await page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expect(
    page.getByText(`Other users of this computer can write to the data folder ${folder}.`),
  ).toBeVisible()
  await expect(
    page.getByText(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks. Headroom checks certificates anyway.',
    ),
  ).toBeVisible()
  expect((statSync(join(folder, 'workbook.sqlite')).mode & 0o777).toString(8)).toBe('600')
})
