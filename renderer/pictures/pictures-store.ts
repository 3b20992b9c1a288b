import { defineStore } from 'pinia'
import { computed, shallowReactive } from 'vue'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import type { ProductPicture } from '../../electron/contract/api/pictures.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { done } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'
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
  const listed = latestResult<readonly ProductPicture[]>()
  /** Pictures that were asked for after the list, by product. */
  const wanted = shallowReactive(new Map<string, LatestResult<ProductPicture | null>>())
  const pictures = computed(() => new Map((listed.value.value ?? []).map((one) => [keyOf(one), one])))
  const pictureOf = (key: string): ProductPicture | null =>
    pictures.value.get(key) ?? wanted.get(key)?.value.value ?? null
  const drawn = latestResult<readonly ProductPicture[]>()
  const sheet = 'replaceSync' in CSSStyleSheet.prototype ? new CSSStyleSheet() : null
  if (sheet !== null) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  /** Address by the id of the picture; null: it cannot be shown. */
  const thumbnails = new Map<string, string | null>()

  async function load(): Promise<void> {
    wanted.clear()
    const request = api.pictures.list().then((outcome) => done(outcome.ok ? outcome.value : []))
    if (!(await listed.take(request))) return
    const found = listed.value.value ?? []
    // Pictures of another organization are removed at once.
    draw(found)
    if (await drawn.take(withThumbnails(found))) draw(found)
  }
  async function withThumbnails(found: readonly ProductPicture[]) {
    for (const one of found) if (!thumbnails.has(one.id)) thumbnails.set(one.id, await thumbnailOf(one))
    return done(found)
  }
  /**
   * All rules are set at once, because each change recomputes the page's styles. Pictures are made for a white page:
   * their white takes the colour of the row (multiply), and lists of the dark theme keep the drawings.
   */
  function draw(found: readonly ProductPicture[]): void {
    const rules = found.flatMap((one) => {
      const address = thumbnails.get(one.id)
      return address == null
        ? []
        : [
            `:root:not([data-theme='dark']) .picture.product-${keyOf(one)} { background-color: var(--under); background-blend-mode: multiply; background-image: url("${address}") }`,
          ]
    })
    sheet?.replaceSync(rules.join('\n'))
  }

  return {
    of: (product: ProductId): ProductPicture | null => pictureOf(keyOf(product)),
    /** To be called if this product is displayed: its picture is fetched if none is stored. */
    async want({ vendorId, productId }: ProductId): Promise<void> {
      const key = keyOf({ vendorId, productId })
      if (pictureOf(key) !== null) return
      const picture = wanted.get(key) ?? latestResult<ProductPicture | null>()
      wanted.set(key, picture)
      await picture.take(api.pictures.get({ vendorId, productId }))
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
