import { expect, it } from 'vitest'
import { expiryOf } from '../../../electron/core/firmware/download-links.ts'

const link = { url: null, refused: null, expiresAt: null, bytes: null, md5: null, raw: {} }

it.each([
  ['se=2026-11-30T10:00:00Z', Date.UTC(2026, 10, 30, 10)],
  ['X-Amz-Date=20261130T100000Z&X-Amz-Expires=600', Date.UTC(2026, 10, 30, 10, 10)],
  ['X-Goog-Date=20261130T100000Z&X-Goog-Expires=600', Date.UTC(2026, 10, 30, 10, 10)],
  ['Expires=1796032800', 1_796_032_800_000],
  // A duration, whose start is not stated.
  ['Expires=3600', null],
  ['Expires=soon', null],
  ['x=1', null],
])('an address with %s expires at %j', (query, expiresAt) => {
  expect(expiryOf({ ...link, url: `https://files.example.com/a.zip?${query}` }, 0)).toBe(expiresAt)
})
