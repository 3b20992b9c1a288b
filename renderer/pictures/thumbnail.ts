import type { ProductPicture } from '../../electron/contract/api/pictures.ts'

/** Twice the 24 px of a list: sharp on screens with two dots per pixel. */
const side = 48

export const pictureAddress = ({ id }: Pick<ProductPicture, 'id'>): string => `/pictures/${id}`

/**
 * A small copy as a `data:` address: otherwise lists would decode the picture in full size and keep it in
 * memory. Created when the window is idle. null: it cannot be shown.
 */
export async function thumbnailOf(picture: ProductPicture): Promise<string | null> {
  if (!('createImageBitmap' in globalThis)) return null
  try {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))
    const answer = await fetch(pictureAddress(picture))
    if (!answer.ok) return null
    const isWide = picture.width >= picture.height
    const bitmap = await createImageBitmap(await answer.blob(), {
      ...(isWide ? { resizeWidth: side } : { resizeHeight: side }),
      resizeQuality: 'high',
    })
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = side
    const scale = side / Math.max(bitmap.width, bitmap.height)
    const [width, height] = [bitmap.width * scale, bitmap.height * scale]
    canvas.getContext('2d')?.drawImage(bitmap, (side - width) / 2, (side - height) / 2, width, height)
    bitmap.close()
    return canvas.toDataURL()
  } catch {
    return null
  }
}
