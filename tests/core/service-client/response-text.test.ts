import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorMessage, parseJson, Unreadable } from '../../../electron/core/service-client/response-text.ts'
import { answer } from '../../fake-transport.ts'
import { aManagementClient, call } from './a-request.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }
const signIn = 'an HTML page instead of JSON, perhaps of a proxy or a sign-in page'

describe('a successful response without data is an error with its place, never data', () => {
  it.each([
    ['an HTML page', '<!DOCTYPE html><html>', html, 'content type', signIn],
    ['an HTML page that claims to be JSON', ' <html><body>Sign in</body></html>', {}, 'body', signIn],
    [
      'plain text',
      'Internal error',
      { 'content-type': 'text/plain' },
      'content type',
      'text/plain instead of JSON',
    ],
    [
      'bytes of an unspecific type',
      '\u0000\u0001',
      { 'content-type': 'application/octet-stream' },
      'content type',
      'application/octet-stream instead of JSON',
    ],
    [
      'JSON of the wrong type',
      '{"items":[]}',
      { 'content-type': 'application/xml' },
      'content type',
      'application/xml instead of JSON',
    ],
    [
      'XML',
      '<error/>',
      { 'content-type': 'application/xml' },
      'content type',
      'application/xml instead of JSON',
    ],
    ['an empty body', '', {}, 'body', 'the body is empty'],
    ['white space', ' \r\n', {}, 'body', 'the body is empty'],
    [
      'truncated JSON',
      '{"items":[{"id":"a"},{"i',
      {},
      'body, character 24 of 24',
      'the JSON is damaged or incomplete',
    ],
    [
      'truncated JSON after a comma',
      '{"items":[1,',
      {},
      'body, within 12 characters',
      'the JSON is damaged or incomplete',
    ],
    ['damaged JSON', '{"items":[1 2]}', {}, 'body, character 13 of 15', 'the JSON is damaged or incomplete'],
    ['two documents', '{} {}', {}, 'body, character 4 of 5', 'the JSON is damaged or incomplete'],
    ['a text', '"Internal error"', {}, 'body', 'a single string instead of data'],
    ['a number', '42', {}, 'body', 'a single number instead of data'],
    ['null', 'null', {}, 'body', 'a single null instead of data'],
    [
      'an error of the gateway',
      '{"statusCode":500,"message":"Internal server error"}',
      {},
      'body',
      'an error message inside a successful answer',
    ],
    [
      'problem details',
      '{"type":"about:blank","title":"Oops","status":500,"traceId":"1"}',
      {},
      'body',
      'an error message inside a successful answer',
    ],
    ['an error text', '{"error":"no such thing"}', {}, 'body', 'an error message inside a successful answer'],
    [
      'an error with an empty list',
      '{"code":13,"message":"try later","details":[]}',
      {},
      'body',
      'an error message inside a successful answer',
    ],
    [
      'problem details with an empty list',
      '{"title":"Oops","status":500,"details":[]}',
      {},
      'body',
      'an error message inside a successful answer',
    ],
    [
      'endless nesting',
      `${'['.repeat(501)}${']'.repeat(501)}`,
      {},
      'body',
      'more than 500 levels of nesting',
    ],
    [
      'endless nesting after a text with quotes',
      `{${JSON.stringify('\\"')}:${'['.repeat(500)}${']'.repeat(500)}}`,
      {},
      'body',
      'more than 500 levels of nesting',
    ],
    ['only a message', '{"message":"try later"}', {}, 'body', 'an error message inside a successful answer'],
  ])('%s', async (_, body, headers, where, message) => {
    const { run, transport } = await aManagementClient(() => answer(200, body, headers))
    const { failure } = await run()
    expect(failure).toEqual({ kind: 'unreadable-answer', call, where, message })
    expect(transport.attempts).toHaveLength(1)
  })

  it.each([
    ['an object', '{"items":[]}', {}],
    ['an array', '[]', {}],
    ['an empty object', '{}', {}],
    ['with a byte order mark', '\uFEFF{"items":[]}', {}],
    ['of a derived type', '{"a":1}', { 'content-type': 'application/vnd.api+json; charset=utf-8' }],
    ['of no type', '{"a":1}', { 'content-type': '' }],
    ['declared as plain text', '{"a":1}', { 'content-type': 'text/plain; charset=utf-8' }],
    ['called bytes', '{"a":1}', { 'content-type': 'application/octet-stream' }],
    ['with a status that is a text', '{"status":"Online","id":"1"}', {}],
    ['nested 500 times', `${'['.repeat(500)}${']'.repeat(500)}`, {}],
    [
      'with brackets in texts',
      JSON.stringify([`\\"${'['.repeat(501)}\\`, '{'.repeat(501), '\\'.repeat(7)]),
      {},
    ],
    ['with many lists next to each other', `[${'[],'.repeat(2000)}[]]`, {}],
    ['with a message among other members', '{"message":"hello","id":"1"}', {}],
  ])('accepts data: %s', (_, body, headers) => {
    expect(parseJson(answer(200, body, headers as Record<string, string>))).toEqual(
      JSON.parse(body.replace('\uFEFF', '')),
    )
  })

  it('returns data or Unreadable for any body, without quoting the body in the error', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (body) => {
        try {
          parseJson(answer(200, body))
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable)
          expect((error as Unreadable).message + (error as Unreadable).where).not.toContain(body)
        }
      }),
    )
  })
})

