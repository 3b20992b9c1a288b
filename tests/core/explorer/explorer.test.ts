import { describe, expect, it, test } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { settle } from '../../fake-clock.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { explorerRig, keys } from './explorer-rig.ts'
import { textAtMost } from '../../../electron/core/explorer/explorer.ts'

const list = {
  operation: 'ListDevices',
  parameters: { pageSize: '100', sortDescending: 'true', continuationToken: '' },
  unlock: false,
}
const schemas = { operation: 'GetGnpSchemaVersions', parameters: {}, unlock: false }
const settings = {
  operation: 'UpdateDeviceSettings',
  parameters: { deviceId: 'D 1', settings: '{"volume":{"value":3}}' },
  unlock: true,
}
const reboot = { operation: 'RebootRoom', parameters: { groupId: 'g/1' }, unlock: true }
const html = '<!doctype html><html><body>Bad gateway</body></html>'

describe('a call from the Explorer', () => {
  it('is built from the typed values, by the types of its parameters', async () => {
    const { explorer, transport } = await explorerRig(() => answer(200, { items: [] }))
    const { url, requestBody, status, method } = await explorer.run(list)
    expect({ url, requestBody, status, method }).toEqual({
      url: 'https://api.example/devices/api/devices',
      requestBody: '{"sortDescending":true,"pageSize":100}',
      status: 200,
      method: 'POST',
    })
    expect(transport.attempts.map((one) => [one.method, one.url, one.headers, one.body])).toEqual([
      [
        'POST',
        'https://api.example/devices/api/devices',
        {
          'api-version': '2',
          'Cache-Control': 'no-cache',
          'Content-Type': 'application/json',
          'Ocp-Apim-Subscription-Key': keys[0],
        },
        '{"sortDescending":true,"pageSize":100}',
      ],
    ])
  })

  it.each([list, schemas])('that reads is cancelled when no client waits for it: %j', async (read) => {
    const { explorer, transport } = await explorerRig(() => answer(200, { items: [] }))
    expect([
      await failureOf(explorer.run(read, { signal: AbortSignal.abort() })),
      transport.attempts,
    ]).toEqual([{ kind: 'cancelled' }, []])
  })

  it('uses version and family of the profile unless they are typed', async () => {
    const { explorer, transport } = await explorerRig(() => answer(200, { device: {} }))
    const typed = {
      vendorId: '2830',
      productId: '9395',
      variantType: '01-64',
      firmwareVersion: '2.9.2',
      schemaVersion: '1.11.0',
    }
    await explorer.run({ operation: 'GetLatestDeviceModelBySchema', parameters: typed, unlock: false })
    await explorer.run({
      operation: 'GetLatestDeviceModelBySchema',
      parameters: { ...typed, apiVersion: '17', sdk: 'Jabra SDK V4' },
      unlock: false,
    })
    expect(
      transport.attempts.map(({ url }) => new URL(url).pathname.replace(/vendors.*device-models/, '…')),
    ).toEqual([
      '/models/v/18/…/Brand%20SDK%20V4/schema-versions/1.11.0.json',
      '/models/v/17/…/Jabra%20SDK%20V4/schema-versions/1.11.0.json',
    ])
  })

  test.each([
    [
      'an unknown operation',
      { operation: 'Nothing', parameters: {} },
      { kind: 'invalid', field: 'operation' },
    ],
    [
      'an unknown parameter',
      { operation: 'GetTelemetry', parameters: { colour: 'red' } },
      { kind: 'invalid', field: 'colour' },
    ],
    [
      'a member of every object',
      { operation: 'GetTelemetry', parameters: { constructor: 'x' } },
      { kind: 'invalid', field: 'constructor' },
    ],
    [
      'a missing one',
      { operation: 'GetRoom', parameters: { groupId: '' } },
      { kind: 'invalid', field: 'groupId' },
    ],
    [
      'a text instead of a number',
      { operation: 'ListDevices', parameters: { pageSize: 'many' } },
      { kind: 'invalid', field: 'pageSize' },
    ],
    [
      'a number that is too large',
      { operation: 'ListDevices', parameters: { pageSize: '2147483648' } },
      { kind: 'invalid', field: 'pageSize' },
    ],
    [
      'a text instead of a boolean',
      { operation: 'ListDevices', parameters: { sortDescending: 'yes' } },
      { kind: 'invalid', field: 'sortDescending' },
    ],
    [
      'half a character',
      { operation: 'ListDevices', parameters: { continuationToken: '\ud800' } },
      { kind: 'invalid', field: 'continuationToken' },
    ],
    [
      'an invalid segment',
      { operation: 'GetRoom', parameters: { groupId: '..' } },
      { kind: 'invalid', field: 'groupId' },
    ],
    [
      'broken JSON',
      { ...settings, parameters: { deviceId: 'D', settings: '{' } },
      { kind: 'invalid', field: 'settings' },
    ],
    [
      'an operation that is not published',
      { operation: 'GetDeviceFirmware', parameters: {} },
      { kind: 'not-found', call: null },
    ],
  ])('%s is rejected and nothing is sent', async (_, run, failure) => {
    const { explorer, transport } = await explorerRig(() => answer(200, {}))
    expect(await failureOf(explorer.run({ unlock: true, ...run }))).toMatchObject(failure)
    expect(transport.attempts).toEqual([])
  })
})

