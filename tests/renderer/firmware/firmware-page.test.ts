import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { formatDay, formatHex } from '../../../renderer/components/format.ts'
import { settle } from '../core.ts'
import { gridLines, gridTexts, withSize } from '../lists/a-grid.ts'
import { nextPage, openPage, type OpenedPage } from '../page.ts'

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
  it('lists all products with USB ID, variants, latest release and devices', async () => {
    withSize(1_200, 4_000)
    await openPage('/firmware?part=all')
    const [found] = gridTexts().filter(([name]) => name === 'Jabra PanaCast 50 0x3009')
    expect([found?.slice(0, 4), found?.at(-1)]).toEqual([
      ['Jabra PanaCast 50 0x3009', '12-AA, Teams', 'Video', '9.3.6'],
      '4',
    ])
  })

  it('lists beside them when the latest of your products was released, and how many devices are to update', async () => {
    withSize(1_400, 4_000)
    const { core } = await openPage('/firmware?part=all')
    const { products } = await core.handlers.firmware.status({})
    const [most] = products.toSorted((a, b) => b.revoked - a.revoked || b.behind - a.behind)
    const { name, productId, devices, revoked, behind, newest, newestReleasedAt } = most!
    const row = gridTexts().find(([first]) => first === `${name} ${formatHex(productId)}`)
    const heads = [...document.querySelectorAll('.data-grid [role="columnheader"]')]
    expect([heads.map((one) => one.textContent.trim()), row?.slice(-4)]).toEqual([
      ['Product', 'Variants', 'Type', 'Latest', 'Released', 'To update', 'Your devices'],
      [newest, formatDay(newestReleasedAt!), `${revoked} revoked, ${behind} behind`, String(devices)],
    ])
  })

  it('names the type of an adapter, for which the service states none', async () => {
    withSize(1_400, 4_000)
    await openPage('/firmware?part=all')
    const found = gridTexts().filter(([name]) => /^Jabra Link 380a/.test(name ?? ''))
    expect([...new Set(found.map((cells) => cells[2]))]).toEqual(['USB adapter'])
  })

  it('shows that nothing is published for an unknown id', async () => {
    const { page } = await openPage('/firmware/2830/1')
    expect(page.text()).toContain('Not found: firmware releases of 2830/1.')
  })

  it('shows why the products cannot be listed, and lists them on retry', async () => {
    withSize(1_200, 400)
    const { page, words, core } = await openPage('/firmware?part=all', {}, ({ fail }) =>
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
    expect(gridLines().length).toBeGreaterThan(0)
  })

  it('opens a product by its address one click from its link', async () => {
    const { button, copied } = await openPage('/firmware/2830/9395')
    await button('Copy link to 2.9.2').trigger('click')
    await settle()
    expect(copied).toEqual([
      'http://127.0.0.1/files/Jabra_Evolve2_65-v2.9.2-ev265Mono-vector.zip?v=2.9.2&sig=kyOvNVeNlSMbap%2FpwjxG%2B%2F%3D',
    ])
  })

  it('opens a link through the main process, which confirms its host', async () => {
    const opened = await openPage('/firmware/2830/9395')
    const { openedOutside } = opened
    await choose(opened, 'Open in browser')
    expect(openedOutside.map((url) => new URL(url).host)).toEqual(['127.0.0.1'])
  })

  it('uses a release selected in the list for the link and the address', async () => {
    withSize(1_200, 400)
    const { router, button, copied, core } = await openPage('/firmware/2830/9395')
    // At most twenty metadata calls start in a second.
    await core.advance(1_000)
    gridLines()[3]!.querySelector<HTMLElement>('[role="gridcell"]')!.click()
    await settle()
    await core.advance(1_000)
    await settle()
    await button('Copy link to 2.7.2').trigger('click')
    await settle()
    expect(copied.map((url) => new URL(url).searchParams.get('v'))).toEqual(['2.7.2'])
    expect(router.currentRoute.value.fullPath).toBe('/firmware/2830/9395?version=2.7.2')
  })

  it('lists the versions of your devices that no release has, marks the compared one, and leads to them', async () => {
    withSize(1_200, 400)
    const { page, core } = await openPage('/firmware/2830/9395', {}, (given) => {
      given.service.alter(releases, (list: readonly ReleaseRecord[]) =>
        list.filter(({ version }) => version !== '2.9.0'),
      )
      // Prefetched data is requested again.
      given.sleep(26 * 3_600_000)
    })
    for (let seconds = 0; seconds < 6; seconds++) {
      await core.advance(1_000)
      await settle()
    }
    const about = page.get('section[aria-label="Releases"]')
    expect([
      about.findAll('li').map((one) => [one.text(), one.find('a').attributes('href')]),
      [...document.querySelectorAll('.grid-row.open')].map((row) => row.textContent?.slice(0, 5)),
      page.get<HTMLSelectElement>('select.from').element.value,
    ]).toEqual([
      [['5 of yours run 2.9.0, which is not listed', '#/devices?where=pid:9395+fw:=2.9.0']],
      ['2.9.1'],
      '2.9.1',
    ])
  })

  it('says in the row of the compared release what changes, also if none of your devices runs it', async () => {
    withSize(1_200, 400)
    const { page, core } = await openPage('/firmware/2830/9395')
    await page.get('select.from').setValue('2.6.2')
    for (let seconds = 0; seconds < 6; seconds++) {
      await core.advance(1_000)
      await settle()
    }
    const [, , devices, step] = gridTexts().find(([version]) => version === '2.6.2') ?? []
    expect([devices, step]).toEqual(['0', '5 settings'])
  })

  it('offers neither approval, download nor a primary link of a revoked release', async () => {
    const { words, page } = await openPage('/firmware/2830/9379?version=2.7.2')
    expect(words()).toContain('Firmware 2.7.2 was revoked by the vendor')
    const buttons = page.findAll('button').map((one) => one.text())
    expect([
      words().includes('Revoked releases cannot be approved.'),
      buttons.filter((one) => one.startsWith('Approve ') || one === 'Download'),
      page.findAll('button.primary').map((one) => one.text()),
    ]).toEqual([true, [], []])
  })

  it('marks an unpublished build type as assumed, and accepts a typed one', async () => {
    const opened = await openPage('/firmware/2830/9395')
    const { words, core } = opened
    // At most twenty metadata calls start in a second.
    await core.advance(1_000)
    await choose(opened, 'Build type: Release…')
    const build = document.querySelector<HTMLInputElement>('[role="dialog"] input')!
    build.value = 'Beta'
    build.dispatchEvent(new Event('input'))
    build.dispatchEvent(new Event('change'))
    await core.advance(1_000)
    await settle()
    expect(words()).toContain('assumed')
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
    expect(gridTexts().map(([version]) => version)).toEqual([
      '2.9.2Candidate',
      '2.9.1lateststage not specified',
    ])
    expect(gridLines().map((line) => line.classList.contains('open'))).toEqual([false, true])
    expect(words()).toContain('1 record cannot be read')
    await button('As received').trigger('click')
    expect(words()).toContain('no-version.zip')
  })

  it('shows a link record as received when its address cannot be opened', async () => {
    const opened = await openPage('/firmware/2830/9395', {}, ({ service }) =>
      service.alter(link, () => ({ downloadUrl: 'http://firmware.example.com/a.zip', note: 'internal' })),
    )
    const { page, words } = opened
    await opened.button('Address and QR code…').trigger('click')
    await settle()
    expect(words()).toContain('The link record of 2.9.2 has no usable address')
    expect(words()).toContain('http://firmware.example.com/a.zip')
    expect(words()).toContain('note "internal"')
    expect(page.findAll('button').map((one) => one.text())).not.toContain('Copy link to 2.9.2')
  })

  it('shows when a link expires, how large the file is and its checksum', async () => {
    const opened = await openPage('/firmware/2830/9395', {}, ({ service }) =>
      service.alter(link, ({ downloadUrl, ...record }: { readonly downloadUrl: string }) => ({
        ...record,
        downloadUrl: `${downloadUrl}&se=2026-12-01`,
      })),
    )
    await choose(opened, 'Address and QR code…')
    const facts = [...document.querySelectorAll('.facts > div')]
    expect([
      opened.words().match(/Link expires .*?2026/)?.length,
      facts.map((one) => one.textContent.trim()),
      facts.flatMap((one) =>
        [...one.querySelectorAll('button')].map((each) => each.getAttribute('aria-label')),
      ),
    ]).toEqual([1, ['Size11.6 MB', 'MD52d3c3103f7e687d9aa82dc8a7bfbb014'], ['Copy MD5']])
  })

  it('shows unreadable records of the catalogue', async () => {
    const { words, button } = await openPage('/firmware?part=all', {}, (core) => {
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
    const opened = await openPage('/firmware/2830/12344')
    const { words } = opened
    await choose(opened, 'Address and QR code…')
    expect(words()).toContain('Download link of 6.5.0')
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
    const opened = await openPage('/firmware/2830/9395', {}, async ({ handlers, service, sleep }) => {
      const of = { vendorId: 2830, productId: 9395, version: '2.9.2', buildType: null, refresh: false }
      await handlers.firmware.link(of)
      sleep(26 * 3_600_000)
      service.offline = true
    })
    await choose(opened, 'Address and QR code…')
    expect(opened.words()).toContain('From 127.0.0.1, read 1 day ago')
  })

  it('explains the search when nothing is found, and clears it', async () => {
    const { page, words, button } = await openPage('/definitions')
    await page.find('input').setValue('zzzz')
    await page.find('input').trigger('keydown', { key: 'Enter' })
    await settle()
    expect(words()).toContain('No product matches')
    await button('Clear the search').trigger('click')
    await settle()
    expect(page.findAll('[role="option"]')).toHaveLength(100)
  })

  it.each(['definitions', 'release-notes'])(
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
    const { page, router } = await openPage('/definitions')
    await page.find('[role="search"] input').trigger('keydown', { key: 'ArrowDown' })
    await settle()
    expect(document.activeElement).toBe(page.find('[role="listbox"]').element)
    expect(page.find('[role="option"].active').text()).toContain('Jabra Evolve2 65 Stereo')
    expect(router.currentRoute.value.fullPath).toBe('/definitions')
  })

  it('loads the next products at the end of the list', async () => {
    const { page } = await openPage('/definitions')
    await page.find('[role="listbox"]').trigger('keydown', { key: 'End' })
    await settle()
    expect(page.findAll('[role="option"]')).toHaveLength(120)
  })

  it('opens the release notes of the product from its menu', async () => {
    const opened = await openPage('/firmware/2830/9395')
    const arrived = nextPage(opened.router)
    await choose(opened, 'Release notes')
    await arrived
    expect(opened.router.currentRoute.value.fullPath).toBe('/release-notes/2830/9395')
  })
})

/** An entry of the menu of the product. */
async function choose({ page }: OpenedPage, entry: string): Promise<void> {
  await page.get('[aria-label="More about this product"]').trigger('keydown', { key: 'Enter' })
  await settle()
  const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
    (one) => one.textContent.trim() === entry,
  )
  if (!found) throw new Error(`no entry "${entry}"`)
  found.click()
  await settle()
}
