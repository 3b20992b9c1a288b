import { expect, onTestFinished, test } from 'vitest'
import { openConnectedCore, serviceKeys } from '../../connected-core.ts'

test("the demonstration's good pictures are loaded, its bad ones are not, and its host is listed in Connections", async () => {
  const { core, service, add, platform, close } = await openConnectedCore({ devices: 1, rooms: 1 })
  onTestFinished(close)
  const sent: string[] = []
  const { fileTransport } = platform
  Object.assign(fileTransport, {
    get: ((get) => (request: Parameters<typeof get>[0], address: string | null) => {
      sent.push(JSON.stringify(request))
      return get(request, address)
    })(fileTransport.get),
  })
  await add()
  const { pictures, connections, releaseNotes } = core.handlers
  const unread = await pictures.get({ vendorId: 2830, productId: 9395 })
  await releaseNotes.get({ vendorId: 2830, productId: 9395 })
  const had: Record<string, boolean> = {}
  for (const productId of [9395, 9415, 9455, 12297, 12432, 13825, 11879, 12353, 13824, 12434, 12417])
    had[productId] = (await pictures.get({ vendorId: 2830, productId })) !== null
  const hosts = (await connections.list()).filter(({ purpose }) => purpose === 'picture')
  expect({
    unread,
    had,
    hosts: hosts.map(({ host, organizations, failed }) => ({ host, organizations, failed })),
    withKey: sent.filter((request) => request.includes(serviceKeys.primary)),
    counted: hosts[0]?.attempts === sent.length && sent.length > 0,
    arrived: Object.values(service.counts().arrivals['GetPicture'] ?? {}).reduce((sum, n) => sum + n, 0),
  }).toEqual({
    // No document with its address was read yet.
    unread: null,
    had: {
      9395: true,
      9415: true,
      9455: true,
      12297: true,
      // Redirected within the host.
      12432: true,
      // Pictures that are truncated, have too many bytes or pixels, are a drawing with a script or an HTML
      // page, or redirect to another host.
      13825: false,
      11879: false,
      12353: false,
      13824: false,
      12434: false,
      12417: false,
    },
    hosts: [{ host: '127.0.0.1', organizations: ['Nordlys'], failed: 0 }],
    withKey: [],
    counted: true,
    arrived: sent.length,
  })
})

test('clearing the cache of the metadata interface clears the pictures too', async () => {
  const { core, add, close } = await openConnectedCore({ devices: 1, rooms: 1 })
  onTestFinished(close)
  await add()
  const { pictures, releaseNotes, metadata } = core.handlers
  const product = { vendorId: 2830, productId: 9395 }
  await releaseNotes.get(product)
  await pictures.get(product)
  const before = (await pictures.list()).length
  await metadata.clearCache()
  expect([before, await pictures.list()]).toEqual([1, []])
})
