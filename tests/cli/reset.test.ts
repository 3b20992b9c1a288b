import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCore } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { Programs } from './programs.ts'

async function aFolder(): Promise<Programs> {
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  await (await createCore(fakePlatform(home))).close()
  return new Programs(home.folder, {})
}
const filesIn = (programs: Programs): readonly string[] =>
  existsSync(programs.home)
    ? readdirSync(programs.home).filter((name) => /^(?:store|workbook)/.test(name))
    : []

test.each<[readonly string[], string, string]>([
  [
    ['reset'],
    'remove everything',
    'reset removes keys and data: add --everything.\nheadroom help lists the commands.\n',
  ],
  [['reset', '--everything'], '', 'Nothing was removed: the words were not "remove everything".\n'],
  [['reset', '--everything'], 'yes\n', 'Nothing was removed: the words were not "remove everything".\n'],
  [
    ['reset', '--everything'],
    'no\nremove everything\n',
    'Nothing was removed: the words were not "remove everything".\n',
  ],
])('%j with %j removes nothing and ends with 2', async (words, input, errors) => {
  const programs = await aFolder()
  const before = filesIn(programs)
  expect([await programs.run(words, { input }), filesIn(programs)]).toEqual([
    { code: 2, output: '', errors },
    before,
  ])
})

test('reset while a policy locks removes nothing and ends with 3', async () => {
  const programs = await aFolder()
  const before = filesIn(programs)
  const said = await programs.run(['reset', '--everything', '--json'], {
    input: 'remove everything\n',
    policy: { unheardOf: true },
  })
  expect([said.code, said.output, JSON.parse(said.errors), filesIn(programs)]).toEqual([
    3,
    '',
    expect.objectContaining({ kind: 'policy', rule: 'locked' }),
    before,
  ])
})

test('reset while another program owns the folder removes nothing and ends with 3', async () => {
  const programs = await aFolder()
  const app = programs.app()
  await app.tells('owns')
  const said = await programs.run(['reset', '--everything'], { input: 'remove everything\n' })
  expect([said.code, said.output, said.errors, filesIn(programs).includes('workbook.sqlite')]).toEqual([
    3,
    '',
    expect.stringMatching(
      /^The data folder is in use by .*\. Nothing was removed\. End it, then try again\.\n$/,
    ),
    true,
  ])
})

test('reset of a workbook that cannot be read removes nothing, also not the lock, and ends with 3', async () => {
  const programs = await aFolder()
  await programs.run(['org', 'list'])
  const before = readdirSync(programs.home).sort()
  writeFileSync(join(programs.home, 'workbook.sqlite'), 'not a database '.repeat(500))
  const said = await programs.run(['reset', '--everything', '--json'], { input: 'remove everything\n' })
  expect([said.code, said.output, JSON.parse(said.errors), readdirSync(programs.home).sort()]).toEqual([
    3,
    '',
    expect.objectContaining({ kind: 'cache-unusable', file: 'workbook.sqlite' }),
    before,
  ])
})

test('reset with its words removes everything, and the folder', async () => {
  const programs = await aFolder()
  const said = await programs.run(['reset', '--everything', '--json'], { input: 'remove everything\n' })
  expect([said.code, JSON.parse(said.output), existsSync(programs.home)]).toEqual([
    0,
    { folder: programs.home, keys: 0, files: expect.any(Number), left: [] },
    false,
  ])
})
