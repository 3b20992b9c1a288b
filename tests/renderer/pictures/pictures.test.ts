import { describe, expect, it } from 'vitest'
import { usePictures } from '../../../renderer/pictures/pictures-store.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage } from '../page.ts'

/** Loads the data that a sync prefetches. */
const contentRead = (core: TestCore): Promise<unknown> =>
  core.finish(core.handlers.releaseNotes.get({ vendorId: 2830, productId: 9395 }))

const stored = expect.stringMatching(/^\/pictures\/[0-9a-f]{64}$/) as string
/** What the heading of a product's page shows: the address of a picture, or the drawn form. */
async function shownOf(productId: number): Promise<readonly (string | null | undefined)[]> {
  const { page, core } = await openPage(`/firmware/2830/${productId}`, {}, contentRead)
  await core.finish(core.answered('pictures.get'))
  await settle()
  const [image, drawing] = ['img', '.picture'].map((one) => page.find(`.tile ${one}`))
  return [
    image?.exists() ? image.attributes('src') : null,
    drawing?.exists() ? drawing.classes().at(-1) : null,
  ]
}

describe('the picture of a product', () => {
  it('is shown on its page from our own scheme', async () => {
    expect(await shownOf(9395)).toEqual([stored, null])
  })
  it('is the drawing of its form when the service sends no valid one', async () => {
    expect(await shownOf(13824)).toEqual([null, 'camera'])
  })
  it('is the drawing of its form when the window cannot decode it', async () => {
    const { page, core } = await openPage('/firmware/2830/9395', {}, contentRead)
    await core.finish(core.answered('pictures.get'))
    await settle()
    await page.get('.tile img').trigger('error')
    expect([page.find('.tile img').exists(), page.find('.tile .picture.headset-mono').exists()]).toEqual([
      false,
      true,
    ])
  })
  it('is set in every list by one class of the product beside that of its form', async () => {
    const { page } = await openPage('/release-notes')
    const rows = page
      .findAll('[role="option"]')
      .map((row) => [row.find('.title').text(), row.find('.picture').classes()])
    expect(rows.find(([title]) => title === 'Jabra Evolve2 65 Mono')).toEqual([
      'Jabra Evolve2 65 Mono',
      ['picture', 'headset-mono', 'product-2830-9395'],
    ])
  })
  it('of another organization is not shown', async () => {
    const { core } = await openPage('/firmware/2830/9395', {}, contentRead)
    await core.finish(core.answered('pictures.get'))
    await settle()
    const pictures = usePictures()
    const product = { vendorId: 2830, productId: 9395 }
    const previous = pictures.of(product) !== null
    core.fail('pictures.list', { kind: 'bug', reference: 'R1' })
    await pictures.load()
    expect([previous, pictures.of(product)]).toEqual([true, null])
  })
})
