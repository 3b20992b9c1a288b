import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openNodePlatform } from '../../electron/adapters/node-platform.ts'
import type { Platform } from '../../electron/core/platform.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'

let folder: string
let rest: FakePlatform

beforeEach(() => {
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  folder = home.folder
  rest = fakePlatform(home)
})

function opened(
  environment: NodeJS.ProcessEnv,
  refusedSwitches: readonly string[] = [],
  weakeningSwitches: readonly string[] = [],
): Platform {
  const { transport, demonstration, desktop, about, keyFromEnvironment, dataFolder } = rest
  const own = {
    home: folder,
    environment,
    refusedSwitches,
    weakeningSwitches,
    workerUrl: new URL('file:///none'),
  }
  return openNodePlatform({
    ...own,
    transport,
    demonstration,
    desktop,
    about,
    keyFromEnvironment,
    dataFolder,
  })
}

test('ignores a request to skip certificate checks, reports it, and removes it from child processes', () => {
  const environment: NodeJS.ProcessEnv = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const { unsafeSetup } = opened(environment, ['--ignore-certificate-errors'])
  expect([unsafeSetup, environment]).toEqual([
    [
      { kind: 'unsafe-setup', what: 'certificates', detail: '--ignore-certificate-errors' },
      { kind: 'unsafe-setup', what: 'certificates', detail: 'NODE_TLS_REJECT_UNAUTHORIZED=0' },
    ],
    {},
  ])
})

test('reports switches that weaken the window', () => {
  expect(opened({}, [], ['--no-sandbox']).unsafeSetup).toEqual([
    { kind: 'unsafe-setup', what: 'switch', detail: '--no-sandbox' },
  ])
})

test.each([{}, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }, { NODE_TLS_REJECT_UNAUTHORIZED: '' }])(
  'reports nothing about %o',
  (environment) => {
    expect(opened({ ...environment }).unsafeSetup).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')(
  'reports a chosen data folder that others may write to, and tightens the default one',
  () => {
    chmodSync(folder, 0o777)
    const failure = { kind: 'unsafe-setup', what: 'data-folder', detail: folder }
    expect([
      opened({ HEADROOM_HOME: folder }).unsafeSetup,
      opened({}).unsafeSetup,
      opened({ HEADROOM_HOME: folder }).unsafeSetup,
    ]).toEqual([[failure], [], []])
  },
)

test('names system and processor separately, so that a Mac is recognized', () => {
  expect(opened({}).about).toEqual({
    version: '0.0.0',
    platform: process.platform,
    architecture: process.arch,
    home: folder,
    logs: join(folder, 'logs'),
    shell: 'none',
  })
})
