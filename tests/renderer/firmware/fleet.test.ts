import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatDay } from '../../../renderer/components/format.ts'
import { productKey, useFleetFirmware } from '../../../renderer/firmware/fleet-store.ts'
import { useKits } from '../../../renderer/kits/kits-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { openCore, settle } from '../core.ts'
import { gridLines, gridTexts, withSize } from '../lists/a-grid.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { nextPage, openPage, textIn, type OpenedPage } from '../page.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** happy-dom has no layout, so the grid gets a size here. */
async function open(address: string): Promise<OpenedPage> {
  withSize(1_000, 600)
  return openPage(address)
}
const inGrid = ({ page }: OpenedPage): string => page.get('[role="grid"]').text()

describe('Firmware opens on your products', () => {
  it('with the number of devices and their status', async () => {
    const opened = await open('/firmware')
    const { products } = await status(opened)
    const [most] = products.toSorted((a, b) => b.devices - a.devices)
    expect(inGrid(opened)).toContain(most!.name)
    expect(opened.page.findAll('.sums li').map((one) => one.text())).toEqual([
      `${Math.floor((100 * sum(products, 'current')) / sum(products, 'devices'))}% on the latest version`,
      `${sum(products, 'behind')} behind`,
      `${sum(products, 'revoked')} on revoked firmware`,
      `${sum(products, 'ahead')} ahead`,
      `${sum(products, 'unknown')} cannot be compared`,
    ])
  })

  it('with the day on which the latest version was released', async () => {
    withSize(1_900, 600)
    const opened = await openPage('/firmware')
    const { releases } = await opened.core.handlers.firmware.releases({ vendorId: 2830, productId: 9395 })
    const { version, releasedAt } = releases.find((one) => one.latest)!
    const row = gridLines().find((line) => textIn(line).includes('0x24B3'))!
    expect(textIn(row)).toContain(`${version} ${formatDay(releasedAt!)}`)
  })

  it('with a bar of the status of their devices, and its text', async () => {
    const opened = await open('/firmware')
    const { products } = await status(opened)
    const bars = opened.page.findAll('[role="grid"] [role="img"]').map((one) => one.attributes('aria-label'))
    const [worst] = products.toSorted((a, b) => b.revoked - a.revoked || b.behind - a.behind)
    expect(
      products
        .filter(({ behind, revoked }) => behind === worst!.behind && revoked === worst!.revoked)
        .map(({ current, ahead, behind, revoked, unknown }) =>
          [
            [current, 'current'],
            [ahead, 'ahead'],
            [behind, 'behind'],
            [revoked, 'on revoked firmware'],
            [unknown, 'cannot be compared'],
          ]
            .filter(([count]) => count !== 0)
            .map((one) => one.join(' '))
            .join(', '),
        ),
    ).toContain(bars[0])
  })

  it('and says why devices cannot be updated in place of a button, also on the page of a product', async () => {
    const opened = await open('/firmware')
    const reason = 'The service publishes no address for firmware updates.'
    const said = (): readonly boolean[] => [
      opened.words().includes(reason),
      opened.page.findAll('button').some((one) => /^Update /.test(one.text())),
    ]
    const onList = said()
    await opened.router.push('/firmware/2830/9395')
    await settle()
    await opened.core.advance(1_000)
    await settle()
    expect([onList, said()]).toEqual([
      [true, false],
      [true, false],
    ])
  })

  it('and says how far a comparison is in place of its numbers, also on the page of a product', async () => {
    withSize(1_000, 600)
    const opened = await openPage('/firmware', {}, ({ handlers }) => {
      const get = handlers.firmware.status.bind(handlers.firmware)
      vi.spyOn(handlers.firmware, 'status').mockImplementation(async () => ({
        ...(await get({})),
        comparing: { done: 8, total: 33 },
      }))
    })
    const text = 'Comparing, 8 of 33 products'
    const bars = opened.page.findAll('[role="grid"] [role="img"]').map((one) => one.attributes('aria-label'))
    const fleet = [
      opened.words().includes(text),
      opened.page.findAll('.sums').length,
      inGrid(opened).includes('%'),
      new Set(bars),
    ]
    await opened.router.push('/firmware/2830/9395')
    await settle()
    const heading = opened.page.get('.heading').text()
    expect([fleet, heading.includes(text), /behind|current/.test(heading)]).toEqual([
      [true, 0, false, new Set([text])],
      true,
      false,
    ])
  })

  it('and compares with approved versions if selected', async () => {
    const opened = await open('/firmware')
    const segment = opened.page.findAll('[aria-pressed]').find((one) => one.text() === 'Approved')!
    await segment.trigger('click')
    await settle()
    const { comparedWith } = await status(opened)
    expect([comparedWith, segment.attributes('aria-pressed'), opened.page.get('.sums li').text()]).toEqual([
      'approved',
      'true',
      expect.stringMatching(/% on the latest version: no version is approved$/),
    ])
    expect(opened.words()).toContain('No version is approved, so your devices are compared with the latest.')
  })
})

