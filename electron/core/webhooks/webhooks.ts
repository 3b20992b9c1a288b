import { Failed } from '../../contract/failure.ts'
import type {
  WebhookCheck,
  WebhookCheckRequest,
  ParsedWebhook,
  WebhookValidation,
} from '../../contract/api/webhooks.ts'
import type { Connections } from '../connections/connections.ts'
import type { Clock, Platform } from '../platform.ts'
import { unusable } from './json-text.ts'
import { parsePayload } from './reading.ts'
import { validate } from './validating.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

/** Helps to validate a webhook. Methods reject with Failed. */
export interface Webhooks {
  /** Kind and content of a pasted text. Sends no request. */
  parse(text: string): Promise<ParsedWebhook>
  /**
   * Parses `text` and calls its validation address once. Rejects with `invalid`, field `webhook`, if it
   * contains none.
   */
  validate(text: string): Promise<WebhookValidation>
}

export interface SchemaChecks {
  /**
   * `checkPayload` on its own thread, because a schema can make it run forever. null: the signal ended it, or
   * it ran out of memory. Never rejects.
   */
  check(given: WebhookCheckRequest, signal: AbortSignal): Promise<WebhookCheck | null>
}

interface WebhookDeps {
  readonly platform: Pick<Platform, 'clock' | 'names' | 'pinned'>
  readonly connections: Pick<Connections, 'counted'>
}

/**
 * Payload and schema of the portal take some milliseconds; a check that takes this long may never end. Raise
 * it for larger schemas.
 */
const checkForInMs = 5_000

/** Checks a payload against a schema for five seconds at most. Needs no data folder. */
export async function checkInTime(
  given: WebhookCheckRequest,
  { clock, schemas }: { readonly clock: Clock; readonly schemas: SchemaChecks },
): Promise<WebhookCheck> {
  const stop = new AbortController()
  const cancel = clock.after(checkForInMs, () => stop.abort())
  const check = await schemas.check(given, stop.signal)
  cancel()
  return (
    check ??
    unusable('schema', 'Checking this payload against this schema takes too long or needs too much memory.')
  )
}

/** Kind and content of a payload. Needs no data folder, sends no request. */
export const readPayload = (text: string, clock: Clock): ParsedWebhook =>
  parsePayload(text, clock.now(), { loopbackForTests: false })

export function openWebhooks({ platform, connections }: WebhookDeps): Webhooks {
  const { clock, names, pinned } = platform
  /** By address: a second click joins the first call. */
  const inFlight = new Map<string, Promise<WebhookValidation>>()

  const ask = async (url: string): Promise<WebhookValidation> => {
    try {
      return await validate(url, {
        clock,
        names,
        pinned,
        counted: (transport) => connections.counted(transport, 'webhook-validation', null),
      })
    } finally {
      inFlight.delete(url)
    }
  }

  return {
    parse: async (text) => parsePayload(text, clock.now(), names),

    async validate(text) {
      const { validation, problem } = parsePayload(text, clock.now(), names)
      if (validation === null)
        throw Failed.invalid(
          'webhook',
          problem ?? 'This payload has no validationUrl, so it is not a validation event.',
        )
      const joined = inFlight.get(validation.url) ?? ask(validation.url)
      inFlight.set(validation.url, joined)
      return joined
    },
  }
}

export const webhookHandlers = (webhooks: Webhooks): Handlers<'webhooks'> => ({
  read: ({ text }) => webhooks.parse(text),
  validate: ({ text }) => webhooks.validate(text),
})
