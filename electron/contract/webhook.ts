import type { Json } from './json.ts'

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
    /** Ten minutes (specification, part 3) after the event, or after it was pasted. */
    readonly until: number
    readonly refused: WebhookRefusal | null
  } | null
  /** The events of the payload in order of their times, for reading. */
  readonly events: readonly WebhookEvent[]
  /** Why the text cannot be read, with the place; null: it can. */
  readonly problem: string | null
}
export type WebhookRefusal = 'not-an-address' | 'not-https' | 'with-credentials' | 'not-public' | 'name-not-found'

export interface WebhookEvent {
  readonly id: string | null
  readonly type: string | null
  readonly subject: string | null
  readonly at: number | null
  readonly data: Json
}

/** How the one GET of a validation address ended. It carries no key, follows no redirect and is never repeated by itself. */
export interface WebhookValidation {
  readonly host: string
  /** Public addresses of the host, asked right before; the one used is the first. */
  readonly address: string | null
  readonly outcome: 'validated' | 'refused' | 'redirected' | 'no-answer' | 'not-asked'
  readonly status: number | null
  /** For `not-asked`. */
  readonly refused: WebhookRefusal | null
  readonly message: string | null
  readonly at: number
}

/** A payload against the schema file of the portal. */
export interface WebhookCheck {
  readonly fits: boolean
  /** At most 200. `place` is a JSON pointer into the payload. */
  readonly problems: readonly { readonly place: string; readonly message: string }[]
  /** Why the schema or the payload cannot be used; null: they can. */
  readonly unusable: { readonly of: 'schema' | 'payload'; readonly message: string } | null
}
