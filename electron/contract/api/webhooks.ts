import { z } from 'zod'
import { text } from '../argument-parts.ts'
import { local, method } from '../method.ts'
import type { Json, JsonObject } from '../json.ts'
import type { AddressRefusal } from '../public-address.ts'

/**
 * The known forms of the validation event (services.md#W2): the plain object, an array of one, Event Grid's
 * and CloudEvents'.
 */
export type WebhookForm = 'object' | 'array' | 'event-grid' | 'cloud-events'

/** Kind and content of a pasted payload, as far as they can be parsed. Sends no request. */
export interface ParsedWebhook {
  readonly form: WebhookForm | null
  /**
   * Place of the validation address, such as `[0].data.validationUrl`; null: this is not a validation event.
   */
  readonly validation: {
    readonly place: string
    readonly url: string
    /** null: the address may not be called; `refused` says why. */
    readonly host: string | null
    readonly code: string | null
    /** When the event was created according to itself; null: not stated. */
    readonly eventAt: number | null
    /**
     * When it was parsed here. An event with a later time means that this computer's clock or the service's
     * is wrong.
     */
    readonly readAt: number
    /**
     * Ten minutes (services.md#W6) after the event, or after it was parsed if that was earlier or the
     * event gives no time.
     */
    readonly until: number
    readonly refused: WebhookRefusal | null
  } | null
  /**
   * The events of the payload, ordered by time; those without a time come last. At most 5,000 (a batch of
   * Event Grid, services.md#W8).
   */
  readonly events: readonly WebhookEvent[]
  /** Number of further events of the payload. */
  readonly leftOut: number
  /** Why the text cannot be parsed, with the place; null: it can. */
  readonly problem: string | null
}
export type WebhookRefusal = AddressRefusal | 'name-not-found'

export interface WebhookEvent {
  /** Place in the payload, such as `[2]`; empty: the payload is the event. */
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

/**
 * Result of the one GET request to a validation address. It carries no key, follows no redirect and is never
 * repeated automatically.
 */
export interface WebhookValidation {
  readonly host: string
  /**
   * The address of the host that was connected, resolved and checked immediately before; null: no request was
   * made.
   */
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

/** Result of checking a payload against the schema file of the portal. */
export interface WebhookCheck {
  /** No problem was found in the checked parts. */
  readonly fits: boolean
  /** `each-event`: the schema describes one event and the payload is a list of them. */
  readonly checked: 'payload' | 'each-event'
  /** At most 200. `place` is a JSON pointer into the payload. */
  readonly problems: readonly { readonly place: string; readonly message: string }[]
  /** Number of further problems. */
  readonly leftOut: number
  /**
   * Schema keywords that were not checked, as JSON pointers into the schema with the keyword last; at most
   * 50.
   */
  readonly notChecked: readonly string[]
  /** Why the schema or the payload cannot be used; null: they can. */
  readonly unusable: { readonly of: 'schema' | 'payload'; readonly message: string } | null
}

const pasted = text(1_000_000)

export const webhooks = {
  read: method(z.strictObject({ text: pasted })).returns<ParsedWebhook>(),
  /** Parses `text` again and calls its validation address, once. */
  validate: local(z.strictObject({ text: pasted })).returns<WebhookValidation>(),
}
