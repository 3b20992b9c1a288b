import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCore, type Core } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { commands, helpGroups, loneCommands } from '../../electron/cli/run-command.ts'
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
  [['reboot', ' '], /reboot: an argument is empty/],
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
  [['devices', '--colour'], /--colour/],
  [['sync'], /There is no organization yet/],
  [['--organization', 'devices', 'rooms', 'x'], /rooms does not take "x"/],
  [['devcies'], /There is no command "devcies"\. Did you mean devices\?/],
  [['firmware', 'lnk'], /There is no command "firmware lnk"\. Did you mean firmware link\?/],
  [['devices', '--wher', 'x'], /Unknown option '--wher'\. Did you mean --where\?/],
  [['devices', 'fw:behind'], /does not take "fw:behind"\. Did you mean --where 'fw:behind'\?/],
  [['changes', '--since', 'noon'], /--since: "noon" is no time\. Type looked, 7d, yesterday, monday or/],
  [['changes', '--since', '9999w'], /--since: "9999w" is no time/],
  [['notes', 'Evolve2 65', '--since', 'newest'], /notes: --since is a version, not "newest"/],
  [['call', 'GetTelemetry', 'apiVersion=18', 'apiVersion=17'], /call: apiVersion can be given only once/],
  [['help', 'devcies'], /Did you mean devices\?/],
  [['operations', '-o', 'csv'], /operations: Unknown option '--csv'/],
  [['devices', '-o', 'table'], /devices: -o takes wide, csv, json or jsonl\./],
  [['devices', '-o'], /devices: -o takes wide, csv, json or jsonl\./],
  [
    ['reboot', '--where', 'location:Oslo', '--where', 'health:down', '--yes', '--unlock'],
    /^reboot: --where can be given only once\.\n/,
  ],
  [['devices', '--sort', 'name', '--sort=-status'], /devices: --sort can be given only once\./],
  [
    ['settings', 'set', '--where', 'fw:behind', 'a=b', '--where', 'tag:hall', '--dry-run'],
    /settings set: --where can be given only once\./,
  ],
  [['key'], /headroom key …[^]*key rotate/],
  [['key', 'set', 'third', '--stdin'], /primary or secondary/],
])('%j is wrong usage: 2 and its explanation, without output', async (words, why) => {
  expect(await runOn(core, words)).toEqual({ code: 2, output: '', errors: expect.stringMatching(why) })
})

test('the general help has every first word of a command once, in lines of at most 80 characters', async () => {
  const { output, ...rest } = await runOn(core, ['help'])
  const words = [...commands, ...loneCommands].map(({ name }) => name.split(' ')[0])
  expect({
    ...rest,
    words: helpGroups.flatMap((group) => group.words).toSorted(),
    long: output.split('\n').filter((line) => line.length > 80),
    examples: output.split('\n').filter((line) => line.startsWith('  headroom ')).length,
  }).toEqual({
    code: 0,
    errors: '',
    words: [...new Set([...words, 'demo'])].toSorted(),
    long: [],
    examples: 3,
  })
})

test.each([
  [['help', 'reboot'], /^headroom reboot \[ROOM\]…\n[^]*--canary/],
  [['help', 'firmware', 'link'], /^headroom firmware link PRODUCT VERSION\n/],
  [['help', 'jobs'], /^headroom jobs\n[^]*\nheadroom jobs …\n[^]*jobs resume ID/],
  [['kit', '--help'], /^headroom kit …\n[^]*kit verify FOLDER/],
  [['help', 'demo'], /^headroom demo/],
  [['demo', '--help'], /^headroom demo/],
])('%j is help: 0 and standard output', async (words, output) => {
  expect(await runOn(core, words)).toEqual({ code: 0, output: expect.stringMatching(output), errors: '' })
})

test.each<readonly [advanced: unknown, why: RegExp]>([
  [{ templates: { deviceSettings: 'PATCH /a/{deviceId}' } }, /The method must be GET/],
  [{ templates: { settings: 'GET /a/{deviceId}' } }, /"templates.settings" of - is no member/],
  [{ template: {} }, /"template" of - is no member/],
  [{ vendorId: '2830' }, /"vendorId" of - is no member of a profile, or of another type/],
  [{ name: 'Other' }, /"name" of - is no member/],
  [{ assumed: { buildTypes: [' '] } }, /at least one build type/],
  [[], /not a JSON object/],
])('org add with %j as advanced values is wrong usage', async (advanced, why) => {
  const input = JSON.stringify(advanced)
  expect(await runOn(core, [...fjord, '--advanced', '-'], { input })).toEqual({
    code: 2,
    output: '',
    errors: expect.stringMatching(why),
  })
})

test.each([
  [
    ['operations', '-o', 'json'],
    ['operations', '--json'],
  ],
  [
    ['operations', '-o', 'wide'],
    ['operations', '--wide'],
  ],
])('%j is %j', async (short, long) => {
  const [one, other] = [await runOn(core, short), await runOn(core, long)]
  expect([one.code, one.output]).toEqual([0, other.output])
})

test('-o wide cuts and colours nothing, on a screen too', async () => {
  const screen = { screen: true, columns: 60, coloured: true }
  const [piped, wide, fitted] = [
    await runOn(core, ['operations']),
    await runOn(core, ['operations', '-o', 'wide'], screen),
    await runOn(core, ['operations'], screen),
  ]
  expect([wide.output, fitted.output.includes('…')]).toEqual([piped.output, true])
})
