import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from '../../build/system-packages.mjs'

const query = findProgram('rpm') ?? ''
const isHere = query !== '' && findProgram('rpmbuild') !== undefined

test.runIf(isHere)('an rpm takes its own folders away when it is removed, and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-rpm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'packed/resources/cli'), { recursive: true })
  for (const file of ['packed/headroom', 'packed/resources/cli/LICENSE', 'script', 'headroom.desktop'])
    writeFileSync(join(folder, file), '')
  const described = {
    name: 'headroom',
    version: '1.0.0',
    'rpm-summary': 'x',
    license: 'MIT',
    url: 'https://x',
  }
  const scripts = { 'after-install': join(folder, 'script'), 'after-remove': join(folder, 'script') }
  const options = { ...described, ...scripts, description: 'x', architecture: 'x86_64', t: 'rpm' }
  const rpm = join(folder, 'package.rpm')
  const words = Object.entries({ ...options, package: rpm }).flatMap(([name, value]) => [`--${name}`, value])
  const files = ['packed/=/opt/Headroom', 'headroom.desktop=/usr/share/applications/headroom.desktop']
  execFileSync(
    process.execPath,
    [resolve(import.meta.dirname, '../../build/linux-package.mjs'), ...words, ...files],
    {
      cwd: folder,
      env: { ...process.env, HEADROOM_PACKED_QUICKLY: '1' },
    },
  )
  const listed = execFileSync(
    query,
    ['--query', '--package', rpm, '--queryformat', '[%{FILEMODES:perms} %{FILENAMES}\n]'],
    {
      encoding: 'utf8',
    },
  )
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => `${line[0]!} ${line.split(' ').at(-1)!}`),
  ).toEqual([
    'd /opt/Headroom',
    '- /opt/Headroom/headroom',
    'd /opt/Headroom/resources',
    'd /opt/Headroom/resources/cli',
    '- /opt/Headroom/resources/cli/LICENSE',
    '- /usr/share/applications/headroom.desktop',
  ])
})
