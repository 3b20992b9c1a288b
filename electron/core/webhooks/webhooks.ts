import { Failed } from '../../contract/failure.ts'
import type { WebhookCheck, WebhookReading, WebhookValidation } from '../../contract/webhook.ts'

/** Helps to validate a webhook and to read its payloads. Reject with Failed. */
export interface Webhooks {
  read(text: string): Promise<WebhookReading>
  validate(text: string): Promise<WebhookValidation>
  check(given: { readonly schema: string; readonly payload: string }): Promise<WebhookCheck>
}

export function openWebhooks(): Webhooks {
  const later = async (): Promise<never> => {
    throw new Failed({ kind: 'invalid', field: 'webhook', message: 'Webhooks cannot be read yet.' })
  }
  return { read: later, validate: later, check: later }
}
