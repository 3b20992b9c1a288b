import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pictureHead } from '../../../electron/core/pictures/picture-file.ts'
import { cases } from '../../setup/cases.ts'
import { gif, jpeg, patched, png, webp } from './some-pictures.ts'

const side = { width: 224, height: 224 }
/** The position of the JPEG frame: marker, length, depth, height, width. */
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
const frameOfWebp = webp.indexOf('VP8 ') + 8
const riff = (name: string, data: readonly number[]): Buffer => {
  const chunk = Buffer.from([...Buffer.from(name), data.length, 0, 0, 0, ...data])
  return Buffer.from([...Buffer.from('RIFF'), chunk.length + 4, 0, 0, 0, ...Buffer.from('WEBP'), ...chunk])
}
/** 300 by 200: each stored as one less, in 14 bits. */
const lossless = riff('VP8L', [0x2f, 299 & 0xff, (299 >> 8) | ((199 & 0x3) << 6), 199 >> 2, 0, 0])
const animated = Buffer.from(
  [
    ['VP8X', [2, 0, 0, 0, 99, 0, 0, 49, 0, 0]],
    ['ANMF', [0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0, 0, 0, 0, 0]],
  ].reduce<number[]>(
    (bytes, [name, data]) => [...bytes, ...riff(String(name), data as number[]).subarray(12)],
    [...Buffer.from('RIFF'), 46, 0, 0, 0, ...Buffer.from('WEBP')],
  ),
)

describe('parsing a picture by its header', () => {
  it.each([
    ['PNG', png, { type: 'image/png', ...side }],
    ['JPEG', jpeg, { type: 'image/jpeg', ...side }],
    ['WebP with loss', webp, { type: 'image/webp', ...side }],
    ['WebP without loss', lossless, { type: 'image/webp', width: 300, height: 200 }],
    ['an animated WebP', animated, { type: 'image/webp', width: 100, height: 50 }],
    ['GIF', gif, { type: 'image/gif', ...side }],
    ['bytes after the end', Buffer.concat([png, Buffer.from('more')]), { type: 'image/png', ...side }],
    [
      'a PNG with chunks of other kinds',
      Buffer.concat([png.subarray(0, 33), Buffer.from('\0\0\0\0tEXt\0\0\0\0', 'latin1'), png.subarray(33)]),
      { type: 'image/png', ...side },
    ],
    ['4,096 pixels', patched(png, 16, 0, 0, 0x10, 0), { type: 'image/png', width: 4_096, height: 224 }],
  ])('%s', (_, bytes, head) => {
    expect(pictureHead(bytes)).toEqual(head)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    [
      'a drawing with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>'),
    ],
    ['a page', Buffer.from('<!doctype html><title>Sign in</title>')],
    [
      'an HTML page after the first bytes of a PNG',
      Buffer.concat([png.subarray(0, 8), Buffer.from('<html>')]),
    ],
    ['4,097 pixels', patched(png, 16, 0, 0, 0x10, 1)],
    ['4,097 pixels down', patched(png, 20, 0, 0, 0x10, 1)],
    ['no pixels', patched(png, 16, 0, 0, 0, 0)],
    ['a PNG without a header', Buffer.concat([png.subarray(0, 8), png.subarray(33)])],
    ['a PNG without pixels', Buffer.concat([png.subarray(0, 33), png.subarray(-12)])],
    ['a PNG with two headers', Buffer.concat([png.subarray(0, 33), png.subarray(8)])],
    [
      'a PNG with a header of 12 bytes',
      Buffer.concat([patched(png, 8, 0, 0, 0, 12).subarray(0, 32), png.subarray(33)]),
    ],
    ['a chunk that is longer than the file', patched(png, 33, 0x7f, 0xff, 0xff, 0xff)],
    ['a JPEG of 65,535 pixels', patched(jpeg, frameAt + 5, 0xff, 0xff)],
    ['a JPEG whose height comes later', patched(jpeg, frameAt + 5, 0, 0)],
    ['a JPEG with bytes between its segments', patched(jpeg, 2, 0)],
    ['a GIF without a frame', Buffer.from('GIF89a\x10\0\x10\0\0\0\0;', 'latin1')],
    ['a GIF with a frame of 65,535 pixels', patched(gif, gif.indexOf(0x2c, 781) + 5, 0xff, 0xff)],
    ['a WebP that states a greater length', patched(webp, 4, 0xff, 0xff, 0, 0)],
    ['a WebP with half a chunk', Buffer.from('RIFF\x08\0\0\0WEBPVP8L', 'latin1')],
    [
      'a WebP with a chunk that is longer than the file',
      Buffer.from('RIFF\x0e\0\0\0WEBPVP8L\xff\0\0\0\0\0', 'latin1'),
    ],
    ['a WebP without a key frame', patched(webp, frameOfWebp, (webp[frameOfWebp] ?? 0) | 1)],
    ['a file of more than 5 MB', Buffer.concat([png, Buffer.alloc(5_000_001 - png.length)])],
  ])('%s is rejected', (_, bytes) => {
    expect(pictureHead(bytes)).toBeNull()
  })

  it.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['WebP', webp],
    ['GIF', gif],
  ])('a truncated %s is rejected, at any length', (_, bytes) => {
    const taken = Array.from({ length: bytes.length }, (__, length) => bytes.subarray(0, length)).filter(
      (cut) => pictureHead(cut) !== null,
    )
    expect(taken).toEqual([])
  })

  it('any change of any bytes is a picture within the limits, or rejected', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(png, jpeg, webp, gif, lossless, animated),
        fc.array(fc.tuple(fc.nat(1_000), fc.nat(255)), { maxLength: 12 }),
        fc.nat(2_000),
        (bytes, changes, cut) => {
          const odd = Buffer.from(bytes.subarray(0, bytes.length - cut))
          for (const [at, value] of changes) if (at < odd.length) odd[at] = value
          const head = pictureHead(odd)
          expect(head === null || (head.width <= 4_096 && head.height <= 4_096)).toBe(true)
        },
      ),
      { numRuns: cases(2_000) },
    )
  })
})
