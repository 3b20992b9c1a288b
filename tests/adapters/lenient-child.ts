import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openPinnedTransport } from '../../electron/adapters/pinned-transport.ts'

// Requests the given address over both transports, and prints the result: for a start of Node with other switches.
const request = {
  method: 'GET',
  url: process.argv[2] ?? '',
  headers: {},
  body: null,
  timeoutInMs: 5_000,
  maxBytes: 1_000,
  freshConnection: true,
  signal: null,
} as const
const outcomes = [
  await openHttpTransport().attempt(request),
  await openPinnedTransport().attempt(request, '127.0.0.1'),
]
process.stdout.write(JSON.stringify(outcomes))
