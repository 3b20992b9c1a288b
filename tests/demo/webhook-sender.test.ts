import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openPinnedTransport } from '../../electron/adapters/pinned-transport.ts'
import type { WebhookValidation } from '../../electron/contract/api/webhooks.ts'
import { parsePayload } from '../../electron/core/webhooks/reading.ts'
import { checkPayload } from '../../electron/core/webhooks/schema-check.ts'
import { validate } from '../../electron/core/webhooks/validating.ts'
import { FakeClock } from '../fake-clock.ts'
import { aDemonstration, morning, type Asking } from './a-demonstration.ts'

interface Received {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}
let asking: Asking
let receiver: http.Server
let received: Received[]
/** The receiver's response: its status and body. */
let answers: (body: string) => readonly [number, string]
let url: string

beforeEach(async () => {
  asking = await aDemonstration()
  received = []
  answers = () => [200, '']
  receiver = http.createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const [status, text] = answers(body)
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  receiver.close()
  receiver.closeAllConnections()
  await asking.it.stop()
})

const create = async (given: object = {}) =>
  (await asking.control('POST', '/webhooks', { url, ...given })).body as Record<string, unknown>
const listed = async () =>
  ((await asking.control('GET', '/webhooks')).body as { webhooks: Record<string, unknown>[] }).webhooks
const names = { lookup: async () => [], loopbackForTests: true }
/** Headroom's result for the validation event that the receiver got. */
const pasted = () => parsePayload(received[0]?.body ?? '', morning, names)
const ask = (): Promise<WebhookValidation> =>
  validate(pasted().validation?.url ?? '', {
    clock: new FakeClock(morning),
    names,
    pinned: openPinnedTransport(),
    counted: (transport) => transport,
  })

describe('The validation handshake with a receiver on this computer', () => {
  test.each([
    ['object', 'object', 'validationUrl'],
    ['array', 'array', '[0].validationUrl'],
    ['event-grid', 'event-grid', '[0].data.validationUrl'],
    ['cloud-events', 'cloud-events', 'data.validationUrl'],
  ])(
    'in the form %s: the event is parsed, its address requested, the webhook active',
    async (form, read, place) => {
      const created = await create({ form, name: 'Service desk' })
      expect(created).toMatchObject({
        form,
        state: 'awaiting-validation',
        answered: 200,
        validateBy: morning + 600_000,
      })
      expect({ form: pasted().form, place: pasted().validation?.place }).toEqual({ form: read, place })
      expect(await ask()).toMatchObject({
        outcome: 'validated',
        status: 200,
        message: 'Webhook successfully validated as a subscription endpoint.',
      })
      expect(await listed()).toEqual([{ ...created, state: 'active' }])
    },
  )

  it('sends the headers of Event Grid, Basic if selected, and no key', async () => {
    await create({ name: 'Service desk', basic: 'desk:word' })
    const { host: _host, connection: _connection, ...headers } = received[0]?.headers ?? {}
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'aeg-event-type': 'SubscriptionValidation',
      'aeg-subscription-name': 'SERVICE DESK',
      'aeg-delivery-count': '0',
      authorization: `Basic ${Buffer.from('desk:word').toString('base64')}`,
    })
    expect(JSON.stringify(received)).not.toContain(asking.it.key)
  })

  test.each([202, 204, 302, 401, 500])(
    'does not ask a receiver that returns %i to validate',
    async (status) => {
      answers = () => [status, '']
      expect(await create()).toMatchObject({ state: 'failed', answered: status })
      expect(await ask()).toMatchObject({
        outcome: 'refused',
        status: 400,
        message: 'The validation window has passed.',
      })
    },
  )

  it('fails without a receiver', async () => {
    expect(await create({ url: url.replace(/:\d+/, ':1') })).toMatchObject({
      state: 'failed',
      answered: null,
    })
  })

  it('validates a receiver that returns the code at once', async () => {
    answers = (body) => [
      200,
      JSON.stringify({
        validationResponse: (JSON.parse(body) as [{ data: { validationCode: string } }])[0].data
          .validationCode,
      }),
    ]
    expect(await create()).toMatchObject({ state: 'active' })
  })

  it('ends after ten minutes', async () => {
    await create()
    asking.it.advance(600_001)
    expect(await ask()).toMatchObject({ outcome: 'refused', status: 400 })
    expect(await listed()).toMatchObject([{ state: 'failed' }])
  })

  it('does not accept a changed address', async () => {
    await create()
    const { status } = await fetch(`${pasted().validation?.url ?? ''}x`)
    expect({ status, states: (await listed()).map(({ state }) => state) }).toEqual({
      status: 404,
      states: ['awaiting-validation'],
    })
  })
})

describe('Events', () => {
  it('are sent to an active webhook and match the schema file', async () => {
    const { id } = await create()
    await ask()
    for (const type of ['deviceStatusChanged', 'firmwareChanged'])
      expect((await asking.control('POST', `/webhooks/${String(id)}/events`, { type })).body).toEqual({
        status: 200,
        delivered: true,
      })
    const schema = (await asking.control('GET', '/webhooks/schema')).text
    expect(
      received
        .slice(1)
        .map(({ body, headers }) => [
          headers['aeg-event-type'],
          checkPayload({ schema, payload: body }).problems,
        ]),
    ).toEqual([
      ['Notification', []],
      ['Notification', []],
    ])
  })

  it('are not sent before validation', async () => {
    const { id } = await create()
    expect((await asking.control('POST', `/webhooks/${String(id)}/events`, {})).status).toBe(409)
    expect(received.length).toBe(1)
  })

  it('are not sent to a webhook that was removed', async () => {
    const { id } = await create()
    expect((await asking.control('DELETE', `/webhooks?id=${String(id)}`)).status).toBe(204)
    expect((await asking.control('POST', `/webhooks/${String(id)}/events`, {})).status).toBe(404)
  })
})

describe('The switch refuses', () => {
  test.each<[string, unknown]>([
    ['another computer', { url: 'https://example.com/hook' }],
    ['a name, even of this computer', { url: 'http://localhost:8080/' }],
    ['the private network', { url: 'http://10.0.0.1/' }],
    ['an invalid address', { url: 'hook' }],
    ['another protocol', { url: 'ftp://127.0.0.1/' }],
    ['an unknown form', { url: 'http://127.0.0.1:1/', form: 'xml' }],
    ['invalid credentials', { url: 'http://127.0.0.1:1/', basic: 'nobody' }],
    ['no object', []],
  ])('%s', async (_, given) => {
    expect((await asking.control('POST', '/webhooks', given)).status).toBe(400)
    expect(await listed()).toEqual([])
  })
})
