import { z } from 'zod'
import { text } from '../argument-parts.ts'
import { method } from '../method.ts'
import {
  webhookSteps,
  type WebhookCheck,
  type WebhookReading,
  type WebhookStep,
  type WebhookValidation,
} from '../webhook.ts'

const pasted = text(1_000_000)

export const webhooks = {
  read: method(z.strictObject({ text: pasted })).returns<WebhookReading>(),
  /** Reads `text` again and asks its validation address, once. */
  validate: method(z.strictObject({ text: pasted })).returns<WebhookValidation>(),
  check: method(z.strictObject({ schema: pasted, payload: pasted })).returns<WebhookCheck>(),
  /** Keeps which steps are done; null: only tells. */
  steps: method(
    z.strictObject({ done: z.array(z.enum(webhookSteps)).max(webhookSteps.length).readonly().nullable() }),
  ).returns<readonly WebhookStep[]>(),
}
