import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isPublicAddress, judgedAddress } from '../../electron/core/public-address.ts'
import { cases } from '../setup/cases.ts'

const strict = { loopbackForTests: false }

describe('A validation address that is rejected as written', () => {
  test.each([
    // Not an address.
    ['not-an-address', ''],
    ['not-an-address', 'validate'],
    ['not-an-address', '//example.com/validate'],
    ['not-an-address', 'https://'],
    ['not-an-address', 'https://?id=1'],
    ['not-an-address', 'https://exa mple.com/'],
    ['not-an-address', ' https://example.com/'],
    ['not-an-address', 'https://example.com/\n'],
    ['not-an-address', 'ht\ttps://example.com/'],
    ['not-an-address', 'https://example.com\\@10.0.0.1/'],
    ['not-an-address', 'https://example.com:99999/'],
    ['not-an-address', 'https://256.1.1.1/'],
    ['not-an-address', 'https://1.2.3.4.5/'],
    ['not-an-address', 'https://[::1/'],
    ['not-an-address', 'https://[fe80::1%25eth0]/'],
    ['not-an-address', `https://example.com/${'x'.repeat(4_000)}`],
    // Another protocol than https.
    ['not-https', 'http://example.com/'],
    ['not-https', 'http://127.0.0.1/'],
    ['not-https', 'ftp://example.com/'],
    ['not-https', 'file:///etc/passwd'],
    ['not-https', 'javascript:alert(1)'],
    ['not-https', 'data:text/plain,x'],
    ['not-https', 'ws://example.com/'],
    ['not-https', 'headroom://room/1'],
    // With credentials, or with a part that looks like another host.
    ['with-credentials', 'https://user@example.com/'],
    ['with-credentials', 'https://user:word@example.com/'],
    ['with-credentials', 'https://:word@example.com/'],
    ['with-credentials', 'https://example.com@10.0.0.1/'],
    // IPv4, in every spelling.
    ['not-public', 'https://127.0.0.1/'],
    ['not-public', 'https://127.0.0.1./'],
    ['not-public', 'https://127.1/'],
    ['not-public', 'https://127.8.9.10:8443/'],
    ['not-public', 'https://0x7f.0.0.1/'],
    ['not-public', 'https://0x7f000001/'],
    ['not-public', 'https://0177.0.0.1/'],
    ['not-public', 'https://2130706433/'],
    ['not-public', 'https://017700000001/'],
    ['not-public', 'https://１２７.０.０.１/'],
    ['not-public', 'https://①②⑦.⓪.⓪.①/'],
    ['not-public', 'https://127%2e0%2e0%2e1/'],
    ['not-public', 'https://127。0。0。1/'],
    ['not-public', 'https://0.0.0.0/'],
    ['not-public', 'https://0/'],
    ['not-public', 'https://10.0.0.1/'],
    ['not-public', 'https://10.255.255.255/'],
    ['not-public', 'https://100.64.0.1/'],
    ['not-public', 'https://100.127.255.254/'],
    ['not-public', 'https://169.254.169.254/latest/meta-data'],
    ['not-public', 'https://2852039166/'],
    ['not-public', 'https://168.63.129.16/'],
    ['not-public', 'https://172.16.0.1/'],
    ['not-public', 'https://172.31.255.255/'],
    ['not-public', 'https://192.0.0.8/'],
    ['not-public', 'https://192.0.2.1/'],
    ['not-public', 'https://192.88.99.1/'],
    ['not-public', 'https://192.168.1.1/'],
    ['not-public', 'https://192.168.257/'],
    ['not-public', 'https://198.18.0.1/'],
    ['not-public', 'https://198.51.100.7/'],
    ['not-public', 'https://203.0.113.7/'],
    ['not-public', 'https://224.0.0.1/'],
    ['not-public', 'https://239.255.255.255/'],
    ['not-public', 'https://240.0.0.1/'],
    ['not-public', 'https://255.255.255.255/'],
    // IPv6.
    ['not-public', 'https://[::]/'],
    ['not-public', 'https://[::1]/'],
    ['not-public', 'https://[0:0:0:0:0:0:0:1]:443/'],
    ['not-public', 'https://[::127.0.0.1]/'],
    ['not-public', 'https://[::ffff:127.0.0.1]/'],
    ['not-public', 'https://[::ffff:7f00:1]/'],
    ['not-public', 'https://[::ffff:8.8.8.8]/'],
    ['not-public', 'https://[::ffff:0:127.0.0.1]/'],
    ['not-public', 'https://[64:ff9b::7f00:1]/'],
    ['not-public', 'https://[64:ff9b:1::1]/'],
    ['not-public', 'https://[100::1]/'],
    ['not-public', 'https://[2001::1]/'],
    ['not-public', 'https://[2001:10::1]/'],
    ['not-public', 'https://[2001:db8::1]/'],
    ['not-public', 'https://[2002:7f00:1::]/'],
    ['not-public', 'https://[3fff::1]/'],
    ['not-public', 'https://[4000::1]/'],
    ['not-public', 'https://[5f00::1]/'],
    ['not-public', 'https://[fc00::1]/'],
    ['not-public', 'https://[fd12:3456::1]/'],
    ['not-public', 'https://[fe80::1]/'],
    ['not-public', 'https://[fec0::1]/'],
    ['not-public', 'https://[ff02::1]/'],
    // Internal names.
    ['not-public', 'https://localhost/'],
    ['not-public', 'https://LOCALHOST/'],
    ['not-public', 'https://localhost./'],
    ['not-public', 'https://ｌｏｃａｌｈｏｓｔ/'],
    ['not-public', 'https://validate.localhost/'],
    ['not-public', 'https://intranet/'],
    ['not-public', 'https://printer.local/'],
    ['not-public', 'https://router.lan/'],
    ['not-public', 'https://router.home.arpa/'],
    ['not-public', 'https://metadata.google.internal/'],
    ['not-public', 'https://server.corp/'],
    ['not-public', 'https://server.test/'],
    ['not-public', 'https://hidden.onion/'],
    ['not-public', 'https://example..com/'],
    ['not-public', 'https://.example.com/'],
  ])('%s: %s', (refused, url) => {
    expect(judgedAddress(url, strict)).toEqual({ host: null, name: '', isIp: false, url, refused })
  })
})

