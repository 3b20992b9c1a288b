import type { ServiceClient } from '../service-client/service-client.ts'

/**
 * The client of one item: every attempt is told right before it leaves. `once`: a read that brought no data is not asked again by itself,
 * for whoever looks again anyway and said how often at most.
 */
export const countedClient = (client: ServiceClient, called: () => void, once = false): ServiceClient => ({
  send: (request) =>
    client.send({
      ...request,
      ...(once ? { once } : {}),
      beforeDispatch: () => {
        // May throw: then nothing of this attempt is sent.
        request.beforeDispatch?.()
        called()
      },
    }),
  onReach: (listener) => client.onReach(listener),
  retrying: () => client.retrying(),
})