it('approved versions begin with the products of most devices', async () => {
  const { page, words, core } = await open('/firmware?part=approved')
  const [largest] = (await core.handlers.firmware.status({})).products.toSorted(
    (a, b) => b.devices - a.devices,
  )
  expect([words().includes('No approved versions yet'), page.get('.panel ul a').attributes('href')]).toEqual([
    true,
    `#/firmware/${largest!.vendorId}/${largest!.productId}`,
  ])
})

describe('the page of a product', () => {
  it('approves the selected release with a reason, shows it, offers it first, and removes the approval', async () => {
    const opened = await open('/firmware/2830/9395?version=2.7.2')
    await opened.button('Approve 2.7.2').trigger('click')
    expect(document.activeElement).toBe(opened.page.get('form input.input').element)
    await opened.page.get('form input.input').setValue('tested in Aarhus')
    await opened.page.get('form').trigger('submit')
    await settle()
    const approved = opened.words()
    await opened.router.push('/firmware')
    await opened.router.push('/firmware/2830/9395')
    await settle()
    await opened.core.advance(1_000)
    await settle()
    const offered = opened.words()
    await opened.button('Remove approval 2.7.2').trigger('click')
    await settle()
    expect([
      approved.includes('2.7.2 valid All variants tested in Aarhus'),
      offered.includes('Copy link to 2.7.2'),
      opened.words().includes('No version is approved for this product.'),
    ]).toEqual([true, true, true])
  })

  it('draws an approval and a comparison into the cells that are there', async () => {
    withSize(1_200, 400)
    const opened = await open('/firmware/2830/9395?version=2.7.2')
    const texts = () => gridTexts().find(([version = '']) => version.startsWith('2.7.2'))
    const cells = () => [...document.querySelectorAll('[role="gridcell"] > *')]
    const [before, textBefore] = [cells(), texts()]
    await opened.button('Approve 2.7.2').trigger('click')
    await opened.page.get('form input.input').setValue('tested')
    await opened.page.get('form').trigger('submit')
    await settle()
    expect(texts()).not.toEqual(textBefore)
    expect(before.length).toBeGreaterThan(20)
    expect(before.every((one) => one.isConnected)).toBe(true)
  })

  it('explains why a version is not approved', async () => {
    const opened = await open('/firmware/2830/9379?version=2.9.2')
    await opened.button('Approve 2.9.2').trigger('click')
    await opened.page.get('form input.input').setValue('tested')
    await opened.page.get('form input[maxlength="10"]').setValue('2020-01-01')
    await opened.page.get('form').trigger('submit')
    await settle()
    expect(
      opened.page
        .get(
          'section[aria-label="Approved versions"] [role="alert"], section[aria-label="Approved versions"] .failure',
        )
        .text(),
    ).toContain('past')
  })

  it('counts your devices on each release, and leads to them', async () => {
    const opened = await open('/firmware/2830/9395')
    const { products } = await status(opened)
    const onIt = products
      .find((one) => one.productId === 9395)!
      .inUse.find((one) => one.version === '2.9.2')!.devices
    const arrived = nextPage(opened.router)
    opened.page.get<HTMLElement>(`[aria-label="Show your ${onIt} devices on 2.9.2"]`).element.click()
    await arrived
    expect(opened.router.currentRoute.value.fullPath).toBe('/devices?where=pid:9395+fw:=2.9.2')
  })

  it('names the bundle of each release', async () => {
    const opened = await open('/firmware/2830/12344')
    expect(opened.page.get('[role="grid"]').text()).toContain('PanaCast 50 VBS 1.0.0')
  })
})

