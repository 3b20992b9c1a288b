import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openCore, settle } from '../core.ts'
import { gridLines, gridTexts, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage } from '../page.ts'

const releases = '/vendors/2830/products/9395/firmware-releases'
const bundles = '/firmware-bundles.json'
const link = '/downloadLink.json'

interface ReleaseRecord {
  readonly version: string
  readonly stage?: string
  readonly md5Checksum?: string
}
interface Catalogue {
  readonly unbundledProducts: readonly Json[]
}

describe('Firmware', () => {
  afterEach(() => vi.restoreAllMocks())
  it('lists products with both notations of the id, variants, latest release and devices', async () => {
    const { page } = await openPage('/firmware')
    expect(page.findAll('[role="option"]').map((one) => one.text())).toContain(
      'Jabra PanaCast 509.3.60x3009 · 12297 · 12-AA, Teams4 devices',
    )
  })

  it('shows that nothing is published for an unknown id', async () => {
    const { page } = await openPage('/firmware/2830/1')
    expect(page.get('.firmware').text()).toContain('Not found: firmware releases of 2830/1.')
  })

  it('shows why the products cannot be listed, and lists them on retry', async () => {
    const { page, words, core } = await openPage('/firmware', {}, ({ fail }) =>
      fail('firmware.products', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(words()).toContain('The file store.sqlite is damaged.')
    core.fail('firmware.products', null)
    await page.get('.note button').trigger('click')
    await settle()
    expect(words()).not.toContain('The file store.sqlite is damaged.')
    expect(page.findAll('[role="option"]').length).toBeGreaterThan(0)
  })

  it('opens a product by its address one click from its link', async () => {
    const { button, copied } = await openPage('/firmware/2830/9395')
    await button('Copy link').trigger('click')
    await settle()
    expect(copied).toEqual([
      'http://127.0.0.1/files/Jabra_Evolve2_65-v2.9.2-ev265Mono-vector.zip?v=2.9.2&sig=kyOvNVeNlSMbap%2FpwjxG%2B%2F%3D',
    ])
  })

  it('opens a link through the main process, which confirms its host', async () => {
    const { button, openedOutside } = await openPage('/firmware/2830/9395')
    await button('Open').trigger('click')
    await settle()
    expect(openedOutside.map((url) => new URL(url).host)).toEqual(['127.0.0.1'])
  })

  it('uses a release selected in the list for the link and the address', async () => {
    const { router, words, core } = await openPage('/firmware/2830/9395')
    // At most twenty metadata calls start in a second.
    await core.advance(1_000)
    gridLines()[3]!.querySelector<HTMLElement>('[role="gridcell"]')!.click()
    await settle()
    expect(words()).toContain('Download link of firmware 2.7.2')
    expect(router.currentRoute.value.fullPath).toBe('/firmware/2830/9395?version=2.7.2')
  })

  it('shows beside the link that a release is revoked', async () => {
    const { words, page } = await openPage('/firmware/2830/9379?version=2.7.2')
    expect(words()).toContain('Firmware 2.7.2 was revoked by the vendor')
    const buttons = page.findAll('button').map((one) => one.text())
    expect([
      words().includes('Revoked releases cannot be approved.'),
      buttons.filter((one) => one.startsWith('Approve ')),
      page.findAll('.card button.primary').map((one) => one.text()),
    ]).toEqual([true, [], []])
  })

  it('opened from elsewhere shows the product in its list, also one of a later part of it', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined)
    const core = await openCore()
    const later = { text: '', owned: false, start: 100, count: 1 }
    const [product] = (await core.handlers.firmware.products(later)).rows
    const { page } = await mountPage(`/firmware/${product!.vendorId}/${product!.productId}`, true)
    await settle()
    expect([
      page.get('.products [role="option"][aria-selected="true"]').text().includes(product!.name),
      (shown.mock.contexts as readonly Element[]).map((one) => one.getAttribute('aria-selected')),
    ]).toEqual([true, ['true']])
    shown.mockRestore()
  })

  it('marks an unpublished build type as assumed, and accepts a typed one', async () => {
    const { page, words, core } = await openPage('/firmware/2830/9395')
    // At most twenty metadata calls start in a second.
    await core.advance(1_000)
    const build = page.find('input[list]')
    await build.setValue('Beta')
    await build.trigger('change')
    await settle()
    expect(words()).toContain('Build type assumed')
    expect(words()).toContain('No Beta link published for 2.9.2')
    expect(
      core
        .argumentsOf('firmware.link')
        .map((query) => (query as { readonly buildType: string | null }).buildType),
    ).toEqual([null, 'Beta'])
  })

  it('marks prereleases and releases without a stage, selects the public one, and counts unreadable ones', async () => {
    withSize(1_000, 400)
    const { words, button } = await openPage('/firmware/2830/9395', {}, (core) => {
      core.service.alter(releases, (records: readonly ReleaseRecord[]) => [
        ...records.flatMap(({ stage: _stage, md5Checksum: _md5, ...record }) => {
          if (record.version === '2.9.2') return [{ ...record, stage: 'Candidate' }]
          return record.version === '2.9.1' ? [record] : []
        }),
        { fileName: 'no-version.zip' },
      ])
      // Prefetched data is requested again.
      core.sleep(26 * 3_600_000)
    })
    expect(gridTexts().map((cells) => [cells[0], cells[1], cells.at(-2)])).toEqual([
      ['2.9.2', 'Candidate', '—'],
      ['2.9.1', 'lateststage not specified', '—'],
    ])
    expect(gridLines().map((line) => line.classList.contains('open'))).toEqual([false, true])
    expect(words()).toContain('1 record cannot be read')
    await button('As received').trigger('click')
    expect(words()).toContain('no-version.zip')
  })

  it('shows a link record as received when its address cannot be opened', async () => {
    const { page, words } = await openPage('/firmware/2830/9395', {}, ({ service }) =>
      service.alter(link, () => ({ downloadUrl: 'http://firmware.example.com/a.zip', note: 'internal' })),
    )
    expect(words()).toContain('The link record of 2.9.2 contains no address that can be opened')
    expect(words()).toContain('http://firmware.example.com/a.zip')
    expect(words()).toContain('note "internal"')
    expect(page.findAll('button').map((one) => one.text())).not.toContain('Copy link')
  })

  it('shows when a link expires, how large the file is and its checksum', async () => {
    const { page, words, button } = await openPage('/firmware/2830/9395', {}, ({ service }) =>
      service.alter(link, ({ downloadUrl, ...record }: { readonly downloadUrl: string }) => ({
        ...record,
        downloadUrl: `${downloadUrl}&se=2026-12-01`,
      })),
    )
    expect(words()).toMatch(/Link expires .*2026/)
    await button('Address and record').trigger('click')
    expect(page.findAll('.facts dt').map((one) => one.text())).toEqual(['Size', 'MD5'])
    expect(page.findAll('.facts dd').map((one) => one.text())).toEqual([
      '11.6 MB',
      '2d3c3103f7e687d9aa82dc8a7bfbb014',
    ])
    expect(page.findAll('dl.facts button').map((one) => one.attributes('aria-label'))).toEqual(['Copy MD5'])
  })

  it('shows unreadable records of the catalogue', async () => {
    const { words, button } = await openPage('/firmware', {}, (core) => {
      core.service.alter('/bundles.json', ({ unbundledProducts, ...others }: Catalogue) => ({
        ...others,
        unbundledProducts: [...unbundledProducts, { productName: 'No ids' }],
      }))
      core.sleep(26 * 3_600_000)
    })
    await button('1 record cannot be read').trigger('click')
    await settle()
    expect(words()).toContain('No ids')
  })

  it('shows that a product has no published releases, under its name', async () => {
    const { words } = await openPage('/firmware/2830/11879')
    expect(words()).toContain('Jabra Perform Go 4')
    expect(words()).toContain(
      'No releases published The service lists no releases of this product, and no firmware bundle read so far contains it.',
    )
  })

  it('lists the releases of a product from bundles, with a link', async () => {
    const { words, button } = await openPage('/firmware/2830/12344')
    expect(words()).toContain('Download link of firmware 6.5.0, the latest')
    await button('Address and record').trigger('click')
    expect(words()).toContain('/files/Jabra_PanaCast_50_VBS_Bar_6.5.0.zip')
  })

  it('lists the bundles of a product without a version', async () => {
    const { words } = await openPage('/firmware/2830/11879', {}, (core) => {
      core.service.alter(bundles, (known: readonly object[]) => [
        ...known,
        { name: 'Terse', firmwares: [{ vendorId: 2830, productId: 11879 }] },
      ])
      core.sleep(26 * 3_600_000)
    })
    expect(words()).toContain('It is part of firmware bundle Terse.')
  })

  it('shows cached data with its age when offline', async () => {
    const { words } = await openPage('/firmware/2830/9395', {}, async ({ handlers, service, sleep }) => {
      const of = { vendorId: 2830, productId: 9395, version: '2.9.2', buildType: null, refresh: false }
      await handlers.firmware.link(of)
      sleep(26 * 3_600_000)
      service.offline = true
    })
    expect(words()).toContain('From 127.0.0.1, read 1 day ago , from the cache')
  })

  it('explains the search when nothing is found, and clears it', async () => {
    const { page, words, button } = await openPage('/firmware')
    await page.find('input').setValue('zzzz')
    await page.find('input').trigger('keydown', { key: 'Enter' })
    await settle()
    expect(words()).toContain('No product matches')
    await button('Clear the search').trigger('click')
    await settle()
    expect(page.findAll('[role="option"]')).toHaveLength(100)
  })

  it.each(['firmware', 'definitions', 'release-notes'])(
    'opens the first match on Enter in the search of %s',
    async (where) => {
      const { page, router } = await openPage(`/${where}`)
      const search = page.find('[role="search"] input')
      await search.setValue('Speak2 75')
      const arrived = nextPage(router)
      await search.trigger('keydown', { key: 'Enter' })
      await arrived
      await settle()
      const first = page.find('[role="option"]')
      expect([first.find('.title').text(), first.attributes('aria-selected')]).toEqual([
        'Jabra Speak2 75',
        'true',
      ])
      expect(router.currentRoute.value.name).toBe(where)
    },
  )

  it('moves into the list by ArrowDown in the search and opens nothing', async () => {
    const { page, router } = await openPage('/firmware')
    await page.find('[role="search"] input').trigger('keydown', { key: 'ArrowDown' })
    await settle()
    expect(document.activeElement).toBe(page.find('[role="listbox"]').element)
    expect(page.find('[role="option"].active').text()).toContain('Jabra BIZ 1500 USB')
    expect(router.currentRoute.value.fullPath).toBe('/firmware')
  })

  it('loads the next products at the end of the list', async () => {
    const { page } = await openPage('/firmware')
    await page.find('[role="listbox"]').trigger('keydown', { key: 'End' })
    await settle()
    expect(page.findAll('[role="option"]')).toHaveLength(120)
  })

  it('keeps the list of products beside the release notes', async () => {
    const { page, router, core, button } = await openPage('/firmware/2830/9395')
    const previous = core.argumentsOf('firmware.products').length
    const arrived = nextPage(router)
    await button('Release notes').trigger('click')
    await arrived
    await settle()
    expect(router.currentRoute.value.fullPath).toBe('/release-notes/2830/9395')
    expect(page.find('[aria-selected="true"]').text()).toContain('Jabra Evolve2 65 Mono')
    expect(core.argumentsOf('firmware.products')).toHaveLength(previous)
  })
})
