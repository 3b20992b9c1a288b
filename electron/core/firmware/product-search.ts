import { largestProductId } from '../../contract/firmware.ts'
import type { ListedProduct } from './product-list.ts'

/**
 * Every product the text may mean: by id in any notation first, then by its words, all of which must match.
 */
export function search(products: readonly ListedProduct[], text: string): readonly ListedProduct[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return products
  const byId = withTypedId(products, text)
  const whole = words.join(' ')
  const rank = (product: ListedProduct): number =>
    product.names.some((name) => plain(name).startsWith(plain(whole))) ? 0 : 1
  const byWords = products.filter(
    (product) => words.every((word) => product.searched.includes(word)) && !byId.includes(product),
  )
  return [
    ...byId,
    ...byWords
      .map((product) => ({ product, rank: rank(product) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ product }) => product),
  ]
}

/** Products with a typed id, decimal readings before hexadecimal ones. */
export function withTypedId(products: readonly ListedProduct[], text: string): readonly ListedProduct[] {
  const typed = idsTyped(text)
  if (typed === null) return []
  return typed.productIds.flatMap((id) =>
    products.filter(
      (product) => product.productId === id && (typed.vendorId ?? product.vendorId) === product.vendorId,
    ),
  )
}

/** A name without the parts people omit: case, trade marks, double blanks and the maker's name in front. */
export const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[™®]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^jabra /, '')

/** A product id as typed. `productIds` in order of preference; `vendorId` null if none was given. */
export interface TypedIds {
  readonly vendorId: number | null
  readonly productIds: readonly number[]
}

/**
 * Parses `9395`, `0x24B3`, `24b3`, `VID_0B0E&PID_24B3` (Windows hardware ids, with surrounding text),
 * `0b0e:24b3` (lsusb, also its whole line), `usb:v0B0Ep24B3…` (Linux modalias), `Product ID: 0x24b3` with
 * `Vendor ID: 0x0b0e` (macOS) and `2830/9395`. Digits alone are decimal first, hexadecimal second. null: no
 * id.
 */
export function idsTyped(text: string): TypedIds | null {
  const typed = text.trim()
  const windows = /vid_([0-9a-f]{1,4}).{0,3}?pid_([0-9a-f]{1,4})/i.exec(typed)
  if (windows !== null) return { vendorId: fromHex(windows[1]), productIds: [fromHex(windows[2])] }
  const lonePid = /^pid_([0-9a-f]{1,4})$/i.exec(typed)
  if (lonePid !== null) return { vendorId: null, productIds: [fromHex(lonePid[1])] }
  const usb =
    /^(?:0x)?([0-9a-f]{4}):(?:0x)?([0-9a-f]{4})$/i.exec(typed) ??
    /\bID ([0-9a-f]{4}):([0-9a-f]{4})\b/i.exec(typed) ??
    /^usb:v([0-9a-f]{4})p([0-9a-f]{4})/i.exec(typed)
  if (usb !== null) return { vendorId: fromHex(usb[1]), productIds: [fromHex(usb[2])] }
  const product = numberNamed('product', typed)
  if (product !== null) return { vendorId: numberNamed('vendor', typed), productIds: [product] }
  const pair = /^(0x[0-9a-f]{1,8}|\d{1,10})\s*\/\s*(0x[0-9a-f]{1,8}|\d{1,10})$/i.exec(typed)
  if (pair !== null) {
    const [vendorId, productId] = [Number(pair[1]), Number(pair[2])]
    return vendorId > largestProductId || productId > largestProductId
      ? null
      : { vendorId, productIds: [productId] }
  }
  const productIds = [
    ...(/^\d{1,10}$/.test(typed) ? [Number(typed)] : []),
    ...(/^(0x)?[0-9a-f]{1,8}$/i.test(typed) ? [fromHex(typed)] : []),
  ]
  const usable = [...new Set(productIds)].filter((id) => id <= largestProductId)
  return usable.length === 0 ? null : { vendorId: null, productIds: usable }
}

/** `Product ID: 0x24b3` (macOS System Information), `"idProduct" = 9395` (ioreg), `idProduct 0x24b3` (lsusb -v). */
function numberNamed(what: 'product' | 'vendor', text: string): number | null {
  const found = new RegExp(`(?:${what} id|id${what})"?\\s*[:=]?\\s*(0x[0-9a-f]{1,4}|\\d{1,5})\\b`, 'i').exec(
    text,
  )
  return found?.[1] === undefined ? null : Number(found[1])
}

const fromHex = (digits: string | undefined): number =>
  Number.parseInt((digits ?? '').replace(/^0x/i, ''), 16)