describe('the status of your devices', () => {
  it('is a sentence at the top of the product: each number links to its devices', async () => {
    const opened = await open('/firmware/2830/9395')
    const { products } = await status(opened)
    const { current, devices, newest, behind } = products.find((one) => one.productId === 9395)!
    const links = opened.page.findAll('header.heading p a')
    expect(links.slice(0, 2).map((one) => [one.text(), one.attributes('href')])).toEqual([
      [
        `${current} of your ${devices} run ${newest}, the latest version`,
        '#/devices?where=pid:9395+fw:current',
      ],
      [`${behind} behind`, '#/devices?where=pid:9395+fw:behind'],
    ])
  })
})

describe('a file in a list', () => {
  it('is copied as a link from its row, which stays unchanged', async () => {
    const opened = await open('/firmware/2830/9395')
    // At most twenty metadata calls start in a second.
    await opened.core.advance(1_000)
    opened.page.get<HTMLElement>('[aria-label="Copy link to 2.7.2"]').element.click()
    await opened.core.advance(1_000)
    await settle()
    expect([
      opened.copied.map((url) => new URL(url).searchParams.get('v')),
      opened.button('Copy link to 2.9.2').classes('primary'),
    ]).toEqual([['2.7.2'], true])
  })

  it('of a product of the fleet is the approved one first', async () => {
    const opened = await open('/firmware')
    const previous = opened.page.findAll('[aria-label="Copy link to 2.7.2"]').length
    await opened.core.handlers.firmware.approve({
      vendorId: 2830,
      productId: 9395,
      version: '2.7.2',
      variant: null,
      reason: 'tested',
      expires: null,
    })
    await opened.router.push('/overview')
    await opened.router.push('/firmware')
    await settle()
    opened.page.get<HTMLElement>('[aria-label="Copy link to 2.7.2"]').element.click()
    await opened.core.advance(2_000)
    await settle()
    await expect.poll(() => opened.copied).toHaveLength(1)
    expect([previous, opened.copied.map((url) => new URL(url).searchParams.get('v'))]).toEqual([0, ['2.7.2']])
  })
})

async function status({ core }: OpenedPage) {
  return core.handlers.firmware.status({})
}
const sum = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number =>
  rows.reduce((all, row) => all + row[key], 0)

describe('about a product', () => {
  it('lists what is published, and its updaters by platform', async () => {
    const opened = await open('/firmware/2830/12417')
    await opened.button('Details and updater').trigger('click')
    const about = opened.page.get('section[aria-label="About this product"]')
    // At most twenty metadata calls start in a second.
    await expect
      .poll(async () => {
        await opened.core.advance(1_000)
        await settle()
        return about.findAll('dd').length
      })
      .toBeGreaterThan(5)
    const facts = about.findAll('dd').map((one) => one.text())
    expect([facts[3], facts[5]]).toEqual(['yes', 'no'])
    // Each group with its products, including this one.
    const holding = about.findAll('dd details').map((one) => {
      const products = one.findAll('li').map((each) => each.text())
      return [one.get('summary').text(), products.length, products.find((each) => each.includes('12417'))]
    })
    expect(holding).toEqual([
      ['PanaCast 40 VBS (4 products)', 4, 'Jabra PanaCast P40 · 0x3081 · 12417'],
      ['PanaCast 40 VBS 1.1.0 (3 products)', 3, 'Jabra PanaCast P40 · 0x3081 · 12417 · 4.2.0.21'],
      ['PanaCast 40 VBS 1.0.0 (3 products)', 3, 'Jabra PanaCast P40 · 0x3081 · 12417 · 4.0.4.15'],
    ])
    const selects = about.findAll('select')
    await selects.at(-1)!.setValue('RoomAgent')
    await opened.core.advance(1_000)
    await settle()
    const platforms = opened.core.requested
      .filter((one) => one.channel === 'firmware.details')
      .map((one) => (one.argument as { platformOs: string }).platformOs)
    expect([about.findAll('dd')[4]?.text(), new Set(platforms)]).toEqual(['yes', new Set(['Windows'])])
  })
})

