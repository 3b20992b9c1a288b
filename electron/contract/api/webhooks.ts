import { z } from 'zod'
import { text } from '../argument-parts.ts'
import { method } from '../method.ts'
import { webhookSteps, type WebhookStep } from '../webhook.ts'
import type { Json, JsonObject } from '../json.ts'
import type { AddressRefusal } from '../public-address.ts'

/** The forms of the validation event that are known (observed 5): the plain object, an array of one, Event Grid's and CloudEvents'. */
export type WebhookForm = 'object' | 'array' | 'event-grid' | 'cloud-events'

/** What a pasted payload is, as far as it can be read. Nothing is sent for it. */
export interface WebhookReading {
  readonly form: WebhookForm | null
  /** Where the validation address stood, such as `[0].data.validationUrl`; null: this is no validation event. */
  readonly validation: {
    readonly place: string
    readonly url: string
    /** null: it is no address that may be asked; `refused` says why. */
    readonly host: string | null
    readonly code: string | null
    /** When the event says it was made; null: it does not. */
    readonly eventAt: number | null
    /** When it was read here. An event from after that means that this computer's clock or the service's is wrong. */
    readonly readAt: number
    /** Ten minutes (specification, part 3) after the event, or after it was read where that was earlier or the event does not say. */
    readonly until: number
    readonly refused: WebhookRefusal | null
  } | null
  /** The events of the payload in order of their times, for reading; those without a time last. At most 5,000 (a batch of Event Grid, observed 5). */
  readonly events: readonly WebhookEvent[]
  /** Events of the payload beyond those. */
  readonly leftOut: number
  /** Why the text cannot be read, with the place; null: it can. */
  readonly problem: string | null
}
export type WebhookRefusal = AddressRefusal | 'name-not-found'

export interface WebhookEvent {
  /** Where in the payload, such as `[2]`; empty: the payload is the event. */
  readonly place: string
  readonly id: string | null
  readonly type: string | null
  readonly subject: string | null
  readonly at: number | null
  /** The event's `data`; null: it has none. */
  readonly data: Json
  /** Every other member, as received. */
  readonly others: JsonObject
}

/** How the one GET of a validation address ended. It carries no key, follows no redirect and is never repeated by itself. */
export interface WebhookValidation {
  readonly host: string
  /** The address of the host that was connected, looked up and checked right before; null: nothing was asked. */
  readonly address: string | null
  readonly outcome: 'validated' | 'refused' | 'redirected' | 'no-answer' | 'not-asked'
  readonly status: number | null
  /** For `not-asked`. */
  readonly refused: WebhookRefusal | null
  readonly message: string | null
  readonly at: number
}

/** The texts of a schema file and of a payload. */
export interface WebhookCheckRequest {
  readonly schema: string
  readonly payload: string
}

/** A payload against the schema file of the portal. */
export interface WebhookCheck {
  /** No problem was found in what was checked. */
  readonly fits: boolean
  /** `each-event`: the schema describes one event and the payload is a list of them. */
  readonly checked: 'payload' | 'each-event'
  /** At most 200. `place` is a JSON pointer into the payload. */
  readonly problems: readonly { readonly place: string; readonly message: string }[]
  /** Problems beyond those. */
  readonly leftOut: number
  /** What the schema asks and was not checked, as JSON pointers into the schema with the keyword last; at most 50. */
  readonly notChecked: readonly string[]
  /** Why the schema or the payload cannot be used; null: they can. */
  readonly unusable: { readonly of: 'schema' | 'payload'; readonly message: string } | null
}

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
