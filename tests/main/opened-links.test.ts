import { expect, test } from 'vitest'
import { hashOf, linkIn, scriptOf } from '../../electron/main/opened-links.ts'

test.each([
  ['Windows and Linux', ['headroom', 'headroom://room/a'], 'headroom://room/a'],
  [
    'a program run from its sources',
    ['electron', '.', '--headless', 'headroom://room/a'],
    'headroom://room/a',
  ],
  ['a link that is invalid', ['headroom', 'HEADROOM:--cli'], 'HEADROOM:--cli'],
  ['a plain start', ['headroom', '--once'], null],
  ['another scheme', ['headroom', 'https://headroom.example/'], null],
])('parses the link of a start: %s', (_what, words, link) => {
  expect(linkIn(words)).toBe(link)
})

test('a link reaches the page as part of an address; one that cannot be parsed is ignored', () => {
  expect([
    hashOf('headroom://room/a%20b?in=Nordlys'),
    hashOf('headroom://room/..'),
    hashOf("headroom:'; location = 'https://example.com'"),
  ]).toEqual(['#/link?to=headroom%3A%2F%2Froom%2Fa%2520b%3Fin%3DNordlys', '#/link', '#/link'])
})

test('no link escapes the quotes of the script that opens it', () => {
  expect([scriptOf("headroom://room/a'b"), scriptOf('headroom://room/a"b')]).toEqual([
    `location.hash = "#/link?to=headroom%3A%2F%2Froom%2Fa'b"`,
    'location.hash = "#/link"',
  ])
})
