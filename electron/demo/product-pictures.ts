import { Buffer } from 'node:buffer'
import type { Answer } from './answer.ts'
import { empty, resourceNotFound } from './answer.ts'
import { products, type Product } from './catalogue.ts'
import drawings from './data/pictures.json' with { type: 'json' }
import type { Kind } from './product-lines.ts'
import { numberOf } from './random.ts'

/**
 * Pictures of products: one drawing for each form, some of them invalid. All are made up;
 * tests/demo/make-pictures.ts draws them.
 */

const drawingOf: Readonly<Record<Kind, keyof typeof drawings>> = {
  headset: 'headset-stereo',
  earbuds: 'earbuds',
  adapter: 'dongle',
  base: 'headset-stereo',
  stand: 'base',
  speaker: 'speakerphone',
  video: 'video-bar',
  bar: 'video-bar',
  controller: 'controller',
  scheduler: 'panel',
  accessory: 'camera',
  partner: 'unknown-device',
}

const drawingsByName = [
  [/\bMono\b/, 'headset-mono'],
  [/\bPanaCast (20|Reach|U30)\b/, 'camera'],
  [/\bEvolve 75e\b/, 'earbuds'],
  [/display/, 'panel'],
] as const

type Twist =
  | 'cut'
  | 'too-many-bytes'
  | 'too-many-pixels'
  | 'drawing-with-script'
  | 'page'
  | 'sent-on'
  | 'led-away'
/** Products whose pictures must not be shown, and one whose picture is behind a redirect. */
const twists: Readonly<Record<number, Twist>> = {
  13825: 'cut',
  11879: 'too-many-bytes',
  12353: 'too-many-pixels',
  13824: 'drawing-with-script',
  12434: 'page',
  12417: 'led-away',
  12432: 'sent-on',
}

export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
const bySlug = new Map(products.map((product) => [slugOf(product.name), product]))

export const pictureLink = (origin: string, product: Product, size: '1280' | 'thumbnail'): string =>
  `${origin}/pictures/${slugOf(product.name)}-${size}.png`

const pictureOf = (product: Product): { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> } => {
  const named = drawingsByName.find(([pattern]) => pattern.test(product.name))?.[1]
  const { type, base64 } = drawings[named ?? drawingOf[product.kind]]
  return { type, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) }
}

const pixelsAt = 16
const withPixels = (bytes: Uint8Array<ArrayBuffer>, pixels: number): Uint8Array<ArrayBuffer> => {
  const changed = Uint8Array.from(bytes)
  new DataView(changed.buffer).setUint32(pixelsAt, pixels)
  return changed
}

/** `path` after `/pictures/`. A redirect leads to a name with `-sent-on`, or to another host. */
export const pictureResponse = (path: string): Answer => {
  const [, slug = '', sentOn] = /^([a-z0-9-]+?)(-sent-on)?-(?:1280|thumbnail)\.png$/.exec(path) ?? []
  const product = bySlug.get(slug)
  if (product === undefined) return resourceNotFound()
  const { type, bytes } = pictureOf(product)
  const ofType = (as: string, body: Answer['body']): Answer => ({
    status: 200,
    headers: { 'content-type': as, 'cache-control': 'public, max-age=86400' },
    body,
  })
  const [variant] = product.variants
  switch (sentOn === undefined ? twists[variant?.productId ?? numberOf(slug)] : undefined) {
    case 'cut':
      return ofType(type, bytes.subarray(0, Math.floor(bytes.length / 2)))
    case 'too-many-bytes': {
      const large = new Uint8Array(5_200_000)
      large.set(bytes)
      return ofType(type, large)
    }
    case 'too-many-pixels':
      return ofType(type, withPixels(bytes, 8_192))
    case 'drawing-with-script':
      return ofType(
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>document.title="planted"</script><circle r="9"/></svg>',
      )
    case 'page':
      return ofType(
        'image/png',
        '<!doctype html><title>Sign in</title><script>document.title="planted"</script>',
      )
    case 'sent-on':
      return empty(302, { location: path.replace(slug, `${slug}-sent-on`) })
    case 'led-away':
      return empty(302, { location: `https://pictures.example/${path}` })
    case undefined:
      return ofType(type, bytes)
  }
}
