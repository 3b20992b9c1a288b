import { describe, expect, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { downloadLinkOf, goodForMs, namedLinkOf } from '../../../electron/core/metadata/link-json.ts'

const documentUrl = 'https://metadata.example.com/base/models/v/18/vendors/1/downloadLink.json'
const demonstration = 'http://127.0.0.1:4100/metadata/models/v/18/downloadLink.json'

describe('the address in a link record', () => {
  test.each<[string, Json, { url: string | null; refused?: string | null }]>([
    [
      'from the root of its host',
      { url: '/files/a b.zip?sig=1' },
      { url: 'https://metadata.example.com/files/a%20b.zip?sig=1' },
    ],
    [
      'from the root of its host, encoded',
      { url: '/files/a%20b.zip?sig=a%2Fb' },
      { url: 'https://metadata.example.com/files/a%20b.zip?sig=a%2Fb' },
    ],
    [
      'of another host, without a scheme',
      { downloadUrl: '//files.example.com/a.zip' },
      { url: 'https://files.example.com/a.zip' },
    ],
    [
      'beside the document',
      { href: 'a.zip' },
      { url: 'https://metadata.example.com/base/models/v/18/vendors/1/a.zip' },
    ],
    [
      'beside the document, with blanks',
      { url: 'JABRA_SPEAK2 55_OTA_V1.6.4.zip' },
      { url: 'https://metadata.example.com/base/models/v/18/vendors/1/JABRA_SPEAK2%2055_OTA_V1.6.4.zip' },
    ],
    [
      'below the document',
      { url: 'files/a.zip' },
      { url: 'https://metadata.example.com/base/models/v/18/vendors/1/files/a.zip' },
    ],
    [
      'above the document',
      { url: '../a.zip' },
      { url: 'https://metadata.example.com/base/models/v/18/vendors/a.zip' },
    ],
    ['with blanks at its ends', { url: '  https://a.example/x.zip\n' }, { url: 'https://a.example/x.zip' }],
    [
      'with a blank inside, as received',
      { url: 'https://a.example/JABRA SPEAK2 55.zip' },
      { url: 'https://a.example/JABRA SPEAK2 55.zip' },
    ],
    ['in a list', [{ url: 'https://a.example/x.zip' }], { url: 'https://a.example/x.zip' }],
    [
      'two levels down',
      { data: { file: { link: 'https://a.example/x.zip' } } },
      { url: 'https://a.example/x.zip' },
    ],
    ['over http', { url: 'http://a.example/x.zip' }, { url: null, refused: 'http://a.example/x.zip' }],
    ['of another scheme', { url: 'ftp://a.example/x.zip' }, { url: null, refused: 'ftp://a.example/x.zip' }],

    [
      'that a browser would execute',
      { url: 'javascript:alert(1)' },
      { url: null, refused: 'javascript:alert(1)' },
    ],
    [
      'over http, next to one over https',
      { url: 'http://a.example/x', downloadUrl: 'https://a.example/x' },
      { url: 'https://a.example/x', refused: null },
    ],
    ['null', { url: null, version: '1.0.0' }, { url: null, refused: null }],
    [
      'a folder instead of an address',
      { location: 'West Europe', link: 'none' },
      { url: null, refused: null },
    ],
    ['with a backslash', { url: '\\\\evil.example\\x' }, { url: null, refused: null }],
    ['with an invisible character', { url: 'https://a.example/\u0007x' }, { url: null, refused: null }],
    ['without a host', { url: 'https://' }, { url: null, refused: null }],
  ])('%s', (_, json, expected) => {
    expect(downloadLinkOf(json, documentUrl)).toMatchObject(expected)
  })

  test.each<[string, Json, string]>([
    ['its own host over http', { url: '/files/a.zip' }, 'http://127.0.0.1:4100/files/a.zip'],
    [
      'its own host without a scheme',
      { url: '//127.0.0.1:4100/files/a.zip' },
      'http://127.0.0.1:4100/files/a.zip',
    ],
    [
      'another host without a scheme, over https',
      { url: '//files.example.com/a.zip' },
      'https://files.example.com/a.zip',
    ],
  ])('of a service on this computer: %s', (_, json, url) => {
    expect(downloadLinkOf(json, demonstration)?.url).toBe(url)
  })

  test.each<Json>([null, 7, [], {}, { code: 13, message: 'no' }, { title: 'Not found', status: 404 }])(
    '%j is no link record',
    (json) => {
      expect(downloadLinkOf(json, documentUrl)).toBeNull()
    },
  )

  test.each<[Json, string | null]>([
    [{ version: '1.0.0', downloadUrl: 'https://a.example/x' }, 'https://a.example/x'],
    [{ version: '1.0.0', downloadUrl: 'http://a.example/x' }, null],
    [{ version: '1.0.0', releaseNotes: 'https://a.example/notes' }, null],
  ])('of a firmware record %j', (json, url) => {
    expect(namedLinkOf(json as { [name: string]: Json }, documentUrl)?.url ?? null).toBe(url)
  })
})

describe('other members of a link record', () => {
  const moment = Date.UTC(2026, 11, 1)
  test.each<[string, Json, object]>([
    ['expires', { expires: '2026-12-01T00:00:00Z' }, { expiresAt: moment }],
    ['expiresAt, seconds', { expiresAt: moment / 1_000 }, { expiresAt: moment }],
    ['expiryDate, milliseconds', { expiryDate: moment }, { expiresAt: moment }],
    ['validUntil, in HTTP’s form', { validUntil: 'Tue, 01 Dec 2026 00:00:00 GMT' }, { expiresAt: moment }],
    ['an unreadable expiry', { expires: 'soon' }, { expiresAt: null }],
    ['size', { size: 1_867_687_068 }, { bytes: 1_867_687_068 }],
    ['a size of zero', { fileSize: 0 }, { bytes: 0 }],
    ['fileSize as text', { fileSize: '9259' }, { bytes: 9_259 }],
    ['a size in words', { size: '2 MB' }, { bytes: null }],
    ['md5 in hex', { md5: '5D41402ABC4B2A76B9719D911017C592' }, { md5: '5d41402abc4b2a76b9719d911017c592' }],
    [
      'md5Checksum in base64',
      { md5Checksum: 'XUFAKrxLKna5cZ2REBfFkg==' },
      { md5: '5d41402abc4b2a76b9719d911017c592' },
    ],
    [
      'a checksum by algorithm',
      { checksum: { algorithm: 'MD5', value: 'XUFAKrxLKna5cZ2REBfFkg==' } },
      { md5: '5d41402abc4b2a76b9719d911017c592' },
    ],
    [
      'a checksum of another algorithm',
      { checksum: { algorithm: 'CRC', value: '5d41402abc4b2a76b9719d911017c592' } },
      { md5: null },
    ],
    [
      'all members inside a file member',
      { file: { size: 7, md5: 'XUFAKrxLKna5cZ2REBfFkg==' } },
      { bytes: 7, md5: '5d41402abc4b2a76b9719d911017c592' },
    ],
    ['nothing', {}, { expiresAt: null, bytes: null, md5: null }],
  ])('%s', (_, members, expected) => {
    const record = { url: 'https://a.example/x', ...(members as object) } as { [name: string]: Json }
    expect(downloadLinkOf(record, documentUrl)).toMatchObject({ ...expected, raw: record })
  })

  test.each<[Json, number | null]>([
    [{ expiresIn: 3_600 }, 3_600_000],
    [{ expiresIn: '60' }, 60_000],
    [{ expiresIn: -1 }, null],
    [{}, null],
  ])('%j is valid for %s ms', (members, expected) => {
    const link = downloadLinkOf({ url: 'https://a.example/x', ...(members as object) }, documentUrl)
    expect(link === null ? null : goodForMs(link)).toBe(expected)
  })
})
