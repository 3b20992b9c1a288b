import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'

// Requests the given address through the given proxy, with a limit and then until it is cancelled, and prints the
// results: the process ends when nothing is open any more.
const [, , url = '', proxy = ''] = process.argv
const request = {
  method: 'GET',
  url,
  headers: {},
  body: null,
  timeoutInMs: 300,
  maxBytes: 1_000,
  freshConnection: true,
  signal: null,
} as const
const transport = openHttpTransport({ proxies: proxiesOf({ environment: { HTTPS_PROXY: proxy } }) })
const outcomes = await Promise.all([
  transport.attempt(request),
  transport.attempt({ ...request, timeoutInMs: 60_000, signal: AbortSignal.timeout(300) }),
])
process.stdout.write(JSON.stringify(outcomes))
