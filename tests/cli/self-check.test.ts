import { expect, onTestFinished, test } from 'vitest'
import { newerVersionSource } from '../../electron/adapters/newer-version-source.ts'
import { createCore } from '../../electron/core/app.ts'
import type { WireFault, WireResponse } from '../../electron/core/platform.ts'
import { fakePlatform } from '../fake-platform.ts'
import { FakePolicy } from '../fake-policy.ts'
import { answer, FakeTransport } from '../fake-transport.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn } from './run-on.ts'

const url = 'https://updates.example.com/newest.json'
const document = {
  version: '1.2.0',
  date: '2026-11-20',
  notes: 'Faster\u001b[2J lists.\r\nMore.',
  page: 'https://updates.example.com/headroom',
}

async function checked(
  outcome: WireResponse | WireFault,
  address: string | null = url,
  policy: object | null = null,
  program: string | null = null,
) {
  const home = new TemporaryHome()
  const transport = new FakeTransport(() => outcome)
  const newerVersion = newerVersionSource({ address, program, platform: 'linux' })
  const policySource = new FakePolicy(policy)
  const core = await createCore(fakePlatform(home, { transport, newerVersion, policySource }))
  onTestFinished(async () => {
    await core.close()
    await home.remove()
  })
  return {
    json: await runOn(core, ['self', 'check', '--json']),
    people: await runOn(core, ['self', 'check']),
    connections: await runOn(core, ['connections', '--json']),
    asked: transport.attempts.length,
  }
}

test('self check tells a newer version, its page and its notes as text', async () => {
  const { json, people, connections } = await checked(answer(200, document))
  expect([json.code, JSON.parse(json.output), people, JSON.parse(connections.output)]).toEqual([
    0,
    {
      version: '0.0.0',
      newer: { version: '1.2.0', date: '2026-11-20', page: 'https://updates.example.com/headroom' },
      problem: null,
    },
    {
      code: 0,
      output:
        'Headroom 1.2.0 of 2026-11-20 is newer than this one (0.0.0): https://updates.example.com/headroom\nFaster\\u001b[2J lists.\nMore.\n',
      errors: '',
    },
    {
      hosts: [{ host: 'updates.example.com', port: 443, why: 'newer-version', organizationId: null }],
    },
  ])
})

const { page: _page, ...withoutPage } = document
test.each<[string, WireResponse | WireFault, string | null, string | null]>([
  ['an equal version', answer(200, { ...document, version: '0.0.0' }), url, null],
  ['no address', answer(200, document), null, 'This build has no address to check for newer versions.'],
  [
    'a document without a page',
    answer(200, withoutPage),
    url,
    'Could not check updates.example.com for newer versions: the page in its document is not an https address on that host.',
  ],
  [
    'no network',
    { kind: 'fault', sent: 'no', reason: 'offline', message: 'updates.example.com cannot be found' },
    url,
    'Could not check updates.example.com for newer versions: updates.example.com cannot be found.',
  ],
])('self check with %s tells none, with 0', async (_, outcome, source, problem) => {
  const { json, people } = await checked(outcome, source)
  expect([json.code, JSON.parse(json.output), people]).toEqual([
    0,
    { version: '0.0.0', newer: null, problem },
    {
      code: 0,
      output: `${problem ?? 'Headroom 0.0.0 is not older than the published version.'}\n`,
      errors: '',
    },
  ])
})

test.each<[string, object, string | null, string | null]>([
  [
    'switches the question off',
    { newerVersions: false },
    null,
    'Your organization has turned off checks for newer versions.',
  ],
  [
    'does not allow the host',
    { allowedHosts: ['api.example.com'] },
    null,
    'updates.example.com is not checked for newer versions: your organization does not allow this host.',
  ],
  [
    'says nothing, and the program is of all users,',
    {},
    '/opt/Headroom/headroom',
    'This installation is updated by the administrator of the computer and does not check for newer versions.',
  ],
])('self check asks nobody where the policy %s', async (_, policy, program, problem) => {
  const { json, asked, connections } = await checked(answer(200, document), url, policy, program)
  expect([json.code, JSON.parse(json.output), asked, JSON.parse(connections.output)]).toEqual([
    0,
    { version: '0.0.0', newer: null, problem },
    0,
    { hosts: [] },
  ])
})

test('self check asks for a program of all users where the policy wants it', async () => {
  const { json } = await checked(
    answer(200, document),
    url,
    { newerVersions: true },
    '/opt/Headroom/headroom',
  )
  expect(JSON.parse(json.output)).toMatchObject({ newer: { version: '1.2.0' } })
})
