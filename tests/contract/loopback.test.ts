import { expect, test } from 'vitest'
import { isLoopback } from '../../electron/contract/loopback.ts'

test.each([
  ['http://localhost:1/', true],
  ['http://LOCALHOST./', true],
  ['https://service.localhost/', true],
  ['http://127.0.0.1/', true],
  ['http://127.255.255.254/', true],
  ['http://127.1/', true],
  ['http://0x7f000001/', true],
  ['http://2130706433/', true],
  ['http://[::1]/', true],
  ['http://[0:0:0:0:0:0:0:1]/', true],
  ['http://localhost.example/', false],
  ['http://127.0.0.1.example/', false],
  ['http://mylocalhost/', false],
  ['http://128.0.0.1/', false],
  ['http://0.0.0.0/', false],
  ['http://10.0.0.1/', false],
  ['http://[::2]/', false],
  ['http://[::ffff:127.0.0.1]/', false],
])('%s is this computer: %s', (url, expected) => {
  expect(isLoopback(new URL(url).hostname)).toBe(expected)
})
