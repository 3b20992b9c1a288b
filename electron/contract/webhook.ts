/** Steps of creating a webhook in the portal that a technician ticks off; kept between runs. */
export const webhookSteps = ['name', 'address', 'authentication', 'events', 'schema', 'validation'] as const
export type WebhookStep = (typeof webhookSteps)[number]