describe('a response is shown as received', () => {
  test.each([
    ['data', 200, '{"a": 1,\n "b":2}', null],
    ['the gateway’s message', 401, `{"statusCode":401,"message":"Access denied"}`, 'key-refused'],
    [
      'problem details',
      400,
      '{"title":"One or more validation errors occurred.","errors":{"pageSize":["too large"]}}',
      'refused',
    ],
    ['plain text', 403, 'no', 'refused'],
    ['nothing', 404, '', 'not-found'],
    ['a time-out of the gateway', 408, '{"message":"late"}', 'refused'],
    [
      'too many',
      429,
      '{"statusCode":429,"message":"Rate limit is exceeded. Try again in 3 seconds."}',
      'rate-limited',
    ],
    ['a page', 502, html, 'service-unavailable'],
    ['a failure', 500, '{"message":"boom"}', 'service-unavailable'],
    ['an error inside a 200', 200, '{"message":"not today","statusCode":500}', 'unreadable-answer'],
    ['a page inside a 200', 200, html, 'unreadable-answer'],
    ['half a document', 200, '{"items":[', 'unreadable-answer'],
    ['a byte order mark', 200, '\ufeff{"items":[]}', null],
    ['dangerous names', 200, '{"__proto__":{"a":1},"constructor":2,"a":1,"a":2}', null],
  ])('%s (%i)', async (_, status, body, kind) => {
    const { explorer, transport } = await explorerRig(() =>
      answer(status, body, { 'retry-after': '3', 'x-request-id': 'r1' }),
    )
    const run = await explorer.run(list)
    expect([run.status, run.body, run.failure?.kind ?? null, run.headers['x-request-id']]).toEqual([
      status,
      body,
      kind,
      'r1',
    ])
    // One read is one call; only a refused key causes another one.
    expect(transport.attempts).toHaveLength(status === 401 ? 2 : 1)
  })

  it('without any key that was sent, in body, headers, address and history', async () => {
    const echo = { message: `the key ${keys[0]} is unknown` }
    const { explorer } = await explorerRig(() => answer(400, echo, { 'x-echo': keys[0]! }))
    const run = await explorer.run({ ...list, parameters: { deviceClientType: keys[0]!, pageSize: '1' } })
    await explorer.saveExample({ name: keys[0]!, operation: 'GetRoom', parameters: { groupId: keys[0]! } })
    const everything = JSON.stringify([run, await explorer.history(), await explorer.examples()])
    expect(keys.filter((key) => everything.includes(key))).toEqual([])
    expect(run.body).toBe('{"message":"the key [subscription key] is unknown"}')
  })

  it('shortened in the window, whole on the command line', async () => {
    const long = `["${'x'.repeat(textAtMost)}"]`
    const { explorer } = await explorerRig(() => answer(200, long))
    const [view, whole] = [await explorer.run(schemas), await explorer.run(schemas, { whole: true })]
    expect([view.body.length, view.cut, whole.body.length, whole.cut]).toEqual([
      textAtMost,
      true,
      long.length,
      false,
    ])
  })

  it('or, without a response, the failure is shown', async () => {
    const { explorer } = await explorerRig(() => ({
      kind: 'fault',
      sent: 'no',
      reason: 'offline',
      message: 'no network',
    }))
    expect(await failureOf(explorer.run(list))).toEqual({
      kind: 'offline',
      call: { operation: 'ListDevices', host: 'api.example' },
      message: 'no network',
    })
    expect((await explorer.history()).map((one) => [one.operation, one.status])).toEqual([
      ['ListDevices', null],
    ])
  })

  it('with members that the specification does not name, and specified members that are missing', async () => {
    const { explorer } = await explorerRig(() =>
      answer(200, [{ version: '1.11.0', since: 'May' }, {}, { version: 2 }]),
    )
    const { unknownMembers, missingMembers } = await explorer.run(schemas)
    expect({ unknownMembers, missingMembers }).toEqual({
      unknownMembers: ['[].since'],
      missingMembers: ['[].version', '[].version (text)'],
    })
  })

  it('with its time on the network, without the time in the queue', async () => {
    const { explorer, clock } = await explorerRig(() => answer(200, []))
    await explorer.run(schemas)
    await clock.advance(1_000)
    const { startedAt, durationInMs } = await explorer.run(schemas)
    expect([startedAt, durationInMs]).toEqual([clock.now(), 0])
  })
})

