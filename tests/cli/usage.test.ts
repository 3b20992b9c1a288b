import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCore, type Core } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn } from './run-on.ts'

let home: TemporaryHome
let core: Core
beforeAll(async () => {
  home = new TemporaryHome()
  core = await createCore(fakePlatform(home))
})
afterAll(async () => {
  await core.close()
  await home.remove()
})

const fjord = [
  'org',
  'add',
  'Fjord',
  '--management-url',
  'https://api.example.com',
  '--metadata-url',
  'https://cdn.example.com',
]

test.each<readonly [words: readonly string[], why: RegExp]>([
  [['dance'], /There is no command "dance"/],
  [['org', 'add'], /org add needs NAME/],
  [['org', 'add', 'A', '--preset', 'nowhere'], /there is no preset "nowhere"/],
  [
    [
      'org',
      'add',
      'A',
      '--management-url',
      'http://api.example.com',
      '--metadata-url',
      'https://cdn.example.com',
    ],
    /https/,
  ],
  [
    ['org', 'add', 'A', '--management-url', 'nonsense', '--metadata-url', 'https://cdn.example.com'],
    /management/i,
  ],
  [['org', 'add', 'A', '--metadata-version', 'eighteen'], /--metadata-version is a whole number/],
  [[...fjord, '--template', 'deviceSettings=PATCH /a/{deviceId}'], /The method must be GET/],
  [[...fjord, '--template', 'settings=GET /a/{deviceId}'], /--template/],
  [[...fjord, '--reboot-by', 'name'], /--reboot-by/],
  [[...fjord, '--build-types', ' , '], /at least one build type/],
  [[...fjord, '--platforms', 'x'.repeat(61)], /longer than 60/],
  [['devices', '--colour'], /--colour/],
  [['sync'], /There is no organization yet/],
  [['key', 'set', 'primary'], /only from standard input/],
  [['key', 'set', 'third', '--stdin'], /primary or secondary/],
])('%j is wrong usage: 2 and its explanation, without output', async (words, why) => {
  expect(await runOn(core, words)).toEqual({ code: 2, output: '', errors: expect.stringMatching(why) })
})