describe('A validation address that is allowed', () => {
  test.each([
    ['a name', 'https://example.com/validate?id=1&t=a%2Fb', 'example.com', 'example.com'],
    [
      'the port that Event Grid uses',
      'https://rp-eastus2.eventgrid.azure.net:553/validate',
      'rp-eastus2.eventgrid.azure.net:553',
      'rp-eastus2.eventgrid.azure.net',
    ],
    ['the default port, stated', 'https://example.com:443/', 'example.com', 'example.com'],
    ['a dot at the end', 'https://example.com./', 'example.com.', 'example.com.'],
    [
      'a name in another script, shown as it is looked up',
      'https://møde.example.com/',
      'xn--mde-0na.example.com',
      'xn--mde-0na.example.com',
    ],
    ['a public IPv4 address', 'https://20.42.65.88/', '20.42.65.88', '20.42.65.88'],
    ['a public IPv6 address', 'https://[2603:1030::1]:553/', '[2603:1030::1]:553', '2603:1030::1'],
    [
      'a name that begins with an address',
      'https://127.0.0.1.example.com/',
      '127.0.0.1.example.com',
      '127.0.0.1.example.com',
    ],
  ])('%s', (_, url, host, name) => {
    const address = judgedAddress(url, strict)
    expect({ host: address.host, name: address.name, refused: address.refused }).toEqual({
      host,
      name,
      refused: null,
    })
  })

  it('loses only its fragment, which is never sent', () => {
    expect(
      judgedAddress('https://example.com/v?token=q%2F1%3D&t=2026-11-21T14:00:00.0000000Z#part', strict).url,
    ).toBe('https://example.com/v?token=q%2F1%3D&t=2026-11-21T14:00:00.0000000Z')
  })
})

describe('Addresses returned by DNS', () => {
  test.each([
    '',
    'example.com',
    '127.1',
    'fe80::1%eth0',
    '2603:1030::1%eth0',
    '::ffff:20.42.65.88',
    '10.1.2.3',
    '64:ff9b::142a:4158',
  ])('%j is not public', (address) => {
    expect(isPublicAddress(address, strict)).toBe(false)
  })

  test.each([
    '1.1.1.1',
    '20.42.65.88',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.1',
    '2603:1030::1',
    '2606:4700:4700::1111',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address, strict)).toBe(true)
  })

  it('every spelling of an IPv4 address is treated as the address itself', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.constantFrom(10, 16, 8), (value, radix) => {
        const dotted = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
        const spelt =
          radix === 16 ? `0x${value.toString(16)}` : radix === 8 ? `0${value.toString(8)}` : String(value)
        expect(judgedAddress(`https://${spelt}/`, strict).refused).toBe(
          isPublicAddress(dotted, strict) ? null : 'not-public',
        )
      }),
      { numRuns: cases(500) },
    )
  })

  it('an IPv4 address inside an IPv6 one is never public', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff),
        fc.nat(0xffff),
        fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::', '2001:0:1:2:3:4:', '2001::'),
        (high, low, before) => {
          expect(isPublicAddress(`${before}${high.toString(16)}:${low.toString(16)}`, strict)).toBe(false)
        },
      ),
    )
  })
})

test('The switch for tests allows only loopback', () => {
  const loose = { loopbackForTests: true }
  const requested = (url: string) => judgedAddress(url, loose).refused
  expect([
    requested('http://127.0.0.1:8080/'),
    requested('https://localhost:8443/'),
    requested('https://[::1]/'),
    requested('http://localhost/'),
    requested('https://10.0.0.1/'),
    requested('http://10.0.0.1/'),
    requested('http://example.com/'),
    requested('https://intranet/'),
  ]).toEqual([null, null, null, 'not-https', 'not-public', 'not-https', 'not-https', 'not-public'])
})
