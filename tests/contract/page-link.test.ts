import { describe, expect, test } from 'vitest'
import { linkTo, parseLink, type PageLink } from '../../electron/contract/page-link.ts'

const room = '7d0c2a4e-0b6f-4f43-9f4c-3a1f3b6f0c11'

const links: readonly (readonly [string, PageLink])[] = [
  [`headroom://room/${room}`, { kind: 'room', id: room, organization: null }],
  [
    'headroom://device/a%20b%26c%3Fd?in=Nordlys%20A%2FS%20%26%20S%C3%B8n',
    { kind: 'device', id: 'a b&c?d', organization: 'Nordlys A/S & Søn' },
  ],
  ['headroom://product/2830/9379', { kind: 'product', vendorId: 2830, productId: 9379, organization: null }],
  ['headroom://view/overview', { kind: 'view', page: 'overview', where: '', organization: null }],
  [
    'headroom://view/devices?where=status%3Aoffline%20fw%3A%3C2.1&in=Nordlys',
    { kind: 'view', page: 'devices', where: 'status:offline fw:<2.1', organization: 'Nordlys' },
  ],
]

describe('a link to a page', () => {
  test.each(links)('%s is written and parsed again', (text, link) => {
    expect([linkTo(link), parseLink(text)]).toEqual([text, link])
  })

  test.each([
    ['nothing', ''],
    ['another scheme', `https://room/${room}`],
    ['a scheme that only begins like ours', `headrooms://room/${room}`],
    ['a scheme in capitals', `HEADROOM://room/${room}`],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['no slashes', `headroom:room/${room}`],
    ['a user and a password', `headroom://me:secret@room/${room}`],
    ['a port', `headroom://room:80/${room}`],
    ['a kind that is unknown', `headroom://reboot/${room}`],
    ['a kind in capitals', `headroom://Room/${room}`],
    ['the name of a member of every object', 'headroom://constructor/prototype'],
    ['no kind', `headroom:///${room}`],
    ['no id', 'headroom://room'],
    ['an empty id', 'headroom://room/'],
    ['a slash at the end', `headroom://room/${room}/`],
    ['an extra part', `headroom://room/${room}/reboot`],
    ['a folder above', 'headroom://room/..'],
    ['a folder above, encoded', 'headroom://room/%2e%2e'],
    ['a folder above within a part', 'headroom://room/..%2F..%2Fetc'],
    ['a backslash', 'headroom://room/a%5Cb'],
    ['an encoded letter that needs no encoding', 'headroom://room/%61'],
    ['an encoding in small letters', 'headroom://room/a%3fb'],
    ['a second encoding', 'headroom://view/devices?where=a%2520b&where=c'],
    ['half an encoding', 'headroom://room/%'],
    ['bytes that are no text', 'headroom://room/%ff%fe'],
    ['half a character', 'headroom://room/\ud800'],
    ['a line break', `headroom://room/${room}\n`],
    ['an encoded line break', `headroom://room/${room}%0A--cli`],
    ['a null', `headroom://room/${room}%00`],
    ['a character that changes the direction of text', 'headroom://room/a%E2%80%AEb'],
    ['a blank and a switch', `headroom://room/${room} --cli`],
    ['a quotation mark', `headroom://room/${room}" --cli "`],
    ['a fragment', `headroom://room/${room}#/jobs`],
    ['an empty query', `headroom://room/${room}?`],
    ['a member that is unknown', `headroom://room/${room}?do=reboot`],
    ['a filter of one room', `headroom://room/${room}?where=status%3Aoffline`],
    ['the same member twice', `headroom://room/${room}?in=a&in=b`],
    ['members in another order', 'headroom://view/devices?in=a&where=b'],
    ['a member without a value', `headroom://room/${room}?in`],
    ['an empty organization', `headroom://room/${room}?in=`],
    ['a plus sign for a blank', 'headroom://view/devices?where=a+b'],
    ['one of two numbers', 'headroom://product/2830'],
    ['a third number', 'headroom://product/2830/9379/1'],
    ['a number in another notation', 'headroom://product/0xB0E/9379'],
    ['a number that no product has', 'headroom://product/2830/-1'],
    ['a very long one', `headroom://room/${'a'.repeat(2_000)}`],
    ['an extremely long one', `headroom://room/${'%41'.repeat(1_000_000)}`],
  ])('%s is rejected', (_what, text) => {
    expect(parseLink(text)).toBeNull()
  })

  test.each([
    ['an id of dots', { kind: 'room', id: '..', organization: null }],
    ['an id with a slash', { kind: 'device', id: 'a/b', organization: null }],
    ['an id with invisible characters', { kind: 'device', id: 'a\u202eb', organization: null }],
    ['half a character', { kind: 'device', id: '\ud800', organization: null }],
    [
      'a filter that is too long',
      { kind: 'view', page: 'rooms', where: 'a'.repeat(2_000), organization: null },
    ],
  ] satisfies [string, PageLink][])('%s cannot be written', (_what, link) => {
    expect(linkTo(link)).toBeNull()
  })
})
