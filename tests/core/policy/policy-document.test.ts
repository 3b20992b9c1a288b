import { describe, expect, it } from 'vitest'
import { parsePolicy } from '../../../electron/core/policy/policy-document.ts'

const file = '/etc/headroom/policy.json'
const parsed = (text: string, encoding: BufferEncoding = 'utf8') =>
  parsePolicy(file, Buffer.from(text, encoding))
const addresses = '"managementUrl": "https://api.example.com", "metadataUrl": "https://cdn.example.com"'

/** The document of the documentation, with every member. */
const whole = {
  policy: 1,
  organizations: [
    { name: 'Nordlys', managementUrl: 'https://api.example.com', metadataUrl: 'https://cdn.example.com' },
  ],
  allowedHosts: ['api.example.com', '*.example.com'],
  demonstration: false,
  lookOnly: true,
  mostItems: 20,
  export: false,
  webhooks: false,
  proxy: 'http://proxy.example.com:8080',
  newerVersions: false,
  lockAfterMinutes: 5,
  journalDays: 400,
  optional: ['fromTheFuture'],
}

describe('a policy', () => {
  it('has every member', () => {
    expect(parsed(JSON.stringify(whole))).toEqual({ settings: whole, problem: null })
  })
  it.each<[string, string]>([
    ['a byte order mark', '\ufeff{"policy": 1}'],
    ['Windows line ends', '{\r\n"policy": 1\r\n}\r\n'],
  ])('is read with %s', (_, text) => {
    expect(parsed(text)).toEqual({ settings: { policy: 1 }, problem: null })
  })
  it('may have members that an older version ignores', () => {
    expect(parsed('{"policy": 1, "later": true, "optional": ["later"]}')).toEqual({
      settings: { policy: 1, optional: ['later'] },
      problem: null,
    })
  })
  it('cannot make a known member optional', () => {
    expect(parsed('{"policy": 1, "lookOnly": true, "optional": ["lookOnly"]}').settings).toEqual({
      policy: 1,
      lookOnly: true,
      optional: ['lookOnly'],
    })
    expect(parsed('{"policy": 1, "mostItems": "many", "optional": ["mostItems"]}').problem).toBe(
      `${file}, line 1: "mostItems" must be a whole number.`,
    )
  })
  it('keeps what it restricts beside a member that cannot be used', () => {
    expect(parsed('{"policy": 1, "later": 1, "lookOnly": true, "mostItems": "many"}').settings).toEqual({
      policy: 1,
      lookOnly: true,
    })
  })
  it('has its first fault as its problem', () => {
    expect(parsed('{"policy": 1,\n"mostItems": -1,\n"later": 1}').problem).toBe(
      `${file}, line 2: "mostItems" must be at least 0.`,
    )
  })

  it.each<[string, string]>([
    ['{"policy": 1,\n"lookOnly": true,\n"lookOnly": false}', 'line 3: "lookOnly" is there twice.'],
    ['{"policy": 1,\n"lookOnly": "yes"}', 'line 2: "lookOnly" must be true or false.'],
    ['{\n"policy": 2}', 'line 2: "policy" must be 1.'],
    ['{\n"lookOnly": true}', 'line 1: "policy" is missing: it must be 1.'],
    ['{"policy": 1,\n"lookonly": true}', 'line 2: "lookonly" is not known to this version.'],
    ['{"policy": 1,\n"__proto__": {}}', 'line 2: "__proto__" is not known to this version.'],
    ['{"policy": 1,\n"mostItems": 1.5}', 'line 2: "mostItems" must be a whole number.'],
    ['{"policy": 1,\n"lockAfterMinutes": 16}', 'line 2: "lockAfterMinutes" must be at most 15.'],
    ['{"policy": 1,\n"lockAfterMinutes": 0}', 'line 2: "lockAfterMinutes" must be at least 1.'],
    ['{"policy": 1,\n"journalDays": 29}', 'line 2: "journalDays" must be at least 30.'],
    ['{"policy": 1,\n"allowedHosts": "a.example"}', 'line 2: "allowedHosts" must be a list.'],
    ['{"policy": 1,\n"optional": [1]}', 'line 2: "optional.0" must be a text.'],
    [
      '{"policy": 1,\n"organizations": [\n{"name": "A"}]}',
      'line 3: "organizations.0.managementUrl" must be a text.',
    ],
    [
      `{"policy": 1,\n"organizations": [{"name": "A",\n${addresses},\n"key": "x"}]}`,
      'line 4: "organizations.0.key" is not known to this version.',
    ],
    [
      `{"policy": 1,\n"organizations": [{"name": "",\n${addresses}}]}`,
      'line 2: "organizations.0.name": Enter a name for the organization.',
    ],
    [
      `{"policy": 1,\n"organizations": [{"name": "A",\n"managementUrl": "http://api.example.com", "metadataUrl": "https://b.example"}]}`,
      'line 3: "organizations.0.managementUrl": The address must begin with https://: over http the subscription key could be read on the way. http is allowed for this computer only.',
    ],
    [
      `{"policy": 1,\n"organizations": [{"name": "A", ${addresses}},\n{"name": "a ", ${addresses}}]}`,
      'line 3: two organizations have the same name.',
    ],
    ['[]', 'line 1: the document must be an object.'],
    ['{"policy": 1', 'line 1: the document is incomplete.'],
  ])('%j locks: %s', (text, problem) => {
    expect(parsed(text).problem).toBe(`${file}, ${problem}`)
  })

  it.each([
    'https://api.example.com',
    'api.example.com:443',
    'api.example.com/',
    'API.example.com',
    'api.example.com.',
    '*',
    'api.*.com',
    '10.0.0.1',
    '[::1]',
    'bücher.example',
    'a b',
    '',
  ])('accepts only names as allowed hosts, not %j', (host) => {
    expect(parsed(`{"policy": 1,\n"allowedHosts": ["a.example",\n${JSON.stringify(host)}]}`).problem).toBe(
      `${file}, line 3: "allowedHosts.1" must be a host name in lower case without port or address, such as "api.example.com" or "*.example.com".`,
    )
  })
  it.each(['localhost', 'a-1.example', '*.example', 'xn--bcher-kva.example'])('accepts %s', (host) => {
    expect(parsed(`{"policy": 1, "allowedHosts": ["${host}"]}`).problem).toBe(null)
  })

  it.each([
    'http://user:secret@proxy.example.com:8080',
    'http://proxy.example.com',
    'https://proxy.example.com:8080',
    'socks5://proxy.example.com:1080',
    'http://proxy.example.com:8080/x',
    'none',
  ])('refuses %s as a proxy and does not repeat it', (proxy) => {
    expect(parsed(`{"policy": 1,\n"proxy": "${proxy}"}`).problem).toBe(
      `${file}, line 2: "proxy" must be "direct" or "http://HOST:PORT" without a sign-in.`,
    )
  })

  it.each<[string, Uint8Array, string]>([
    ['UTF-16 with a mark', Buffer.from('\ufeff{"policy": 1}', 'utf16le'), 'in UTF-8, not in UTF-16'],
    ['UTF-16 without a mark', Buffer.from('{"policy": 1}', 'utf16le'), 'in UTF-8, not in UTF-16'],
    ['Latin-1', Buffer.from('{"policy": 1, "proxy": "\xe9"}', 'latin1'), 'in UTF-8'],
  ])('in %s locks, and nothing of it holds', (_, bytes, must) => {
    expect(parsePolicy(file, bytes)).toEqual({
      settings: null,
      problem: `${file}, line 1: the document must be ${must}.`,
    })
  })
})
