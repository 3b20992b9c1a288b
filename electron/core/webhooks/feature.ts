import type { Connections } from '../connections/connections.ts'
import { feature, type Client } from '../feature.ts'
import type { SharedBase } from '../core-features.ts'
import { openWebhooks, webhookHandlers, type Webhooks } from './webhooks.ts'

export const webhooksFeature = feature({
  open: (shared: Pick<SharedBase, 'platform'> & { readonly connections: Connections }) => ({
    gives: { webhooks: openWebhooks(shared) },
    onRowsChanged: null,
    close: null,
  }),
  handlers: ({ shared }: Client<{ readonly webhooks: Webhooks }, unknown>) => ({
    webhooks: webhookHandlers(shared.webhooks),
  }),
})
