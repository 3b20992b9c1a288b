/** Steps for creating a webhook in the portal that a technician marks as done; stored between runs. */
export const webhookSteps = ['name', 'address', 'authentication', 'events', 'schema', 'validation'] as const
export type WebhookStep = (typeof webhookSteps)[number]