describe('an operation that writes', () => {
  it('is rejected while actions are locked: nothing is read or sent', async () => {
    const { explorer, transport, writes } = await explorerRig(() => answer(200, {}))
    for (const run of [reboot, settings])
      expect(await failureOf(explorer.run({ ...run, unlock: false }))).toEqual({ kind: 'writes-locked' })
    expect([transport.attempts, writes.executed, await explorer.history()]).toEqual([[], [], []])
  })

  it('reserves the slots of every device it takes down', async () => {
    const { explorer, writes, transport } = await explorerRig(() => answer(200, ''))
    const answers = [await explorer.run(reboot), await explorer.run(settings)]
    expect(
      writes.executed.map(({ operation, target, deviceIds, unlock, wait }) => ({
        operation,
        target,
        deviceIds,
        unlock,
        wait,
      })),
    ).toEqual([
      {
        operation: 'RebootRoom',
        target: { of: 'room', id: 'room of g/1', name: 'Aarhus 3' },
        deviceIds: ['D1', 'D2'],
        unlock: true,
        wait: false,
      },
      {
        operation: 'UpdateDeviceSettings',
        target: { of: 'device', id: 'D 1', name: 'PanaCast 50 Aarhus' },
        deviceIds: ['D 1'],
        unlock: true,
        wait: false,
      },
    ])
    expect(transport.attempts.map((one) => [one.method, one.url, one.body, one.freshConnection])).toEqual([
      ['POST', 'https://api.example/meetingrooms/api/meetingrooms/g%2F1/reboot', null, true],
      [
        'PATCH',
        'https://api.example/devices/api/devices/D%201/settings',
        '{"settings":{"volume":{"value":3}}}',
        true,
      ],
    ])
    expect(answers.map(({ report, status }) => [report?.outcome, status])).toEqual([
      ['accepted', 200],
      ['accepted', 200],
    ])
  })

  it('waits for its slots and is named by its reference where its caller wants it', async () => {
    const { explorer, writes } = await explorerRig(() => answer(200, ''))
    const asked = { wait: true, reference: 'client-0123456789abcdef0123456789abcdef' }
    await explorer.run(settings, asked)
    expect(writes.executed.map(({ wait, reference }) => ({ wait, reference }))).toEqual([asked])
  })

  it.each<[string, string, string]>([
    ['unchanged', '{"volume":{"value":3}}', '{"settings":{"volume":{"value":3}}}'],
    [
      'with dots for passwords and codes',
      '{"adminPassword":{"value":"x1"},"PINCode":42,"lock":{"doorCode":"0042","isOn":true},"pinRequired":true}',
      '{"settings":{"adminPassword":"•••","PINCode":"•••","lock":{"doorCode":"•••","isOn":true},"pinRequired":true}}',
    ],
    [
      'with dots in a list of named settings',
      '[{"name":"ADMIN_PASSWORD","value":"x1","isLocked":false}]',
      '{"settings":[{"name":"ADMIN_PASSWORD","value":"•••","isLocked":false}]}',
    ],
    [
      'without a key of the subscription',
      `{"motd":"${keys[0]}"}`,
      '{"settings":{"motd":"[subscription key]"}}',
    ],
    ['cut', `{"motd":"${'x'.repeat(5_000)}"}`, `{"settings":{"motd":"${'x'.repeat(2_000 - 21)}…`],
    [
      'at any depth',
      `${'['.repeat(400)}${']'.repeat(400)}`,
      `{"settings":${'['.repeat(49)}"…"${']'.repeat(49)}}`,
    ],
  ])('writes to the journal what it sends: %s', async (_, typed, after) => {
    const { explorer, writes } = await explorerRig(() => answer(200, ''))
    await explorer.run({ ...settings, parameters: { ...settings.parameters, settings: typed } })
    expect(writes.executed.map((write) => write.after)).toEqual([after])
  })

  const sets = (typed: string) => ({ ...settings, parameters: { ...settings.parameters, settings: typed } })
  it.each<[string, string, string]>([
    ['unchanged without any', '{ "volume": { "value": 3 } }', '{ "volume": { "value": 3 } }'],
    [
      'as dots, also as a choice',
      '{"adminPassword":{"value":"S3cret"},"doorCode":{"selected":"S3cret"},"volume":{"value":3}}',
      '{"adminPassword":"•••","doorCode":"•••","volume":{"value":3}}',
    ],
    [
      'as dots beside their name',
      '[{"name":"ADMIN_PASSWORD","value":{"selected":"S3cret"},"isLocked":false}]',
      '[{"name":"ADMIN_PASSWORD","value":"•••","isLocked":false}]',
    ],
    [
      'as dots in a long body',
      `{"motd":{"value":"${'x'.repeat(5_000)}"},"pin":4711}`,
      `{"motd":{"value":"${'x'.repeat(5_000)}"},"pin":"•••"}`,
    ],
    [
      'as dots in a key',
      `{"pin":"${keys[0]}","motd":"${keys[0]}"}`,
      '{"pin":"•••","motd":"[subscription key]"}',
    ],
    [
      'and ends a body that is too deep',
      `{"pin":1,"a":${'['.repeat(400)}${']'.repeat(400)}}`,
      `{"pin":"•••","a":${'['.repeat(49)}"…"${']'.repeat(49)}}`,
    ],
  ])('stores passwords and codes in history and examples %s', async (_, typed, stored) => {
    const { explorer } = await explorerRig(() => answer(200, ''))
    await explorer.run(sets(typed))
    await explorer.saveExample({ name: 'mine', ...sets(typed) })
    const calls = [...(await explorer.history()), ...(await explorer.examples())]
    expect(calls.map(({ parameters }) => parameters)).toEqual(
      [stored, stored].map((text) => ({ deviceId: 'D 1', settings: text })),
    )
  })

  it('is refused while dots stand for a hidden value, and nothing is sent', async () => {
    const { explorer, transport, writes } = await explorerRig(() => answer(200, ''))
    expect([
      await failureOf(explorer.run(sets('{"adminPassword":{"value":"•••"}}'))),
      await failureOf(explorer.run(sets('{"adminPassword":{"value":"\\u2022•• "}}'))),
      transport.attempts,
      writes.executed,
      await explorer.history(),
    ]).toEqual([
      expect.objectContaining({ kind: 'invalid', field: 'settings' }),
      expect.objectContaining({ kind: 'invalid', field: 'settings' }),
      [],
      [],
      [],
    ])
  })

  it('is no example as long as its body is not JSON, because its passwords cannot be found', async () => {
    const { explorer } = await explorerRig(() => answer(200, ''))
    const broken = sets('{"adminPassword":"S3cret"')
    expect(await failureOf(explorer.saveExample({ name: 'mine', ...broken }))).toMatchObject({
      kind: 'invalid',
      field: 'settings',
    })
    await explorer.saveExample({ name: 'mine', ...sets('') })
    expect((await explorer.examples()).map(({ parameters }) => parameters['settings'])).toEqual([''])
  })

  it.each<[string, number, readonly string[]]>([
    ['accepted', 200, ['D 1']],
    ['unconfirmed', 500, ['D 1']],
    ['refused', 400, []],
  ])(
    'settings and was %s clears the cached settings of the device if they may have changed',
    async (_, status, devices) => {
      const { explorer, forgotten } = await explorerRig(() => answer(status, ''))
      await explorer.run(settings)
      expect(forgotten).toEqual(devices)
    },
  )

  it('that restarts a room keeps cached settings and logs no body', async () => {
    const { explorer, forgotten, writes } = await explorerRig(() => answer(200, ''))
    await explorer.run(reboot)
    expect([forgotten, writes.executed.map((write) => write.after)]).toEqual([[], [null]])
  })

  it('without a response is reported as unconfirmed, and never repeated', async () => {
    const { explorer, transport, clock } = await explorerRig(() => ({
      kind: 'fault',
      sent: 'maybe',
      reason: 'broken',
      message: 'the connection broke',
    }))
    const run = await explorer.run(reboot)
    await clock.advance(600_000)
    await settle()
    expect([run.status, run.body, run.report?.outcome, run.failure?.kind, transport.attempts.length]).toEqual(
      [null, '', 'unconfirmed', 'unconfirmed', 1],
    )
  })
})
