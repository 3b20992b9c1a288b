import { nothing, product } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { ProductId } from './firmware.ts'

/** A picture of a product that is kept on this computer. The window shows it from `pictures/ID` of its own scheme: its bytes never cross here. */
export interface ProductPicture extends ProductId {
  /** SHA-256 of its bytes, hex: another picture has another id. */
  readonly id: string
  readonly width: number
  readonly height: number
}

export const pictures = {
  /** What is kept for the organization; nothing is fetched. */
  list: method(nothing).returns<readonly ProductPicture[]>(),
  /** Fetched where none is kept. null: the content document names none, or none of them can be had. */
  get: method(product).returns<ProductPicture | null>(),
  changed: event<{ readonly count: number }>(),
}
