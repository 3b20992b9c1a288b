import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createCore, type Core } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { FakePolicy } from '../fake-policy.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn } from './run-on.ts'

let home: TemporaryHome
let core: Core
beforeEach(async () => {
  home = new TemporaryHome()
  const policySource = new FakePolicy({
    mostItems: 20,
    organizations: [
      {
        name: 'Nordlys',
        managementUrl: 'https://api.example.com:8443',
        metadataUrl: 'https://cdn.example.com',
      },
    ],
  })
  core = await createCore(fakePlatform(home, { policySource }))
  onTestFinished(async () => {
    await core.close()
    await home.remove()
  })
  const line = {
    at: '2026-11-21T14:02:00.000Z',
    level: 'error',
    message: 'bug',
    reference: 'B-17',
    where: 'rooms.slice',
    error: 'TypeError: Anna Berg, serial 12345',
    stack: `TypeError: Anna Berg\n    at read (${homedir()}/headroom/rooms.ts:7:1)`,
  }
  mkdirSync(join(home.folder, 'logs'))
  writeFileSync(join(home.folder, 'logs', 'headroom.log'), `${JSON.stringify(line)}\nhalf a li`)
})

test('support shows policy, organizations by number, connections, sizes and the log without its details', async () => {
  const { code, output } = await runOn(core, ['support'])
  const lines = output.split('\n')
  const after = (title: string, count: number): readonly string[] => {
    const at = lines.indexOf(title) + 1
    return lines.slice(at, at + count)
  }
  expect([
    code,
    lines.slice(3, 5),
    after('Organizations:', 1),
    after('Connections:', 2),
    lines.slice(-4),
  ]).toEqual([
    0,
    ['Policy: applied, /etc/headroom/policy.json', '  mostItems: 20'],
    ['  organization 1: custom, versions 2 and 18'],
    ['  api.example.com:8443 management, organization 1', '  cdn.example.com:443 metadata, organization 1'],
    [
      'The last 2 lines of the log:',
      '  2026-11-21T14:02:00.000Z error bug B-17 rooms.slice at read (~/headroom/rooms.ts:7:1)',
      '  (a line that cannot be read)',
      '',
    ],
  ])
  expect(output).not.toMatch(/Nordlys|Anna|12345/)
})

test('support --with-people adds names and all details of the log', async () => {
  const { output } = await runOn(core, ['support', '--with-people'])
  expect([output.includes('organization 1 (Nordlys): custom'), output.includes('serial 12345')]).toEqual([
    true,
    true,
  ])
})

test('support --to writes a new file for the user alone', async () => {
  const file = join(home.folder, 'support.txt')
  const said = await runOn(core, ['support', '--to', file])
  expect([said, statSync(file).mode & 0o777, readFileSync(file, 'utf8').split('\n')[5]]).toEqual([
    { code: 0, output: `Written to ${file}.\n`, errors: '' },
    0o600,
    'Organizations:',
  ])
})

test.each<[string, (file: string) => void, string]>([
  ['exists', (file) => writeFileSync(file, 'mine'), 'something else is there already'],
  [
    'is a link',
    (file) => {
      writeFileSync(`${file}.target`, 'mine')
      symlinkSync(`${file}.target`, file)
    },
    'something else is there already',
  ],
])('support --to a file that %s ends with 3, and changes nothing', async (_, prepare, why) => {
  const file = join(home.folder, 'support.txt')
  prepare(file)
  const said = await runOn(core, ['support', '--to', file])
  expect([said, readFileSync(file, 'utf8')]).toEqual([
    {
      code: 3,
      output: '',
      errors: `Cannot use ${file}: ${why}. Choose another folder, or correct this one and try again.\n`,
    },
    'mine',
  ])
})

test('support --to a folder that does not exist ends with 3', async () => {
  const file = join(home.folder, 'none', 'support.txt')
  expect(await runOn(core, ['support', '--to', file])).toEqual({
    code: 3,
    output: '',
    errors: `Cannot use ${file}: it does not exist. Choose another folder, or correct this one and try again.\n`,
  })
})
