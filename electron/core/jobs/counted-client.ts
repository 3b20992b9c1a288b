import type { ServiceClient } from '../service-client/service-client.ts'

/**
 * The client of one item: every attempt is reported immediately before it is sent. `once`: a read without
 * data is not retried automatically, for callers that poll anyway with their own limit.
 */
export const countedClient = (client: ServiceClient, called: () => void, once = false): ServiceClient => ({
  send: (request) =>
    client.send({
      ...request,
      ...(once ? { once } : {}),
      beforeDispatch: async () => {
        // May reject: then this attempt sends nothing.
        await request.beforeDispatch?.()
        called()
      },
    }),
  onReach: (listener) => client.onReach(listener),
  retrying: () => client.retrying(),
})
