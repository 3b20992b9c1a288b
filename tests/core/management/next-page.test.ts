import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { nextPageOf } from '../../../electron/core/management/next-page.ts'

const none = { token: null, doubt: null }
const token = (value: string) => ({ token: value, spoken: true, doubt: null })
const unknown = 'It may lead to more pages, but its meaning is not published.'
const anotherType = 'The continuation token is neither text nor a whole number.'
const half = 'The continuation token contains an incomplete character.'
const doubt = (where: string, message: string, followed: string | null = null) => ({
  token: followed,
  spoken: true,
  doubt: { where, message },
})

describe('the continuation token of a page', () => {
  it.each<[string, JsonObject, Record<string, string>, object]>([
    ['as observed', { continuationToken: 'a+/=' }, {}, token('a+/=')],
    ['in the spelling of version 1', { ContinuationToken: 'a' }, {}, token('a')],
    ['in capitals', { CONTINUATIONTOKEN: 'a' }, {}, token('a')],
    ['with separators', { continuation_token: 'a' }, {}, token('a')],
    ['next…', { nextContinuationToken: 'a' }, {}, token('a')],
    ['one level deeper', { paging: { continuationToken: 'a' } }, {}, token('a')],
    ['two levels deeper', { data: { page: { nextPageToken: 'a' } } }, {}, token('a')],
    ['as a number', { continuationToken: 100 }, {}, token('100')],
    ['in a response header', {}, { 'x-continuation-token': 'a' }, token('a')],
    ['in the header of another service', {}, { 'x-ms-continuation': 'a' }, token('a')],
    [
      'the same in two places',
      { continuationToken: 'a', paging: { next: 'a' } },
      { 'x-continuationtoken': 'a' },
      token('a'),
    ],
    [
      'in the address of the next page',
      { nextLink: 'https://elsewhere.example/devices?pageSize=1&continuationToken=a%2B%2F%3D' },
      {},
      token('a+/='),
    ],
    ['in a relative address', { '@odata.nextLink': '/devices/api/devices?$skiptoken=a' }, {}, token('a')],
    ['in the address of a link', { _links: { next: { href: '?ContinuationToken=a' } } }, {}, token('a')],
    [
      'in a list of links',
      {
        links: [
          { rel: 'self', href: '?continuationToken=0' },
          { rel: 'next', href: '?continuationToken=a' },
        ],
      },
      {},
      token('a'),
    ],
    [
      'in the header Link',
      {},
      { link: '</x?continuationToken=0>; rel="prev", </x?continuationToken=a>; rel="next"' },
      token('a'),
    ],
    ['in a separate object', { next: { token: 'a' } }, {}, token('a')],
    ['under next, beginning like an address', { next: '/a+b=' }, {}, token('/a+b=')],
    ['with a flag that agrees', { continuationToken: 'a', hasMore: true }, {}, token('a')],
    ['as a cursor', { pageInfo: { startCursor: '0', endCursor: 'a', hasNextPage: true } }, {}, token('a')],
    [
      'with blanks for plus signs in the address',
      { continuationToken: 'a+b', nextLink: '/x?continuationToken=a%20b' },
      {},
      token('a+b'),
    ],
  ])('%s', (_, envelope, headers, expected) => {
    expect(nextPageOf(envelope, headers)).toEqual(expected)
  })

  it.each<[string, JsonObject, Record<string, string>, boolean]>([
    ['null', { continuationToken: null }, {}, true],
    ['empty', { continuationToken: '' }, {}, true],
    ['false', { next: false }, {}, true],
    ['an empty object', { paging: { next: {} } }, {}, true],
    ['a flag that says so', { hasMore: false }, {}, true],
    ['a text that says so', { hasNextPage: 'false' }, {}, true],
    ['the cursor of the last record', { endCursor: 'a', hasNextPage: false }, {}, true],
    ['an empty header', {}, { 'x-continuation-token': '' }, true],
    [
      'a reference to the previous page',
      { previousPageToken: 'a', currentCursor: 'b', selfLink: '/x' },
      {},
      false,
    ],
    [
      'nothing at all',
      { total: 5, facets: { next: [] } },
      { date: 'today', 'content-type': 'application/json' },
      true,
    ],
    [
      'no member that refers to it',
      { total: 5, links: [{ rel: 'self', href: '?continuationToken=0' }] },
      { link: '</x?token=0>; rel="prev"' },
      false,
    ],
  ])('is absent: %s', (_, envelope, headers, spoken) => {
    expect(nextPageOf(envelope, headers)).toEqual({ ...none, spoken })
  })

  it.each<[string, JsonObject, Record<string, string>, object]>([
    ['another member with token in its name', { pageToken: 'a' }, {}, doubt('pageToken', unknown)],
    [
      'another member with next in its name',
      { meta: { nextThing: 7 } },
      {},
      doubt('meta.nextThing', unknown),
    ],
    ['another member with cursor in its name', { cursor: ['a'] }, {}, doubt('cursor', unknown)],
    ['another header', {}, { 'x-next-thing': 'a' }, doubt('header x-next-thing', unknown)],
    [
      'another member next to a usable token',
      { continuationToken: 'a', nextThing: 'b' },
      {},
      doubt('nextThing', unknown, 'a'),
    ],
    ['a token that is a list', { continuationToken: ['a'] }, {}, doubt('continuationToken', anotherType)],
    ...[' ', [], {}].map((value): [string, JsonObject, Record<string, string>, object] => [
      `a token that is ${JSON.stringify(value)}`,
      { continuationToken: value },
      {},
      doubt('continuationToken', anotherType),
    ]),
    [
      'a token that is a number with a fraction',
      { continuationToken: 1.5 },
      {},
      doubt('continuationToken', anotherType),
    ],
    [
      'a token that is an imprecise number',
      { continuationToken: 2 ** 60 },
      {},
      doubt('continuationToken', anotherType),
    ],
    [
      'a token that is an object of something else',
      { continuationToken: { id: 5 } },
      {},
      doubt('continuationToken', unknown),
    ],
    ['half a character', { continuationToken: 'a\ud800' }, {}, doubt('continuationToken', half)],
    [
      'half a character in an address',
      { nextLink: '/x?continuationToken=a\ud800' },
      {},
      doubt('nextLink', half),
    ],
    ['a page number', { nextPage: 2 }, {}, doubt('nextPage', anotherType)],
    [
      'an address without a token',
      { nextLink: '/devices?page=2' },
      {},
      doubt('nextLink', 'The address in it names no continuation token.'),
    ],
    [
      'a link without an address',
      { links: [{ rel: 'next' }] },
      {},
      doubt('links', 'The address in it names no continuation token.'),
    ],
    [
      'a flag alone',
      { hasMore: true },
      {},
      doubt('hasMore', 'It says that there is more, but names no continuation token.'),
    ],
    [
      'a token that is true',
      { continuationToken: true },
      {},
      doubt('continuationToken', 'It says that there is more, but names no continuation token.'),
    ],
    ['a flag of another type', { hasMore: 'perhaps' }, {}, doubt('hasMore', unknown)],
    [
      'two different tokens',
      { continuationToken: 'a', paging: { nextToken: 'b' } },
      {},
      doubt('continuationToken, paging.nextToken', 'They name different continuation tokens.'),
    ],
    [
      'body and header that differ',
      { next: 'a' },
      { 'x-continuation-token': 'b' },
      doubt('next, header x-continuation-token', 'They name different continuation tokens.'),
    ],
  ])('is uncertain: %s', (_, envelope, headers, expected) => {
    expect(nextPageOf(envelope, headers)).toEqual(expected)
  })

  it('is shown by its name on one line, however long that is', () => {
    const { doubt: reported } = nextPageOf({ [`next\r\n\u202E${'x'.repeat(500)}`]: 1 }, {})
    expect([reported?.where.length, /[\p{Cc}\p{Cf}]/u.test(reported?.where ?? '')]).toEqual([80, false])
  })

  it('never throws for any envelope', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.dictionary(fc.string(), fc.string()),
        (envelope, headers) => {
          const next = nextPageOf(envelope as JsonObject, headers)
          expect(Object.keys(next)).toEqual(['token', 'spoken', 'doubt'])
        },
      ),
    )
  })
})
