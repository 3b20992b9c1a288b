import { nothing, product } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { ProductId } from './firmware.ts'

/**
 * A cached picture of a product. The window loads it from `pictures/ID` of its own scheme: its bytes never
 * cross this interface.
 */
export interface ProductPicture extends ProductId {
  /** SHA-256 of its bytes, hex: another picture has another id. */
  readonly id: string
  readonly width: number
  readonly height: number
}

export const pictures = {
  /** The pictures cached for the organization; sends no request. */
  list: method(nothing).returns<readonly ProductPicture[]>(),
  /** Fetched if not cached. null: the content document names no picture, or none of them is available. */
  get: method(product).returns<ProductPicture | null>(),
  changed: event<{ readonly count: number }>(),
}
