import { describe, expect, it } from 'vitest'
import { formatDay } from '../../../renderer/components/format.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage, textIn, type OpenedPage } from '../page.ts'

const document = '/content/'
interface ContentRecord {
  readonly productIds: readonly number[]
  readonly productGroupName: string
}
/** Additional members in the record of Jabra Evolve2 65 Mono; null: there is no record, nor one of its group. */
const changed = (more: object | null) => (core: TestCore) =>
  core.service.alter(document, ({ products }: { readonly products: readonly ContentRecord[] }) => ({
    products: products.flatMap((one) =>
      more === null && one.productGroupName === 'Jabra Evolve2 65'
        ? []
        : [one.productIds.includes(9395) ? { ...one, ...more } : one],
    ),
  }))

/** The page with its links shown. */
async function openLinks(...given: Parameters<typeof openPage>): Promise<OpenedPage> {
  const opened = await openPage(...given)
  await opened.page
    .findAll('[role="tab"]')
    .find((tab) => tab.text().startsWith('Links'))
    ?.trigger('click')
  return opened
}

describe('Release notes', () => {
  const releaseNotes = [
    { version: '2.9.2', html: '<h2>Fixes</h2><ul><li>mute</ul><a href="https://www.jabra.com/a">a page</a>' },
    { version: '2.9.1', text: 'Adds ringtones' },
    { version: '2.9.0', text: 'Older' },
    'For every version',
  ]

  it('shows what is new, newest first, then links of the product', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, changed({ releaseNotes }))
    expect(page.findAll('article').map((one) => textIn(one.element))).toEqual([
      expect.stringMatching(/^2\.9\.2 .*Fixes mute a page$/),
      expect.stringMatching(/^2\.9\.1 .*Adds ringtones$/),
      expect.stringMatching(/^2\.9\.0 .*Older$/),
      expect.stringMatching(/^2\.7\.2 .*No notes published\.$/),
      expect.stringMatching(/^2\.6\.2 .*No notes published\.$/),
      'Product For every version',
    ])
  })

  it.each(['', '?since=2.7.2'])(
    'counts in its tab what is listed, with and without a text %s',
    async (since) => {
      const some = releaseNotes.filter((note) => typeof note === 'string' || note.version !== '2.9.1')
      const { page } = await openPage(`/release-notes/2830/9395${since}`, {}, changed({ releaseNotes: some }))
      const tab = page.findAll('[role="tab"]').find((one) => one.text().startsWith('Notes'))!
      expect(textIn(tab.element)).toBe(`Notes ${page.findAll('article').length}`)
    },
  )

  it('shows the changes since the installed version, which is in the address', async () => {
    const { page, words } = await openPage(
      '/release-notes/2830/9395?since=2.9.0',
      {},
      changed({ releaseNotes }),
    )
    expect(page.findAll('article h3').map((one) => one.text())).toEqual(['2.9.2', '2.9.1'])
    expect(words()).toContain('2 release notes after 2.9.0')
  })

  it('lists versions without a text among the others, but not in a search', async () => {
    const some = releaseNotes.filter((note) => typeof note === 'string' || note.version !== '2.9.1')
    const { page } = await openPage('/release-notes/2830/9395', {}, changed({ releaseNotes: some }))
    const listed = (): readonly string[] =>
      page.findAll('article').map((one) => `${one.get('h3').text()}: ${textIn(one.get('.body').element)}`)
    const before = listed().slice(0, 3)
    const search = page.get('[role="tabpanel"] input')
    await search.setValue('older')
    await search.trigger('keydown', { key: 'Enter' })
    await settle()
    expect([before, listed()]).toEqual([
      ['2.9.2: Fixes mute a page', '2.9.1: No notes published.', '2.9.0: Older'],
      ['2.9.0: Older'],
    ])
  })

  it('leads back to Firmware', async () => {
    const { page } = await openPage('/release-notes/2830/9395')
    expect(page.get('.page > header a').attributes('href')).toBe('#/firmware')
  })

  it('says of each version when it was released and how many of yours run it', async () => {
    const { page, core } = await openPage('/release-notes/2830/9395', {}, changed({ releaseNotes }))
    const { releases } = await core.handlers.firmware.releases({ vendorId: 2830, productId: 9395 })
    const { products } = await core.handlers.firmware.status({})
    const { inUse } = products.find((one) => one.productId === 9395)!
    const [newest, previous] = releases
    const yours = ({ version }: { readonly version: string }): string => {
      const { devices } = inUse.find((one) => one.version === version)!
      return `${devices} of your devices`
    }
    expect(
      page
        .findAll('article header')
        .map((one) => textIn(one.element))
        .slice(0, 2),
    ).toEqual([
      `2.9.2 latest ${formatDay(newest!.releasedAt!)} ${yours(newest!)}`,
      `2.9.1 ${formatDay(previous!.releasedAt!)} ${yours(previous!)}`,
    ])
  })

  it.each([
    ['<p>Firmware 2.9.2</p><p>Mute</p>', 'Mute'],
    ['<h2>Version v2.9.2:</h2><p>Mute</p>', 'Mute'],
    ['<p>Needed before 2.9.2</p>', 'Needed before 2.9.2'],
  ])('leaves out a first line that only repeats the version: %s', async (html, body) => {
    const { page } = await openPage(
      '/release-notes/2830/9395',
      {},
      changed({ releaseNotes: [{ version: '2.9.2', html }] }),
    )
    page.get('article header').element.remove()
    expect(textIn(page.get('article').element)).toBe(body)
  })

  it('opens on the notes of the product that most of your devices are', async () => {
    const { page } = await openPage('/release-notes')
    expect(page.get('.heading h2').text()).toBe('Jabra Evolve2 65 Stereo')
    expect(page.findAll('article').length).toBeGreaterThan(0)
  })

  it('finds words in notes', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, changed({ releaseNotes }))
    const search = page.find('[role="tabpanel"] input')
    await search.setValue('RINGTONES')
    await search.trigger('keydown', { key: 'Enter' })
    await settle()
    expect(page.findAll('article h3').map((one) => one.text())).toEqual(['2.9.1'])
  })

  it('opens a link of a note through the main process', async () => {
    const { button, openedOutside } = await openPage(
      '/release-notes/2830/9395',
      {},
      changed({ releaseNotes }),
    )
    await button('a page').trigger('click')
    expect(openedOutside).toEqual(['https://www.jabra.com/a'])
  })

  it('shows unknown content as received', async () => {
    const { words } = await openPage(
      '/release-notes/2830/9395',
      {},
      changed({ releaseNotes: [...releaseNotes, { pending: 7 }] }),
    )
    expect(words()).toContain('Unknown format, shown as received')
  })

  it('groups links by target, each with its host, and those of the releases', async () => {
    const { page, words } = await openLinks(
      '/release-notes/2830/9395',
      {},
      changed({ brochure: 'https://www.jabra.com/brochures/jabra-evolve2-65.html' }),
    )
    expect(page.findAll('h3').map((one) => one.text())).toEqual([
      'Release notes',
      'Support',
      'Other',
      'By version',
    ])
    expect(words()).toContain('www.jabra.com /supportpages/jabra-evolve2-65/release-notes')
  })

  it('opens a link through the main process, which confirms its host', async () => {
    const { button, openedOutside } = await openLinks('/release-notes/2830/9395')
    await button('Release notes').trigger('click')
    await settle()
    expect(openedOutside).toEqual(['https://www.jabra.com/supportpages/jabra-evolve2-65/release-notes'])
  })

  it('shows a link over http that cannot be opened', async () => {
    const { page, words } = await openLinks(
      '/release-notes/2830/9395',
      {},
      changed({ supportPageUrl: 'http://www.jabra.com/support' }),
    )
    const [, support] = page.findAll('[role="tabpanel"] ul')
    expect(words()).toContain('not https, so it cannot be opened')
    expect(support?.findAll('button').map((one) => one.text())).toEqual([''])
  })

  it('loads no picture from another host', async () => {
    const { page, words } = await openLinks('/release-notes/2830/9395')
    expect(page.findAll('img')).toHaveLength(0)
    expect(words()).toContain('2 picture addresses in the record')
  })

  it('reports a product missing from the content document as not published', async () => {
    const { words } = await openPage('/release-notes/2830/9395', {}, changed(null))
    expect(words()).toContain(
      'Not published The content document lists no product that matches Jabra Evolve2 65 Mono.',
    )
  })

  it('shows no address for releases without one', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, async (core) => {
      core.service.alter('/vendors/2830/products/9395/firmware-releases', (records: readonly object[]) =>
        records.map((record) => ({ ...record, releaseNotes: undefined, releaseNotesUrl: undefined })),
      )
      // Makes prefetched data be requested again.
      core.sleep(26 * 3_600_000)
    })
    expect(page.findAll('h3').map((one) => one.text())).not.toContain('By version')
  })

  it('shows the links when the releases cannot be read', async () => {
    const { page, words } = await openLinks('/release-notes/2830/9395', {}, ({ fail }) =>
      fail('firmware.releases', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(page.findAll('h3').map((one) => one.text())).toEqual(['Release notes', 'Support'])
    expect(words()).toContain('Jabra Evolve2 65')
  })

  it('offline and never read: shows that with a retry', async () => {
    const { page } = await openPage('/release-notes/2830/9395', {}, ({ service }) => {
      service.offline = true
    })
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
  })
})
