import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Answer } from './answer.ts'
import { empty, json } from './answer.ts'

/**
 * Webhooks are configured in the portal, not over HTTP (services.md#W5); here a control endpoint
 * replaces the portal. The payloads look like Azure Event Grid's, which the service most likely uses
 * (services.md#W8), or like the other forms that a parser must support.
 */
const webhookForms = ['object', 'array', 'event-grid', 'cloud-events'] as const
type WebhookForm = (typeof webhookForms)[number]
const webhookEventTypes = ['deviceStatusChanged', 'firmwareChanged'] as const
type WebhookEventType = (typeof webhookEventTypes)[number]

interface Webhook {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly form: WebhookForm
  /** `failed`: the first POST got no 200, or ten minutes passed. */
  readonly state: 'awaiting-validation' | 'active' | 'failed'
  /** Epoch milliseconds. */
  readonly validateBy: number
  /** The receiver's response to the validation event; null: none. */
  readonly answered: number | null
  readonly sent: number
}

/** Ten minutes (services.md#W6). */
const windowInMs = 10 * 60_000
/** The time Event Grid waits for a response (services.md#W9). */
const responseAtMostInMs = 30_000
/** Maximum number of webhooks. */
const webhooksAtMost = 50
const userInfo = /^[^:\s]{1,100}:[^\s]{1,100}$/

interface StoredWebhook {
  readonly hook: Omit<Webhook, 'state' | 'answered' | 'sent'>
  readonly code: string
  readonly token: string
  /** `user:password` for Basic; null: None. */
  readonly basic: string | null
  state: Webhook['state']
  answered: number | null
  sent: number
}

export interface WebhookSender {
  /**
   * The control endpoint: create, list, remove, send an event, read the schema. `path` is the part after
   * `/webhooks`.
   */
  control(call: {
    readonly method: string
    readonly path: string
    readonly query: URLSearchParams
    readonly body: unknown
  }): Promise<Answer>
  /** The GET of a validation address: needs no key. */
  validate(query: URLSearchParams): Answer
}

/** `origin`: the address of this service, without a trailing slash. */
export const webhookSender = (origin: () => string, now: () => number): WebhookSender => {
  const stored = new Map<string, StoredWebhook>()

  const stateOf = (one: StoredWebhook): Webhook['state'] =>
    one.state === 'awaiting-validation' && now() > one.hook.validateBy ? 'failed' : one.state
  const publicView = (one: StoredWebhook): Webhook => ({
    ...one.hook,
    state: stateOf(one),
    answered: one.answered,
    sent: one.sent,
  })

  const post = async (
    one: StoredWebhook,
    kind: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly text: string } | null> => {
    const cloud = one.hook.form === 'cloud-events'
    try {
      const answer = await fetch(one.hook.url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(responseAtMostInMs),
        headers: {
          'content-type': cloud
            ? 'application/cloudevents+json; charset=utf-8'
            : 'application/json; charset=utf-8',
          'aeg-event-type': kind,
          'aeg-subscription-name': one.hook.name.toUpperCase().replace(/[^\x20-\x7e]/g, '?'),
          'aeg-delivery-count': '0',
          ...(one.basic === null
            ? {}
            : { authorization: `Basic ${Buffer.from(one.basic).toString('base64')}` }),
        },
        body: JSON.stringify(body),
      })
      return { status: answer.status, text: await answer.text() }
    } catch {
      return null
    }
  }

  const create = async (given: unknown): Promise<Answer> => {
    const wanted = parseWanted(given)
    if (typeof wanted === 'string') return wrong(wanted)
    if (stored.size >= webhooksAtMost)
      return wrong(`There are already ${webhooksAtMost} webhooks, which is the maximum. Remove one first.`)
    const id = randomUUID()
    const hook = { id, name: wanted.name, url: wanted.url, form: wanted.form, validateBy: now() + windowInMs }
    const token = randomBytes(18).toString('base64')
    const one: StoredWebhook = {
      hook,
      code: randomUUID().toUpperCase(),
      token,
      basic: wanted.basic,
      state: 'failed',
      answered: null,
      sent: 0,
    }
    stored.set(id, one)
    const query = new URLSearchParams({
      id: one.code,
      t: withDecimals(now()),
      apiVersion: '2018-05-01-preview',
      token: one.token,
    })
    const data = {
      validationCode: one.code,
      validationUrl: `${origin()}/webhooks/${id}/validate?${query.toString()}`,
    }
    const answer = await post(
      one,
      'SubscriptionValidation',
      formed(one, 'Microsoft.EventGrid.SubscriptionValidationEvent', '', data, now()),
    )
    one.answered = answer?.status ?? null
    // 202 does not count here, though it does for events; a body with the code validates at once
    // (services.md#W9).
    if (answer?.status === 200)
      one.state = answersCode(answer.text, one.code) ? 'active' : 'awaiting-validation'
    return json(publicView(one), 201)
  }

  const send = async (id: string, given: unknown): Promise<Answer> => {
    const one = stored.get(id)
    if (one === undefined) return wrong('There is no such webhook.', 404)
    const {
      type = 'deviceStatusChanged',
      subject = 'rooms/demonstration',
      data = null,
    } = isRecord(given) ? given : {}
    if (!webhookEventTypes.some((name) => name === type))
      return wrong(`type must be one of ${webhookEventTypes.join(', ')}.`)
    if (typeof subject !== 'string') return wrong('subject must be a text.')
    if (stateOf(one) !== 'active') return wrong('Events are sent once the webhook is active.', 409)
    const carried = isRecord(data) ? data : example(type as WebhookEventType)
    const answer = await post(
      one,
      'Notification',
      formed(one, type as WebhookEventType, subject, carried, now()),
    )
    one.sent += 1
    // Event Grid treats 200 to 204 as delivered (services.md#W9); nothing is sent again here.
    return json({
      status: answer?.status ?? null,
      delivered: answer !== null && answer.status >= 200 && answer.status <= 204,
    })
  }

  return {
    async control({ method, path, query, body }) {
      const [, id = '', more] = path.split('/')
      switch (`${method} ${id === '' || id === 'schema' ? path : more === 'events' ? '/ID/events' : '?'}`) {
        case 'GET ':
          return json({ webhooks: [...stored.values()].map(publicView) })
        case 'POST ':
          return create(body)
        case 'DELETE ':
          return stored.delete(query.get('id') ?? '') ? empty(204) : wrong('There is no such webhook.', 404)
        case 'GET /schema':
          return json(payloadSchema)
        case 'POST /ID/events':
          return send(id, body)
        default:
          return wrong('There is no such switch.', 404)
      }
    },

    validate(query) {
      const one = [...stored.values()].find(
        ({ code, token }) => code === query.get('id') && same(token, query.get('token') ?? ''),
      )
      if (one === undefined) return refused(404, 'The event subscription could not be found.')
      const state = stateOf(one)
      if (state === 'failed') return refused(400, 'The validation window has passed.')
      one.state = 'active'
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: 'Webhook successfully validated as a subscription endpoint.',
      }
    },
  }
}

