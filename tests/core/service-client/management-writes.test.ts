import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { answer } from '../../fake-transport.ts'
import { aFault, aManagementClient, aWrite, writeCall } from './a-request.ts'

const gateway = (status: number, message: string, headers: Record<string, string> = {}) =>
  answer(status, { statusCode: status, message }, headers)

describe('a write', () => {
  it.each<[string, ReturnType<typeof answer> | ReturnType<typeof aFault>, Failure]>([
    [
      'no connection was possible',
      aFault('offline', 'no', 'refused'),
      { kind: 'offline', call: writeCall, message: 'refused' },
    ],
    [
      'the time ran out before it was sent',
      aFault('timeout', 'no'),
      { kind: 'timed-out', call: writeCall, afterInMs: 90_000 },
    ],
    ['it was cancelled before it was sent', aFault('aborted', 'no'), { kind: 'cancelled' }],
    [
      'the certificate was invalid',
      aFault('tls', 'no', 'untrusted'),
      { kind: 'offline', call: writeCall, message: 'untrusted' },
    ],
    [
      'the time ran out',
      aFault('timeout', 'maybe', 'no answer'),
      { kind: 'unconfirmed', call: writeCall, message: 'no answer' },
    ],
    [
      'the connection broke',
      aFault('broken', 'maybe', 'broke'),
      { kind: 'unconfirmed', call: writeCall, message: 'broke' },
    ],
    [
      'the answer was incomplete',
      aFault('truncated', 'maybe', 'broke off'),
      { kind: 'unconfirmed', call: writeCall, message: 'broke off' },
    ],
    [
      'it was cancelled in flight',
      aFault('aborted', 'maybe', 'cancelled'),
      { kind: 'unconfirmed', call: writeCall, message: 'cancelled' },
    ],
    [
      'it was redirected',
      aFault('redirect', 'maybe', 'elsewhere'),
      { kind: 'unconfirmed', call: writeCall, message: 'elsewhere' },
    ],
    [
      'the service failed',
      gateway(500, 'oops'),
      { kind: 'unconfirmed', call: writeCall, message: 'the service answered 500: oops', status: 500 },
    ],
    [
      'a gateway timed out',
      answer(504, ''),
      { kind: 'unconfirmed', call: writeCall, message: 'the service answered 504', status: 504 },
    ],
    [
      'a gateway got no response in time',
      answer(408, ''),
      { kind: 'unconfirmed', call: writeCall, message: 'the service answered 408', status: 408 },
    ],
    [
      'the status has no meaning',
      answer(302, ''),
      {
        kind: 'unconfirmed',
        call: writeCall,
        message: 'the service answered 302, which is neither a success nor an error',
        status: 302,
      },
    ],
    [
      'a sign-in page was returned',
      answer(200, '<html>', { 'content-type': 'text/html' }),
      {
        kind: 'unconfirmed',
        call: writeCall,
        message:
          'the service answered 200 with an HTML page instead of JSON, perhaps of a proxy or a sign-in page',
        status: 200,
      },
    ],
    ...[
      ['an HTML page declared as JSON', '<!doctype html><p>'],
      ['an error text', '{"statusCode":500,"message":"failed"}'],
      ['a plain error text', 'Error: the room does not answer', { 'content-type': 'text/plain' }],
      ['an incomplete response', '{"accepted": tr'],
    ].map(([name = '', body = '', headers = {}]): [string, ReturnType<typeof answer>, Failure] => [
      `${name as string} came with 200`,
      answer(200, body, headers as Record<string, string>),
      {
        kind: 'unconfirmed',
        call: writeCall,
        message: expect.stringContaining('the service answered 200 with') as string,
        status: 200,
      },
    ]),
    [
      'the address was refused',
      gateway(400, 'bad room'),
      { kind: 'refused', call: writeCall, status: 400, message: 'bad room' },
    ],
    [
      'the room no longer exists',
      gateway(404, 'Room not found'),
      { kind: 'not-found', call: writeCall, what: 'Room not found' },
    ],
  ])('is sent once, for any result: %s', async (_, outcome, failure) => {
    const { transport, run } = await aManagementClient(() => outcome)
    expect({ failure: (await run(aWrite())).failure, attempts: transport.attempts.length }).toEqual({
      failure,
      attempts: 1,
    })
  })

  it.each([
    'false',
    ' FALSE ',
    '"false"',
    '[true,false]',
    '{"success":false}',
    '{"Success":false,"message":"the room is asleep"}',
    '{"succeeded":false}',
    '{"isSuccess":false}',
    '{"is_successful":"False"}',
    '{"ok":false}',
    '{"accepted":false,"id":"r1"}',
    '{"error":"timeout","id":"r1"}',
    '{"data":null,"error":{"code":7}}',
    '{"id":"r1","errors":["the device is away"]}',
    '{"errors":{"settings.a":["not supported"]},"applied":1}',
    '{"id":"r1","errorMessage":"no"}',
    '{"status":"Failed","id":"r1"}',
    '{"result":"error"}',
    '{"result":false}',
    '{"outcome":"rejected"}',
    '{"statusCode":503,"id":"r1"}',
    '[{"deviceId":"a","success":true},{"deviceId":"b","success":false}]',
    '{"results":[{"deviceId":"a","success":true},{"deviceId":"b","success":false}]}',
    '{"data":{"reboot":{"success":false}}}',
  ])('with a 200 and a body that reports failure is unconfirmed, and sent once: %s', async (body) => {
    const { transport, run } = await aManagementClient(() => answer(200, body))
    expect({ failure: (await run(aWrite())).failure, attempts: transport.attempts.length }).toEqual({
      failure: {
        kind: 'unconfirmed',
        call: writeCall,
        message: expect.stringMatching(
          /^the service answered 200 with (?:a body that reports a failure|an error message inside)/,
        ),
        status: 200,
      },
      attempts: 1,
    })
  })

  it.each(['', '{"success":true}', '[]'])('with a 207 is unconfirmed, and sent once: %s', async (body) => {
    const { transport, run } = await aManagementClient(() => answer(207, body))
    expect({ failure: (await run(aWrite())).failure, attempts: transport.attempts.length }).toMatchObject({
      failure: { kind: 'unconfirmed', status: 207 },
      attempts: 1,
    })
  })

  it.each([
    '{"success":true,"error":null,"errors":[],"id":"r1"}',
    '{"errors":{},"error":"","exception":false}',
    '{"status":"Rebooting","statusCode":202}',
    '{"id":"r1","devices":[{"id":"a","status":"Error","deviceConnectionStatus":"Failed"}]}',
    '{"settings":{"autoPairing":{"isOn":false},"volume":{"value":0}}}',
    '{"code":7,"state":"accepted"}',
    '{"failed":0,"ok":true}',
    '0',
  ])('with a 200 and another body is accepted: %s', async (body) => {
    const { run } = await aManagementClient(() => answer(200, body))
    expect((await run(aWrite())).failure).toBe(null)
  })

  it('failed after a 429, and is not sent again by itself', async () => {
    const { clock, transport, budget, run } = await aManagementClient(() =>
      gateway(429, 'no', { 'retry-after': '60' }),
    )
    const untilAt = clock.now() + 60_000
    expect((await run(aWrite())).failure).toEqual({ kind: 'rate-limited', call: writeCall, untilAt })
    expect({ attempts: transport.attempts.length, pausedUntil: budget.state().pausedUntil }).toEqual({
      attempts: 1,
      pausedUntil: untilAt,
    })
  })

  it.each<[string, string, Record<string, string>, Json]>([
    ['nothing', '', {}, null],
    ['true', 'true', {}, true],
    ['a sentence as JSON', '"Reboot requested"', {}, 'Reboot requested'],
    ['plain text', 'OK', { 'content-type': 'text/plain' }, null],
    ['plain text declared as JSON', 'OK', {}, null],
    ['XML', '<result>ok</result>', { 'content-type': 'application/xml' }, null],
    ['null', 'null', {}, null],
    ['a number', '3', {}, 3],
    ['an empty list', '[]', {}, []],
    ['an object', '{"errors":0,"restarted":3}', {}, { errors: 0, restarted: 3 }],
    ['deep nesting', '['.repeat(600) + ']'.repeat(600), {}, null],
  ])('succeeds when the service returns 2xx with %s', async (_, body, headers, json) => {
    const { run } = await aManagementClient(() => answer(202, body, headers))
    expect(await run(aWrite())).toMatchObject({ answer: { status: 202, json, text: body }, failure: null })
  })

  it('returns the message of the service, if any', async () => {
    const { run } = await aManagementClient(() => answer(202, { accepted: true }))
    expect((await run(aWrite())).answer).toMatchObject({ status: 202, json: { accepted: true } })
  })
})