describe('your products', () => {
  it('are searched by name, id and version', async () => {
    const opened = await open('/firmware')
    const search = opened.page.get('[role="search"] input')
    const found: string[][] = []
    for (const words of ['evolve2 mono', '0x24b3', '9395', 'no such product']) {
      await search.setValue(words)
      await search.trigger('keydown', { key: 'ArrowDown' })
      await settle()
      found.push(gridTexts().map(([name]) => name!))
    }
    const [byName, ...others] = found
    expect(byName!.every((name) => /evolve2.*mono/i.test(name))).toBe(true)
    expect(others).toEqual([['Jabra Evolve2 65 Mono 0x24B3'], ['Jabra Evolve2 65 Mono 0x24B3'], []])
    expect(opened.words()).toContain('No product in your fleet matches')
  })

  it('never hide the column they are sorted by', async () => {
    withSize(330, 600)
    const opened = await openPage('/firmware')
    const heads = (): (string | undefined)[] =>
      opened.page.findAll<HTMLElement>('[role="columnheader"]').map((one) => one.element.dataset['column'])
    const before = heads()
    useFleetFirmware().sort = [{ column: 'unknown', descending: true }]
    await settle()
    expect([before, heads()]).toEqual(
      [['behind'], ['unknown']].map((sorted) => expect.arrayContaining(sorted)),
    )
    expect(before).not.toContain('unknown')
  })

  it('are in their own order on the page of a product, which leads to the next', async () => {
    const opened = await open('/firmware')
    const { rows } = useFleetFirmware()
    await opened.router.push(`/firmware/${productKey(rows[1]!)}`)
    await settle()
    const arrived = nextPage(opened.router)
    await opened.page.get('.top [aria-label="Next"]').trigger('click')
    await arrived
    await settle()
    expect([opened.words().includes(`3 of ${rows.length}`), opened.page.get('h1').text()]).toEqual([
      true,
      rows[2]!.name,
    ])
  })

  it('mark the product that was opened, in sight also if it was opened elsewhere', async () => {
    withSize(1_000, 132)
    const opened = await openPage('/firmware/2830/9395')
    await opened.router.push('/firmware')
    await settle()
    expect(
      gridLines()
        .filter((line) => line.classList.contains('open'))
        .map((line) => textIn(line)),
    ).toEqual([expect.stringContaining('Jabra Evolve2 65 Mono')])
  })

  it('come back with the same search after a product', async () => {
    const opened = await open('/firmware')
    useFleetFirmware().words = 'evolve2'
    await settle()
    gridLines()[1]!.querySelector<HTMLElement>('[role="gridcell"]')!.click()
    await settle()
    await opened.router.push('/firmware')
    await settle()
    expect([
      useFleetFirmware().words,
      gridLines()
        .map((line) => line.classList.contains('open'))
        .indexOf(true),
    ]).toEqual(['evolve2', 1])
  })
})