const wrong = (message: string, status = 400): Answer => json({ message }, status)
const refused = (status: number, message: string): Answer =>
  json({ error: { code: 'BadRequest', message } }, status)
const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one.padEnd(64)), Buffer.from(other.padEnd(64)))
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Event Grid writes seven decimals (services.md#W9). */
const withDecimals = (at: number): string => new Date(at).toISOString().replace('Z', '0000Z')

interface Wanted {
  readonly name: string
  readonly url: string
  readonly form: WebhookForm
  readonly basic: string | null
}

/** The demonstration sends only to this computer, because it must not be usable to reach others. */
function parseWanted(given: unknown): Wanted | string {
  if (!isRecord(given)) return 'A JSON object is expected.'
  const { name = 'Demonstration', url, form = 'event-grid', basic = null } = given
  if (typeof name !== 'string' || name.trim() === '' || name.length > 100)
    return 'name must be a text of at most 100 characters.'
  if (typeof url !== 'string' || !URL.canParse(url)) return 'url must be an address.'
  const { protocol, hostname } = new URL(url)
  if (!/^https?:$/.test(protocol) || !/^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
    return 'url must be an http or https address of 127.0.0.0/8 or [::1].'
  const found = webhookForms.find((one) => one === form)
  if (found === undefined) return `form must be one of ${webhookForms.join(', ')}.`
  if (basic !== null && (typeof basic !== 'string' || !userInfo.test(basic)))
    return 'basic must be user:password, or null.'
  return { name, url, form: found, basic }
}

function answersCode(text: string, code: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) && body['validationResponse'] === code
  } catch {
    return false
  }
}

/** One event in the form of the webhook. */
function formed(
  { hook }: StoredWebhook,
  type: string,
  subject: string,
  data: Readonly<Record<string, unknown>>,
  at: number,
): unknown {
  const id = randomUUID()
  switch (hook.form) {
    case 'object':
      return { id, eventType: type, ...data }
    case 'array':
      return [{ id, eventType: type, ...data }]
    case 'event-grid': {
      const topic =
        '/subscriptions/demonstration/resourceGroups/rooms/providers/Microsoft.EventGrid/topics/rooms'
      return [
        {
          id,
          topic,
          subject,
          data,
          eventType: type,
          eventTime: withDecimals(at),
          metadataVersion: '1',
          dataVersion: '1',
        },
      ]
    }
    case 'cloud-events':
      return {
        specversion: '1.0',
        id,
        source: '/rooms',
        type,
        time: withDecimals(at),
        subject,
        datacontenttype: 'application/json',
        data,
      }
  }
}

/** No payload is published (services.md#W7): assumed. */
const example = (type: WebhookEventType): Readonly<Record<string, unknown>> =>
  type === 'deviceStatusChanged'
    ? { deviceId: 'demonstration-1', status: 'offline', previousStatus: 'online' }
    : { deviceId: 'demonstration-1', firmwareVersion: '2.9.2', status: 'completed' }

/**
 * The schema file that the portal would offer: made up, and valid for the events above in Event Grid's form.
 */
const payloadSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Room events of the demonstration',
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'eventType', 'eventTime', 'data'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      topic: { type: 'string' },
      subject: { type: 'string' },
      eventType: { enum: webhookEventTypes },
      eventTime: { type: 'string', format: 'date-time' },
      data: { anyOf: [{ $ref: '#/definitions/status' }, { $ref: '#/definitions/firmware' }] },
      dataVersion: { type: 'string' },
      metadataVersion: { const: '1' },
    },
    additionalProperties: false,
  },
  definitions: {
    status: {
      type: 'object',
      required: ['deviceId', 'status'],
      properties: {
        deviceId: { type: 'string' },
        status: { enum: ['offline', 'online', 'rebooted'] },
        previousStatus: { type: 'string' },
      },
    },
    firmware: {
      type: 'object',
      required: ['deviceId', 'firmwareVersion'],
      properties: {
        deviceId: { type: 'string' },
        firmwareVersion: { type: 'string' },
        status: { enum: ['completed', 'failed'] },
      },
    },
  },
}
