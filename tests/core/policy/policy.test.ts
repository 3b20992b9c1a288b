import { describe, expect, it, onTestFinished } from 'vitest'
import type { PolicyRule } from '../../../electron/contract/failure.ts'
import { openPolicy, readPolicy, type Policy } from '../../../electron/core/policy/policy.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { FakePolicy } from '../../fake-policy.ts'

const { file } = FakePolicy
const minute = 60_000

async function opened(document: object | string | null) {
  const policySource = new FakePolicy(document)
  const clock = new FakeClock()
  const lines: string[] = []
  const policy = await openPolicy({
    policySource,
    clock,
    log: {
      write: (level, message, details) => void lines.push(`${level} ${message} ${JSON.stringify(details)}`),
    },
  })
  const heard: string[] = []
  policy.onChange(() => heard.push(policy.state().state))
  onTestFinished(() => policy.close())
  return { policy, policySource, clock, heard, lines }
}
const allowed = (policy: Policy, rule: PolicyRule, ...subjects: readonly string[]): readonly string[] =>
  subjects.filter((subject) => policy.refusal(rule, subject) === null)

describe('the state of the policy', () => {
  it.each<[string, object | string | null, unknown]>([
    ['no file', null, { file, state: 'none', problem: null, settings: [] }],
    [
      'a policy, in the order of its documentation',
      '{"lookOnly": true, "optional": [], "policy": 1, "allowedHosts": ["a.example"]}',
      {
        file,
        state: 'applied',
        problem: null,
        settings: [
          { name: 'allowedHosts', value: ['a.example'] },
          { name: 'lookOnly', value: true },
        ],
      },
    ],
    [
      'a damaged one',
      '{',
      { file, state: 'locked', problem: `${file}, line 1: the document is incomplete.`, settings: [] },
    ],
  ])('of %s', async (_, document, state) => {
    const { policy } = await opened(document)
    const { state: read } = await readPolicy(new FakePolicy(document))
    expect([policy.state(), read()]).toEqual([state, state])
  })
  it('is written to the log with what is wrong', async () => {
    const { lines, policySource } = await opened('{')
    policySource.become({})
    await settle()
    expect(lines).toEqual([
      `warn Policy {"file":"${file}","state":"locked","problem":"${file}, line 1: the document is incomplete."}`,
      `info Policy {"file":"${file}","state":"applied","problem":null}`,
    ])
  })
})

describe('a change of the policy', () => {
  it('holds at once where the system tells, and is heard once', async () => {
    const { policy, policySource, heard } = await opened(null)
    policySource.become({ lookOnly: true })
    policySource.become({ lookOnly: true })
    await settle()
    expect([policy.settings(), heard]).toEqual([{ policy: 1, lookOnly: true }, ['applied']])
  })
  it('holds after ten minutes where nothing tells', async () => {
    const { policy, policySource, clock, heard } = await opened(null)
    policySource.becomeSilently({ lookOnly: true })
    await clock.advance(10 * minute - 1)
    const before = policy.state().state
    await clock.advance(1)
    policySource.becomeSilently(null)
    await clock.advance(10 * minute)
    expect([before, heard]).toEqual(['none', ['applied', 'none']])
  })
  it('that damages it locks, and what held before still holds', async () => {
    const { policy, policySource } = await opened({ allowedHosts: [] })
    policySource.become('{"policy": 1,')
    await settle()
    expect([policy.state(), allowed(policy, 'host', 'a.example')]).toEqual([
      {
        file,
        state: 'locked',
        problem: `${file}, line 1: the document is incomplete.`,
        settings: [{ name: 'allowedHosts', value: [] }],
      },
      [],
    ])
  })
  it('is not read any more after closing', async () => {
    const { policy, policySource, clock } = await opened(null)
    policySource.becomeSilently({ lookOnly: true })
    policy.close()
    await clock.advance(60 * minute)
    expect([policy.state().state, clock.waiting]).toEqual(['none', 0])
  })
})

describe('allowed hosts', () => {
  const hosts = [
    'api.example.com',
    'api.example.com.',
    'example.com',
    'x.example.com',
    'a.b.example.com',
    'evilexample.com',
    'example.com.evil.test',
    'other.test',
    '127.0.0.1',
    'localhost',
    '[::1]',
  ]
  it.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, hosts],
    [[], []],
    [['api.example.com'], ['api.example.com', 'api.example.com.']],
    [['*.example.com'], ['api.example.com', 'api.example.com.', 'x.example.com', 'a.b.example.com']],
    [
      ['localhost', 'other.test'],
      ['other.test', 'localhost'],
    ],
  ])('%j allow %j', async (allowedHosts, expected) => {
    const { policy } = await opened(allowedHosts === undefined ? {} : { allowedHosts })
    expect(allowed(policy, 'host', ...hosts)).toEqual(expected)
  })
  it('are named with the policy in the failure', async () => {
    const { policy } = await opened({ allowedHosts: [] })
    expect(policy.refusal('host', 'a.example')).toEqual({
      kind: 'policy',
      rule: 'host',
      file,
      detail: 'a.example',
    })
  })
})
