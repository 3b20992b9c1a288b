import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { DeviceSettings } from '../../../electron/contract/api/settings.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { openDeviceEndpoints } from '../../../electron/core/management/management.ts'
import { openSettings, type Settings } from '../../../electron/core/settings/settings.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { FakeClock } from '../../fake-clock.ts'
import { answer } from '../../fake-transport.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { aManagementClient } from '../service-client/a-request.ts'

let home: TemporaryHome
let store: Store
beforeAll(async () => {
  home = new TemporaryHome()
  store = await home.openStore(new FakeClock())
})
afterAll(() => home.remove())

/** Settings over the real client and a transport that returns 200 with this text. */
async function over(body: string): Promise<Settings> {
  const { client } = await aManagementClient(() => answer(200, body))
  const notNow = (): Promise<never> =>
    Promise.reject(new Failed({ kind: 'not-found', call: null, what: 'nothing' }))
  const templates = {
    ...observedTemplates,
    devicesWithSettings: 'POST /all',
    firmwareRead: 'GET /{deviceId}',
  }
  return openSettings({
    digest: (name, value) => `k.${name}-${value.toString().length}`,
    organizationId: 'nordlys',
    vendorId: 2830,
    templates,
    managementVersion: 2,
    endpoints: openDeviceEndpoints({ client, templates, host: 'api.example' }),
    host: 'api.example',
    store,
    metadata: { featureModel: notNow },
    device: notNow,
    writes: { mustBeOpen: async () => undefined, execute: notNow },
  })
}

const outcomeOf = async <T>(work: Promise<T>, visible: (value: T) => unknown): Promise<unknown> => {
  try {
    return visible(await work)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { failure } = error
    return failure.kind === 'unreadable-answer' ? `unreadable: ${failure.where}` : failure.kind
  }
}
const visible = ({ settings }: DeviceSettings): unknown =>
  settings.map(({ name, kind, value }) => [name, kind, value])
const read = async (body: string): Promise<unknown> =>
  outcomeOf((await over(body)).load('d', { refresh: true }), visible)

describe('a damaged response of device settings', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  test.each<[string, string, unknown]>([
    ['null members', '{"settings":{"a":{"isOn":null},"b":{"selected":null},"c":{"value":null},"d":null}}', [['a', 'on-off', null], ['b', 'choice', null], ['c', 'text', null], ['d', 'unknown', null]]], // prettier-ignore
    ['no settings', '{}', 'unreadable: settings'],
    ['null', 'null', 'unreadable: body'],
    ['unknown members', '{"settings":{"a":{"isOn":true,"new":[]}},"new":1}', [['a', 'on-off', true]]],
    ['wrong types', '{"settings":{"a":{"isOn":{}},"b":{"selected":[]},"c":{"value":true},"d":7}}', [['a', 'unknown', null], ['b', 'unknown', null], ['c', 'unknown', null], ['d', 'unknown', null]]], // prettier-ignore
    ['numbers as text', '{"settings":{"a":{"value":"3"}}}', [['a', 'text', '3']]],
    ['a number that is too large', '{"settings":{"a":{"value":1e999}}}', [['a', 'unknown', null]]],
    ['the same name twice', '{"settings":{"a":{"value":1},"a":{"value":2}}}', [['a', 'number', 2]]],
    [
      'the name of a member of every object',
      '{"settings":{"__proto__":{"isOn":true}}}',
      [['__proto__', 'on-off', true]],
    ],
    ['a byte order mark', '\ufeff{"settings":{"a":{"isOn":true}}}', [['a', 'on-off', true]]],
    ['deep nesting', `{"settings":{"a":{"isOn":true,"deep":${nested(400)}}}}`, [['a', 'on-off', true]]],
    ['endless nesting', `{"settings":{"a":{"isOn":true,"deep":${nested(5_000)}}}}`, 'unreadable: body'],
    [
      'a page of the gateway',
      '<html><body>Bad gateway</body></html>',
      expect.stringMatching(/^unreadable: /),
    ],
    ['half of it', '{"settings":{"a":{"isOn":tr', expect.stringMatching(/^unreadable: /)],
    ['nothing', '', expect.stringMatching(/^unreadable: /)],
  ])('(%s) loses only the damaged parts', async (_, body, expected) => {
    expect(await read(body)).toEqual(expected)
  })

  test('of 5 MB is read completely and cached', async () => {
    const settings = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [
        `setting${index}`,
        { selected: 'x'.repeat(80), isLocked: false },
      ]),
    )
    const body = JSON.stringify({ settings })
    expect(body.length).toBeGreaterThan(5_000_000)
    const opened = await over(body)
    expect((await opened.load('big', { refresh: true })).settings.length).toBe(50_000)
    expect(await opened.load('big', { refresh: false })).toMatchObject({
      fromCache: true,
      raw: { settings: { setting49999: { isLocked: false } } },
    })
  })

  test('with any JSON is settings or a Failed, for one device and for all', async () => {
    const entry = fc.record(
      { isOn: fc.jsonValue(), selected: fc.jsonValue(), value: fc.jsonValue(), isLocked: fc.jsonValue() },
      { requiredKeys: [] },
    )
    const settings = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), entry))
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ settings }),
      fc.record({
        items: fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({ id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)), settings }),
          ),
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const opened = await over(JSON.stringify(json))
        const outcomes = [
          await outcomeOf(opened.load('any', { refresh: true }), ({ settings: all }) => typeof all.length),
          await outcomeOf(opened.fetchAll(unwatched), ({ devices }) => typeof devices),
        ]
        for (const outcome of outcomes) expect(outcome).toMatch(/^(number|unreadable: .*)$/)
      }),
      { numRuns: 60 },
    )
  })
})
