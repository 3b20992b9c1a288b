import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import type { ProductPicture } from '../../electron/contract/api/pictures.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { api } from '../api.ts'
import { throttle } from '../components/throttle.ts'
import { thumbnailOf } from './thumbnail.ts'

/**
 * The reload interval, because pictures arrive one after another after a first sync. Raise it if reloads cost
 * time.
 */
const AGAIN_AFTER_IN_MS = 1_000

const keyOf = ({ vendorId, productId }: ProductId): string => `${vendorId}-${productId}`

/**
 * Classes of the 24 px picture of a product: one for its form, which is drawn until there is a picture, and
 * one for the product itself, for which a CSS rule is added. So no cell of a list is written again when a
 * picture arrives.
 */
export const pictureClass = (
  vendorId: number | undefined,
  productId: number | null,
  name: string | null,
  deviceType: string | null = null,
): string =>
  `${formFactorOf(name, deviceType)}${vendorId === undefined || productId === null ? '' : ` product-${vendorId}-${productId}`}`

/** Pictures of the current organization's products. */
export const usePictures = defineStore('pictures', () => {
  const pictures = shallowRef<ReadonlyMap<string, ProductPicture>>(new Map())
  const sheet = 'replaceSync' in CSSStyleSheet.prototype ? new CSSStyleSheet() : null
  if (sheet !== null) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  /** Address by the id of the picture; null: it cannot be shown. */
  const thumbnails = new Map<string, string | null>()
  let round = 0

  async function load(): Promise<void> {
    const mine = ++round
    const outcome = await api.pictures.list()
    if (mine !== round) return
    const found = outcome.ok ? outcome.value : []
    pictures.value = new Map(found.map((one) => [keyOf(one), one]))
    // Pictures of another organization are removed at once.
    draw(found)
    for (const one of found) {
      if (!thumbnails.has(one.id)) thumbnails.set(one.id, await thumbnailOf(one))
      if (mine !== round) return
    }
    draw(found)
  }
  /**
   * All rules are set at once, because each change recomputes the page's styles. The selector has more
   * classes than that of the drawing in the dark theme.
   */
  function draw(found: readonly ProductPicture[]): void {
    const rules = found.flatMap((one) => {
      const address = thumbnails.get(one.id)
      return address == null
        ? []
        : [
            `:root .picture.picture.product-${keyOf(one)} { background-color: var(--photo); background-image: url("${address}") }`,
          ]
    })
    sheet?.replaceSync(rules.join('\n'))
  }

  return {
    of: (product: ProductId): ProductPicture | null => pictures.value.get(keyOf(product)) ?? null,
    /** To be called if this product is displayed: its picture is fetched if none is stored. */
    async want({ vendorId, productId }: ProductId): Promise<void> {
      const key = keyOf({ vendorId, productId })
      if (pictures.value.has(key)) return
      const outcome = await api.pictures.get({ vendorId, productId })
      if (outcome.ok && outcome.value !== null)
        pictures.value = new Map([...pictures.value, [key, outcome.value]])
    },
    load,
    /** Reloads the pictures when another one is stored; returns the function that stops it. */
    follow(): () => void {
      const throttled = throttle(() => void load(), AGAIN_AFTER_IN_MS)
      const end = api.pictures.changed(throttled.call)
      return () => {
        throttled.stop()
        end()
      }
    },
  }
})
