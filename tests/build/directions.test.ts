import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const { forbidden } = createRequire(import.meta.url)('../../build/dependency-cruiser.config.cjs') as {
  forbidden: { name: string; comment: string }[]
}

/** A violation: the rule, the violating file, and its line. */
const violations: readonly (readonly [string, string, string])[] = [
  ['contract-imports-itself', 'electron/contract/api.ts', "import '../core/platform.ts'"],
  [
    'time-zones-in-one-file',
    'electron/core/jobs/start-window.ts',
    "import { parseDate } from '@internationalized/date'\nvoid parseDate",
  ],
  ['time-zone-needs-only-its-library', 'electron/contract/time-zone.ts', "import './json.ts'"],
  [
    'schemas-stay-out-of-the-page',
    'renderer/rooms/guarding-store.ts',
    "import '../../electron/contract/rpc-server.ts'",
  ],
  ['schemas-stay-out-of-the-page', 'electron/preload/preload.ts', "import { z } from 'zod'\nvoid z"],
  [
    'only-main-and-preload-know-electron',
    'electron/core/devices/opens-windows.ts',
    "import { app } from 'electron'\nvoid app",
  ],
  ['core-knows-no-platform', 'electron/core/devices/knows-adapter.ts', "import '../../adapters/clock.ts'"],
  ['adapters-know-core-and-contract', 'electron/adapters/clock.ts', "import '../main/window.ts'"],
  ['main-is-a-platform-of-its-own', 'electron/main/main.ts', "import '../cli/table.ts'"],
  ['cli-is-a-platform-of-its-own', 'electron/cli/run-command.ts', "import '../main/window.ts'"],
  ['cli-is-a-client-of-the-contract', 'electron/cli/terminal.ts', "import '../core/platform.ts'"],
  ['preload-carries-the-contract', 'electron/preload/second.ts', "import '../core/platform.ts'"],
  ['demo-knows-only-the-operations', 'electron/demo/demo-main.ts', "import '../contract/device.ts'"],
  [
    'renderer-knows-only-the-contract',
    'renderer/rooms/knows-core-store.ts',
    "import '../../electron/core/platform.ts'",
  ],
  ['renderer-runs-in-a-page', 'renderer/rooms/reads-files-store.ts', "import 'node:fs'"],
  [
    'stores-hold-the-api',
    'renderer/rooms/RoomsPage.vue',
    '<script setup lang="ts">\nimport { api } from \'../api.ts\'\nvoid api\n</script>\n<template><p /></template>',
  ],
  ['features-meet-at-their-faces', 'electron/core/rooms/rooms.ts', "import '../devices/device-rows.ts'"],
  ['foundations-know-no-feature', 'electron/core/storage/storage.ts', "import '../devices/devices.ts'"],
  [
    'pages-stay-in-their-folder',
    'renderer/devices/DevicesPage.vue',
    '<script setup lang="ts">\nimport \'../rooms/RoomsPage.vue\'\n</script>\n<template><p /></template>',
  ],
  ['components-know-no-domain', 'renderer/components/table.ts', "import '../rooms/rooms-store.ts'"],
  ['settings-serve-the-pages', 'renderer/settings/setting-text.ts', "import '../overview/OverviewPage.vue'"],
  ['settings-serve-the-pages', 'renderer/notes/note-words.ts', "import '../overview/OverviewPage.vue'"],
  ['subjects-serve-devices-and-rooms', 'renderer/subjects/words.ts', "import '../rooms/RoomsPage.vue'"],
  ['lists-serve-every-page', 'renderer/lists/grid-words.ts', "import '../rooms/rooms-store.ts'"],
  ['filter-serves-every-list', 'renderer/filter/vocabularies.ts', "import '../rooms/rooms-store.ts'"],
  ['lists-serve-every-page', 'renderer/lists/list-words.ts', "import '../rooms/rooms-store.ts'"],
  ['nothing-imports-tests', 'electron/core/devices/tested.ts', "import '../../../tests/fake-clock.ts'"],
  ['no-cycles', 'electron/core/changes/change-rows.ts', "import './changes.ts'"],
  ['no-orphans', 'electron/core/devices/alone.ts', 'export const alone = 1'],
  ['packages-are-declared', 'electron/core/devices/unknown.ts', "import 'left-pad'"],
]

/** Files without a violation, some of them targets of one. */
const proper: Readonly<Record<string, string>> = {
  'electron/core/platform.ts': 'export const host = 1',
  'electron/contract/device.ts': 'export const device = 1',
  'electron/contract/rpc-server.ts': 'export const server = 1',
  'electron/contract/operations.ts': 'export const operations = 1',
  'electron/main/window.ts': 'export const window = 1',
  'electron/cli/table.ts': 'export const table = 1',
  'electron/core/devices/devices.ts': "import './device-rows.ts'\nimport '../rooms/rooms.ts'",
  'electron/core/devices/device-rows.ts': 'export const rows = 1',
  'electron/core/changes/changes.ts': "import './change-rows.ts'",
  'electron/demo/answer.ts': "import '../contract/operations.ts'",
  'renderer/api.ts': 'export const api = 1',
  'renderer/rooms/rooms-store.ts':
    "import { api } from '../api.ts'\nimport type { device } from '../../electron/contract/device.ts'\nexport const store: typeof device | typeof api = api",
  'renderer/overview/OverviewPage.vue':
    '<script setup lang="ts">\nimport \'../rooms/rooms-store.ts\'\n</script>\n<template><p /></template>',
  'tests/fake-clock.ts': 'export const clock = 1',
}

interface Answer {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[]
  }
}

let tree = ''
let found: ReadonlySet<string> = new Set()
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'headroom-directions-'))
  const files = { ...proper, ...Object.fromEntries(violations.map(([, file, text]) => [file, text])) }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), `${text}\n`)
  }
  await mkdir(join(tree, 'build'))
  for (const file of ['package.json', 'tsconfig.json', 'build/dependency-cruiser.config.cjs'])
    await cp(join(root, file), join(tree, file))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  const command = [
    join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
    '--config',
    'build/dependency-cruiser.config.cjs',
    '--output-type',
    'json',
    'electron',
    'renderer',
  ]
  // The program exits with the number of violations, which is not a failure here.
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: tree,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error)
  found = new Set(
    (JSON.parse(stdout) as Answer).summary.violations.map(({ from, rule }) => `${rule.name} ${from}`),
  )
})
afterAll(() => rm(tree, { recursive: true, force: true }))

describe('import directions', () => {
  test.each(violations)('explains %s where %s violates it', (rule, file) => {
    expect([...found]).toContain(`${rule} ${file}`)
  })

  test('accepts files that follow the directions', () => {
    expect(
      [...found].filter((violation) =>
        Object.keys(proper).some(
          (file) => violation.endsWith(` ${file}`) && !violation.startsWith('no-cycles'),
        ),
      ),
    ).toEqual([])
  })

  test('has a violation in the test files and an explanation for every rule', () => {
    const planted = new Set(violations.map(([rule]) => rule))
    expect(
      forbidden
        .filter(({ name, comment }) => !planted.has(name) || !/^[A-Za-z].{40,}\.$/s.test(comment))
        .map(({ name }) => name),
    ).toEqual([])
  })
})
