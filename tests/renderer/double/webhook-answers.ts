import { Failed } from '../../../electron/contract/failure.ts'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import type {
  WebhookEvent,
  WebhookReading,
  WebhookValidation,
} from '../../../electron/contract/api/webhooks.ts'
import type { WebhookStep } from '../../../electron/contract/webhook.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
const timeOf = (value: Json | undefined): number | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? Date.parse(value) : null

/** Reads as the core does, in short: the first `validationUrl` of an event or its data. */
function read(text: string, now: number): WebhookReading {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return {
      form: null,
      validation: null,
      events: [],
      leftOut: 0,
      problem: 'Line 1, column 2: a name in double quotes is missing',
    }
  }
  const elements = Array.isArray(value) ? (value as readonly Json[]) : [value]
  const events = elements
    .filter(isObject)
    .map(({ id, eventType, type, subject, eventTime, time, data, ...others }, index): WebhookEvent => {
      const place = Array.isArray(value) ? `[${index}]` : ''
      return {
        place,
        id: textOf(id),
        type: textOf(eventType ?? type),
        subject: textOf(subject),
        at: timeOf(eventTime ?? time),
        data: data ?? null,
        others,
      }
    })
  const first = events.find(
    ({ data, others }) =>
      typeof (isObject(data)
        ? (data['validationUrl'] ?? others['validationUrl'])
        : others['validationUrl']) === 'string',
  )
  const data = first && isObject(first.data) ? first.data : {}
  const url = textOf(data['validationUrl'] ?? first?.others['validationUrl'])
  const host = url !== null && URL.canParse(url) && url.startsWith('https:') ? new URL(url).host : null
  return {
    form: text.includes('specversion')
      ? 'cloud-events'
      : text.includes('eventTime')
        ? 'event-grid'
        : Array.isArray(value)
          ? 'array'
          : 'object',
    validation:
      url === null
        ? null
        : {
            place: `${first?.place ?? ''}.data.validationUrl`.replace(/^\./, ''),
            url,
            host: host === 'localhost' ? null : host,
            code: textOf(data['validationCode']),
            eventAt: first?.at ?? null,
            readAt: now,
            until: Math.min(first?.at ?? now, now) + 600_000,
            refused: host === null ? 'not-https' : host === 'localhost' ? 'not-public' : null,
          },
    events,
    leftOut: 0,
    problem: null,
  }
}

/** `validate` answers by the host: `refuses…`, `moves…`, `silent…` and `inside…` end otherwise than validated. */
export function webhookAnswers(nowAt: number): Pick<AllHandlers, 'webhooks'> {
  let steps: readonly WebhookStep[] = ['name']
  const validation = (host: string): WebhookValidation => {
    const ended = {
      host,
      address: '20.42.65.88',
      status: 200,
      refused: null,
      message: 'Webhook successfully validated as a subscription endpoint.',
      at: nowAt,
    }
    if (host.startsWith('refuses'))
      return { ...ended, outcome: 'refused', status: 400, message: 'The validation window has passed.' }
    if (host.startsWith('moves'))
      return { ...ended, outcome: 'redirected', status: 302, message: 'elsewhere.example.com' }
    if (host.startsWith('silent'))
      return {
        ...ended,
        outcome: 'no-answer',
        status: null,
        message: `${host} cannot be reached; check the network`,
      }
    if (host.startsWith('inside'))
      return {
        ...ended,
        outcome: 'not-asked',
        status: null,
        address: null,
        refused: 'not-public',
        message: `${host} leads to 10.0.0.4.`,
      }
    return { ...ended, outcome: 'validated' }
  }
  return {
    webhooks: {
      read: async ({ text }) => read(text, nowAt),
      validate: async ({ text }) => {
        const host = read(text, nowAt).validation?.host ?? null
        if (host === null)
          throw new Failed({
            kind: 'invalid',
            field: 'webhook',
            message: 'This payload names no validationUrl: it is not a validation event.',
          })
        return validation(host)
      },
      check: async ({ schema }) => {
        const fits = {
          fits: true,
          checked: 'payload' as const,
          problems: [],
          leftOut: 0,
          notChecked: [],
          unusable: null,
        }
        if (!schema.trim().startsWith('{'))
          return {
            ...fits,
            fits: false,
            unusable: { of: 'schema', message: 'Line 1, column 1: a value is missing' },
          }
        if (!schema.includes('misfit'))
          return {
            ...fits,
            notChecked: schema.includes('unevaluated') ? ['/items/unevaluatedProperties'] : [],
          }
        const problems = [
          { place: '/0/data', message: 'the member "roomId" is missing' },
          { place: '/0/data/status', message: 'is "rebooting", allowed: "online", "offline", "rebooted"' },
        ]
        return { ...fits, fits: false, problems }
      },
      steps: async ({ done }) => (steps = done ?? steps),
    },
  }
}
