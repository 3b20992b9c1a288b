import { describe, expect, it } from 'vitest'
import { settle, type TestCore } from '../core.ts'
import { openPage } from '../page.ts'

const document = '/content/'
interface ContentRecord {
  readonly productIds: readonly number[]
  readonly productGroupName: string
}
/** The record of Jabra Evolve2 65 Mono says this too; null: there is none, nor one of its group. */
const changed = (more: object | null) => (core: TestCore) =>
  core.service.alter(document, ({ products }: { readonly products: readonly ContentRecord[] }) => ({
    products: products.flatMap((one) =>
      more === null && one.productGroupName === 'Jabra Evolve2 65'
        ? []
        : [one.productIds.includes(9395) ? { ...one, ...more } : one],
    ),
  }))

describe('Release notes', () => {
  it('groups links by what they lead to, each with its host, and those the releases name', async () => {
    const { page, words } = await openPage(
      '/release-notes/2830/9395',
      {},
      changed({ brochure: 'https://www.jabra.com/brochures/jabra-evolve2-65.html' }),
    )
    expect(page.findAll('h3').map((one) => one.text())).toEqual([
      '1 release-notes link for Jabra Evolve2 65 Mono',
      'Release notes',
      'Support',
      'Other',
      'Named by releases',
    ])
    expect(words()).toContain('www.jabra.com /supportpages/jabra-evolve2-65/release-notes')
  })

  it('a link is handed to the program, which asks for its host', async () => {
    const { button, openedOutside } = await openPage('/release-notes/2830/9395')
    await button('Release notes').trigger('click')
    await settle()
    expect(openedOutside).toEqual(['https://www.jabra.com/supportpages/jabra-evolve2-65/release-notes'])
  })

  it('a link over http is shown and cannot be opened', async () => {
    const { page, words } = await openPage(
      '/release-notes/2830/9395',
      {},
      changed({ supportPageUrl: 'http://www.jabra.com/support' }),
    )
    const [, support] = page.findAll('ul')
    expect(words()).toContain('not https: shown, not opened')
    expect(support?.findAll('button').map((one) => one.text())).toEqual([''])
  })

  it('loads no picture from another host', async () => {
    const { page, words } = await openPage('/release-notes/2830/9395')
    expect(page.findAll('img')).toHaveLength(0)
    expect(words()).toContain('2 picture addresses in the record')
  })

  it('a product the content document does not name is told as not published', async () => {
    const { words } = await openPage('/release-notes/2830/9395', {}, changed(null))
    expect(words()).toContain(
      'Not published The content document names no product that matches Jabra Evolve2 65 Mono.',
    )
  })

  it('names no address of releases that name none', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, async (core) => {
      core.service.alter('/vendors/2830/products/9395/firmware-releases', (records: readonly object[]) =>
        records.map((record) => ({ ...record, releaseNotes: undefined, releaseNotesUrl: undefined })),
      )
      // What was read ahead is asked for again.
      core.sleep(26 * 3_600_000)
    })
    expect(page.findAll('h3').map((one) => one.text())).not.toContain('Named by releases')
  })

  it('shows the links where the releases cannot be read', async () => {
    const { page, words } = await openPage('/release-notes/2830/9395', {}, ({ fail }) =>
      fail('firmware.releases', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(page.findAll('h3').map((one) => one.text())).toEqual([
      '1 release-notes link for Jabra Evolve2 65 Mono',
      'Release notes',
      'Support',
    ])
    expect(words()).toContain('Jabra Evolve2 65')
  })

  it('says that what was read before comes from the cache', async () => {
    const { words } = await openPage('/release-notes/2830/9395', {}, async ({ handlers, finish }) => {
      await finish(handlers.releaseNotes.get({ vendorId: 2830, productId: 9395 }))
    })
    expect(words()).toContain(', from the cache')
  })

  it('never read and offline: says so with a way to try again', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, ({ service }) => {
      service.offline = true
    })
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
  })
})
