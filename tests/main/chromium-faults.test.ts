import { expect, test } from 'vitest'
import { faultOf } from '../../electron/main/chromium-transport.ts'

const host = 'api.example.com'

test.each([
  ['CONNECTION_REFUSED', 'api.example.com refuses connections; check the address and the port'],
  ['NAME_NOT_RESOLVED', 'api.example.com cannot be found; check the address and the network'],
  ['DNS_TIMED_OUT', 'api.example.com cannot be looked up in time; check the network'],
  [
    'ICANN_NAME_COLLISION',
    'api.example.com cannot be reached: its name inside the network is a public one now',
  ],
  [
    'NETWORK_ACCESS_DENIED',
    'api.example.com cannot be reached: a firewall or a program on this computer denies the network',
  ],
  [
    'BLOCKED_BY_ADMINISTRATOR',
    'api.example.com cannot be reached: an administrator of this computer blocks it',
  ],
])('%s: nothing was sent', (name, message) => {
  expect(faultOf(`net::ERR_${name}`, host)).toEqual({ kind: 'fault', sent: 'no', reason: 'offline', message })
})

test.each([
  ['PROXY_CONNECTION_FAILED', 'not-there', 'no connection is accepted there'],
  ['TUNNEL_CONNECTION_FAILED', 'refused', 'it makes no connection'],
  ['PROXY_UNABLE_TO_CONNECT_TO_DESTINATION', 'refused', 'it could not connect itself'],
  ['SOCKS_CONNECTION_FAILED', 'refused', 'it makes no connection'],
  ['SOCKS_CONNECTION_HOST_UNREACHABLE', 'refused', 'it could not connect itself'],
  ['PROXY_AUTH_REQUESTED', 'sign-in-wanted', 'none is known'],
  ['PROXY_AUTH_UNSUPPORTED', 'sign-in-wanted', 'this kind of sign-in is not supported'],
  ['PROXY_CERTIFICATE_INVALID', 'not-trusted', 'no connection was made'],
  ['MANDATORY_PROXY_CONFIGURATION_FAILED', 'no-proxy-known', 'a script names it, and cannot be read'],
])('%s: a proxy is the reason, and nothing was sent', (name, reason, said) => {
  expect(faultOf(`net::ERR_${name}`, host)).toEqual({
    kind: 'fault',
    sent: 'no',
    reason: 'offline',
    message: `${said} (${name})`,
    proxy: { reason, via: null },
  })
})

test.each(['EMPTY_RESPONSE', 'CONNECTION_RESET', 'A_NAME_OF_LATER_VERSIONS'])(
  '%s: it may have been sent',
  (name) => {
    expect(faultOf(`net::ERR_${name}`, host)).toEqual({
      kind: 'fault',
      sent: 'maybe',
      reason: 'broken',
      message: `api.example.com closed the connection (${name})`,
    })
  },
)
