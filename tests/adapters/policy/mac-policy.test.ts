import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { macPolicy, managedPreferences } from '../../../electron/adapters/policy/mac-policy.ts'
import type { Ran } from '../../../electron/adapters/policy/system-program.ts'

function aPlace(): typeof managedPreferences {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'headroom-managed-')))
  onTestFinished(() => rmSync(top, { recursive: true }))
  const file = join(top, 'io.headroom.console.plist')
  writeFileSync(file, 'a property list', { mode: 0o644 })
  return { file, owner: process.getuid!(), top }
}

test('the place is that of device management', () => {
  expect(managedPreferences).toEqual({
    file: '/Library/Managed Preferences/io.headroom.console.plist',
    owner: 0,
    top: '/',
  })
})

test.skipIf(process.platform === 'win32')(
  'the system converts the judged bytes, and what describes the profile is left out',
  async () => {
    const place = aPlace()
    const asked: unknown[] = []
    const policy = macPolicy(async (...words): Promise<Ran> => {
      asked.push(words)
      return { code: 0, output: Buffer.from('{"policy":1,"PayloadUUID":"x","lookOnly":true}') }
    }, place)
    expect([await policy.read(), asked]).toEqual([
      {
        kind: 'found',
        file: place.file,
        bytes: Buffer.from('{\n  "policy": 1,\n  "lookOnly": true\n}'),
      },
      [['/usr/bin/plutil', ['-convert', 'json', '-o', '-', '-'], Buffer.from('a property list')]],
    ])
  },
)

test.skipIf(process.platform === 'win32').each<[string, Ran | null]>([
  ['refuses it', { code: 1, output: Buffer.of() }],
  ['cannot be started', null],
])('a property list cannot be trusted if plutil %s', async (_, ran) => {
  const place = aPlace()
  expect(await macPolicy(async () => ran, place).read()).toEqual({
    kind: 'refused',
    file: place.file,
    problem: `${place.file} cannot be trusted: it is no property list that plutil can convert.`,
  })
})
