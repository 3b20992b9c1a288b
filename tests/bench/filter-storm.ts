import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { build } from './load/built.ts'

const root = resolve(import.meta.dirname, '../..')

/** The end-to-end test of filters during a first sync, at 100,000 devices (HEADROOM_STORM_DEVICES) instead of 10,000. */
export async function run(): Promise<object> {
  const devices = process.env['HEADROOM_STORM_DEVICES'] ?? '100000'
  build()
  const startedAt = performance.now()
  const playwright = resolve(root, 'node_modules/@playwright/test/cli.js')
  const words = ['test', '--project=e2e', '--output=test-results/bench', '--reporter=line', 'filter-storm']
  const { status } = spawnSync(process.execPath, [playwright, ...words], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, HEADROOM_STORM_DEVICES: devices },
  })
  return {
    devices: Number(devices),
    passed: status === 0,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  }
}