const knownKeys = (keys: readonly string[]): KnownKeys => {
  const known = new KnownKeys()
  for (const key of keys) known.add(key)
  return known
}

describe('an error message of a service', () => {
  const keys = ['0123456789abcdef0123456789abcdef']
  it.each<[string, string, Record<string, string>, string | null]>([
    ['the gateway', '{"statusCode":404,"message":"Resource not found"}', {}, 'Resource not found'],
    [
      'problem details',
      '{"title":"Bad Request","detail":"pageSize"}',
      { 'content-type': 'application/problem+json' },
      'Bad Request: pageSize',
    ],
    [
      'problem details with fields',
      '{"title":"Invalid","errors":{"pageSize":["too large","odd"]}}',
      {},
      'Invalid: pageSize: too large, odd',
    ],
    [
      'problem details in sentences',
      '{"title":"Errors occurred.","errors":{"pageSize":["Must be 1 to 500."]}}',
      {},
      'Errors occurred: pageSize: Must be 1 to 500.',
    ],
    [
      'an error object',
      '{"error":{"code":"X","message":"Unsupported api-version"}}',
      {},
      'Unsupported api-version',
    ],
    ['an error text', '{"error":"nope"}', {}, 'nope'],
    ['a JSON text', '"nope"', {}, 'nope'],
    ['plain text', 'Service unavailable', { 'content-type': 'text/plain' }, 'Service unavailable'],
    ['text over several lines', 'a\r\n\tb\u202Ec', {}, 'a b c'],
    ['HTML', '<html><h1>502</h1></html>', html, 'an HTML page instead of an error message'],
    [
      'HTML without a type',
      '<!doctype html><p>no',
      { 'content-type': '' },
      'an HTML page instead of an error message',
    ],
    ['nothing', '', {}, null],
    ['JSON that says nothing', '{"a":1}', {}, null],
    ['a list', '["a"]', {}, null],
    ['a message that is no text', '{"message":{"a":1}}', {}, null],
    ['a text with the key in it', `key ${keys[0]} is unknown`, {}, 'key [subscription key] is unknown'],
  ])('%s', (_, body, headers, expected) => {
    expect(errorMessage(answer(500, body, headers), knownKeys(keys))).toBe(expected)
  })

  it('is cut at 300 characters', () => {
    const message = errorMessage(
      answer(500, 'x'.repeat(5_000), { 'content-type': 'text/plain' }),
      knownKeys([]),
    )
    expect({ length: message?.length, end: message?.at(-1) }).toEqual({ length: 300, end: '…' })
  })

  it('never contains a key, anywhere in the text', () => {
    const known = knownKeys(keys)
    const cleanedText = (text: string): string =>
      errorMessage(answer(500, JSON.stringify({ message: text })), known) ?? ''
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (before, after) => !cleanedText(before + keys[0] + after).includes(keys[0]!),
      ),
    )
  })

  it('reaches the technician without the key that was sent', async () => {
    const { run } = await aManagementClient(({ headers }) =>
      answer(400, { message: `bad ${headers['Ocp-Apim-Subscription-Key']}` }),
    )
    expect((await run()).failure).toMatchObject({ kind: 'refused', message: 'bad [subscription key]' })
  })
})