describe('the parts of Firmware', () => {
  it.each([
    ['/firmware', 'Your products'],
    ['/firmware?part=all', 'All'],
    ['/firmware?part=approved', 'Approved'],
    ['/downloads', 'Downloads'],
    ['/firmware?part=kits', 'Site kits'],
  ])('%s is %s', async (address, name) => {
    const opened = await open(address)
    expect(opened.page.get('[role="tab"][aria-selected="true"]').text()).toMatch(new RegExp(`^${name}`))
  })

  it('lead back to where the list was left', async () => {
    const opened = await open('/firmware?part=all')
    await opened.router.push('/firmware/2830/9395')
    await settle()
    expect(opened.page.get('.top a').attributes('href')).toBe('#/firmware?part=all')
  })

  it('list every approved version with a link to its product', async () => {
    const opened = await open('/firmware')
    const given = { vendorId: 2830, productId: 9395, version: '2.9.1', variant: null, expires: null }
    await opened.core.handlers.firmware.approve({ ...given, reason: 'tested in Oslo' })
    await opened.router.push('/firmware?part=approved')
    await settle()
    await expect.poll(() => opened.page.findAll('tbody tr').length).toBe(1)
    const row = opened.page.get('tbody tr')
    expect([row.get('a').attributes('href'), row.text().includes('tested in Oslo')]).toEqual([
      '#/firmware/2830/9395',
      true,
    ])
  })

  it('list ended approvals first, then by product, and count the ended ones in one line', async () => {
    withSize(1_000, 600)
    const opened = await openPage('/firmware?part=approved', {}, async ({ handlers, sleep }) => {
      for (const [productId, version, expires] of [
        [9395, '2.9.1', null],
        [9379, '2.8.2', '2026-11-20'],
        [9296, '1.12.0', null],
      ] as const)
        await handlers.firmware.approve({
          vendorId: 2830,
          productId,
          version,
          variant: null,
          expires,
          reason: 'tested in Oslo',
        })
      sleep(2 * 86_400_000)
    })
    await expect.poll(() => opened.page.findAll('tbody tr').length).toBe(3)
    expect([
      opened.page.findAll('tbody tr').map((row) => row.get('a').text()),
      opened.page.findAll('.bg-warn-soft').map((one) => textIn(one.element)),
    ]).toEqual([
      ['Jabra Evolve2 65 Stereo', 'Jabra BIZ 2400 II USB BT Mono', 'Jabra Evolve2 65 Mono'],
      ['1 approval has ended. Without a new one, its devices are compared with the latest version.'],
    ])
  })

  it('say how many devices are not on the approved version, and lead to them', async () => {
    const opened = await open('/firmware?part=approved')
    await opened.core.handlers.firmware.approve({
      vendorId: 2830,
      productId: 9395,
      version: '2.9.1',
      variant: null,
      expires: null,
      reason: 'tested in Oslo',
    })
    await opened.router.push('/overview')
    await opened.router.push('/firmware?part=approved')
    await expect.poll(() => opened.page.findAll('tbody a').length).toBe(2)
    const link = opened.page.findAll('tbody a')[1]!
    const { query } = opened.router.resolve(link.attributes('href')!.slice(1))
    const where = 'pid:9395 !fw:=2.9.1'
    const { total } = await opened.core.handlers.devices.slice({ where, sort: [], start: 0, count: 1 })
    expect([query, link.text()]).toEqual([{ where }, `${total} devices`])
  })

  it('offer a site kit of your products', async () => {
    const opened = await open('/firmware?part=kits')
    const { products } = await status(opened)
    await opened.button(`Make a kit for your ${products.length} products`).trigger('click')
    expect(useKits().subjects?.products).toHaveLength(products.length)
  })
})

it('the approvals of another organization are not known', async () => {
  const core = await openCore()
  await addFjordbank(core)
  await useLayoutStore().start()
  await settle()
  const fleet = useFleetFirmware()
  const given = { vendorId: 2830, productId: 9395, version: '2.9.1', variant: null, expires: null }
  await fleet.approve({ ...given, reason: 'tested in Oslo' })
  const here = [fleet.approvals.length, fleet.anyApproved]
  await showFjordbank(core)
  expect([here, fleet.approvals.length]).toEqual([[1, true], 0])
  await fleet.loadApprovals()
  expect(fleet.anyApproved).toBe(false)
})
