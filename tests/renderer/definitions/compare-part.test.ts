import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ExportSubject } from '../../../electron/contract/api/exports.ts'
import { useCompare } from '../../../renderer/definitions/compare-store.ts'
import { productKey } from '../../../renderer/firmware/fleet-store.ts'
import { settingLines } from '../../../renderer/settings/difference-lines.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { changeProfile, devicesOf, openCore, settle } from '../core.ts'
import { gridTexts, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage, type OpenedPage } from '../page.ts'

const versions =
  '/definitions?part=compare&product=2830/9395&firmware=2.7.2&with-product=2830/9395&with-firmware=2.9.2'

/** The documents of both sides are read one after the other. */
async function compared({ core }: OpenedPage): Promise<void> {
  await core.finish(core.answered('definitions.compare'))
  await settle()
}
async function openCompared(address: string): Promise<OpenedPage> {
  const opened = await openPage(address)
  await compared(opened)
  return opened
}

describe('Compare', () => {
  afterEach(() => vi.restoreAllMocks())

  it('sends no request until two sides are selected', async () => {
    const { words, core } = await openPage('/definitions?part=compare')
    expect(words()).toContain('The older version that most of your devices run, against the latest.')
    expect(core.argumentsOf('definitions.compare')).toEqual([])
  })

  /** Product and version of each side, and whether it can be compared. */
  const chosen = ({ page }: OpenedPage): readonly unknown[] => [
    ...page
      .findAll('form fieldset')
      .map((side) => [
        side.get('h2').text(),
        side.get<HTMLSelectElement>('select').element.value,
        side.get<HTMLInputElement>('input').element.value,
      ]),
    page.get<HTMLButtonElement>('form [type="submit"]').element.disabled,
  ]

  const productsOf = ({ page }: OpenedPage): readonly string[] =>
    page.findAll('form fieldset').map((side) => side.get<HTMLSelectElement>('select').element.value)

  it('begins with the version that most devices could leave, and the newest', async () => {
    const opened = await openPage('/definitions?part=compare')
    const [first] = useCompare().suggestions
    const product = productKey(first!)
    expect(chosen(opened)).toEqual([['From', product, first!.from], ['To', product, first!.to], false])
  })

  it('has its picker above the products of the fleet, and one place for other documents', async () => {
    const { page } = await openPage('/definitions?part=compare')
    const [form, products] = [
      page.get('form').element,
      page.get('section[aria-label="Your products"]').element,
    ]
    expect([
      (form.compareDocumentPosition(products) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
      page.findAll('form details').length,
    ]).toEqual([true, 1])
  })

  it('begins with nothing of the organization that was on screen before', async () => {
    const opened = await openPage('/definitions?part=compare', {}, addFjordbank)
    const { core, router } = opened
    await router.push('/journal')
    await showFjordbank(core)
    const asked = core.argumentsOf('firmware.releases').length
    await router.push('/definitions?part=compare')
    await settle()
    expect([productsOf(opened), core.argumentsOf('firmware.releases').length - asked]).toEqual([['', ''], 0])
  })

  it('begins again when another organization is selected', async () => {
    const opened = await openPage('/definitions?part=compare', {}, addFjordbank)
    const asked = opened.core.argumentsOf('firmware.products').length
    await showFjordbank(opened.core)
    expect([productsOf(opened), opened.core.argumentsOf('firmware.products').length > asked]).toEqual([
      ['', ''],
      true,
    ])
  })

  it('suggests for a product without devices its latest version and the one before', async () => {
    const opened = await openPage('/definitions?part=compare')
    const other = useCompare().products.find((one) => one.deviceCount === 0 && one.latestVersion !== null)!
    const product = productKey(other)
    const { releases } = await opened.core.handlers.firmware.releases(other)
    await opened.page.get('form fieldset select').setValue(product)
    await settle()
    expect(chosen(opened)).toEqual([
      ['From', product, releases[1]!.version],
      ['To', product, releases[0]!.version],
      false,
    ])
  })

  it('keeps what was chosen while the products were read', async () => {
    const core = await openCore()
    const release = core.hold('firmware.status')
    const { page } = await mountPage('/definitions?part=compare', true)
    const sources = page.findAll('select').filter((one) => one.text().includes('Installed package'))
    await sources[1]!.setValue('package')
    release()
    await settle()
    const selects = page.findAll<HTMLSelectElement>('form fieldset > :nth-child(2) select')
    expect(selects.map(({ element }) => element.value)).toEqual(['', ''])
  })

  it('compares only sides that differ, and says why it does not', async () => {
    const { page, words } = await openPage('/definitions?part=compare', { devices: 1_200 })
    const submit = () => page.get<HTMLButtonElement>('form [type="submit"]').element.disabled
    const shown = () => [submit(), words().includes('Both sides are the same.')]
    await page.get('form fieldset select').setValue('2830/9395')
    await settle()
    expect(shown()).toEqual([false, false])
    for (const version of page.findAll('form input[list]')) await version.setValue('2.9.2')
    expect(shown()).toEqual([true, true])
  })

  it('compares the version that devices run with the newest in one click', async () => {
    const { page, core, router } = await openPage('/definitions?part=compare')
    const [first] = (await core.handlers.firmware.status({})).products
      .flatMap(({ newest, inUse, ...one }) => {
        const other = inUse.find(({ version }) => version !== newest)
        return other ? [{ ...one, from: other.version, newest, n: other.devices }] : []
      })
      .toSorted((a, b) => b.n - a.n)
    const opened = nextPage(router)
    await page.find('ul a').trigger('click')
    await opened
    const product = `${first!.vendorId}/${first!.productId}`
    expect(router.currentRoute.value.query).toEqual({
      part: 'compare',
      product,
      firmware: first!.from,
      'with-product': product,
      'with-firmware': first!.newest,
    })
  })

  it('suggests for a chosen product the version that devices run and the newest, from the older to the newer', async () => {
    const { page, core } = await openPage('/definitions?part=compare')
    const product = (await core.handlers.firmware.status({})).products.find(
      ({ productId }) => productId === 9395,
    )!
    const selects = () => page.findAll('form fieldset').map((one) => one.find('select'))
    await selects()[0]!.setValue('2830/9395')
    await settle()
    const inputs = page.findAll<HTMLInputElement>('form input[list]').map(({ element }) => element.value)
    expect([
      selects().map(({ element }) => element.value),
      inputs.filter((value) => value !== ''),
      product.newest,
    ]).toEqual([
      ['2830/9395', '2830/9395'],
      [product.inUse.find(({ version }) => version !== product.newest)!.version, '2.9.2'],
      '2.9.2',
    ])
  })

  it('shows each setting that differs once, those of a document and equal ones on request', async () => {
    withSize(1_200, 1_000)
    const { core, button, page } = await openCompared(versions)
    const found = await core.finish(
      core.handlers.definitions.compare(core.argumentsOf('definitions.compare')[0] as never),
    )
    const differing = [...found.added, ...found.removed, ...found.changed]
    const labels = new Set(differing.map(({ label }) => label.toLowerCase()))
    const isEqual = (): boolean => gridTexts().some((cells) => cells.includes('Equal'))
    expect([gridTexts().length, isEqual()]).toEqual([labels.size, false])
    const chip = (text: string) => page.findAll('button.chip').find((one) => one.text().startsWith(text))!
    await chip('Device model').trigger('click')
    await settle()
    expect(gridTexts().length).toBe(differing.filter(({ source }) => source === 'device-model').length)
    await chip('Settings').trigger('click')
    const same = new Set(
      found.unchanged.map(({ label }) => label.toLowerCase()).filter((one) => !labels.has(one)),
    )
    await button(`${same.size} equal`).trigger('click')
    await settle()
    expect(isEqual()).toBe(true)
  })

  it('shows on each line how many devices have a value that the second side no longer allows', async () => {
    withSize(1_400, 1_000)
    const opened = await openPage(versions, {}, async (core) => {
      for (const { id } of await devicesOf(core, 'pid:9395'))
        await core.finish(core.handlers.devices.settings({ id, refresh: true }))
    })
    await compared(opened)
    const { core, page } = opened
    const { yours } = await core.finish(
      core.handlers.definitions.compare(core.argumentsOf('definitions.compare')[0] as never),
    )
    const heads = page.findAll('[role="columnheader"]').map((head) => head.text())
    const cells = gridTexts().map((row) => row[heads.indexOf('Your devices')])
    expect(new Set(cells.filter((cell) => cell !== '—' && cell?.startsWith('0 ') === false))).toEqual(
      new Set(yours?.lines.map(({ devices }) => `${devices} of ${yours.total}`)),
    )
    expect(yours?.lines.length).toBeGreaterThan(0)
  })

  it('exports what is shown, each setting with its name in the interface', async () => {
    withSize(1_200, 1_000)
    const { core, button } = await openCompared(versions)
    const found = await core.finish(
      core.handlers.definitions.compare(core.argumentsOf('definitions.compare')[0] as never),
    )
    await button('Export').trigger('click')
    const { offer } = useExports()
    const subject = offer!.choices[0]!.subject as Extract<ExportSubject, { of: 'rows' }>
    const named = settingLines(found).flatMap(({ kind, label, name }) =>
      kind === 'equal' ? [] : [[label, name]],
    )
    expect([
      offer!.columns?.slice(0, 3),
      subject.columns.slice(0, 2).map(({ label }) => label),
      subject.rows.map((row) => row.slice(0, 2)).toSorted(),
    ]).toEqual([['label', 'name', 'kind'], ['Setting', 'API name'], named.toSorted()])
  })

  it('folds its forms after the comparison; going back opens them and moves the focus there', async () => {
    const { page } = await openCompared(versions)
    const selects = (): number => page.findAll('form select').length
    const folded = selects()
    await page.get('form .card button').trigger('click')
    await settle()
    expect([folded, selects() > 0, document.activeElement?.tagName]).toEqual([0, true, 'SELECT'])
  })

  it('swaps its sides: what was added is removed', async () => {
    const opened = await openCompared(versions)
    const { words, router } = opened
    const counted = (): string[] => /(\d+) added · (\d+) changed · (\d+) removed/.exec(words())!.slice(1)
    const [added, changed, removed] = counted()
    await opened.page.find('[aria-label="Swap sides"]').trigger('click')
    await settle()
    await compared(opened)
    expect([router.currentRoute.value.query['firmware'], ...counted()]).toEqual([
      '2.9.2',
      removed,
      changed,
      added,
    ])
  })

  it('compares the installed package with itself as equal', async () => {
    const { words } = await openCompared('/definitions?part=compare&source=package&with-source=package')
    expect(words()).toContain('0 added · 0 changed · 0 removed')
  })

  it('is where the former page was, with the sides of its address', async () => {
    const { router } = await openPage('/compare?product=2830/9395&firmware=2.7.2')
    expect([router.currentRoute.value.path, router.currentRoute.value.query]).toEqual([
      '/definitions',
      { part: 'compare', product: '2830/9395', firmware: '2.7.2' },
    ])
  })

  it('names what one side does not publish', async () => {
    const { words } = await openCompared(versions.replace('2.9.2', '9.9.9'))
    expect(words()).toMatch(/Not compared: [^.]*Feature model[^.]*\. 9\.9\.9: not published\./)
  })

  it('stores both sides in the address', async () => {
    const { page, router } = await openPage('/definitions?part=compare')
    for (const side of page.findAll('form fieldset')) await side.get('select').setValue('')
    const sources = page.findAll('select').filter((one) => one.text().includes('Installed package'))
    await sources[1]!.setValue('package')
    await page.get('form').trigger('submit')
    await settle()
    expect(router.currentRoute.value.query).toEqual({
      part: 'compare',
      source: 'service',
      'with-source': 'package',
    })
  })
})

describe('the versions of a product', () => {
  const product = { vendorId: 2830, productId: 9395 }

  it('are requested again after they could not be read', async () => {
    const core = await openCore()
    const compare = useCompare()
    core.fail('firmware.releases', { kind: 'bug', reference: 'x' })
    await compare.loadReleases(product)
    core.fail('firmware.releases', null)
    await compare.loadReleases(product)
    expect(compare.releases.get(productKey(product))).not.toEqual([])
    expect(core.argumentsOf('firmware.releases')).toEqual([product, product])
  })
  it('are not those of another organization that was selected meanwhile', async () => {
    const core = await openCore()
    await addFjordbank(core)
    await useLayoutStore().start()
    await core.advance(1_000)
    await settle()
    const compare = useCompare()
    const release = core.hold('firmware.releases')
    void compare.loadReleases(product)
    await showFjordbank(core)
    release()
    await settle()
    expect([...compare.releases]).toEqual([])
  })
  it('remain when the organization is renamed', async () => {
    const core = await openCore()
    await useLayoutStore().start()
    const compare = useCompare()
    await compare.loadReleases(product)
    await changeProfile(core, () => ({ name: 'Nordlys' }))
    await settle()
    expect([...compare.releases.keys()]).toEqual([productKey(product)])
  })
})
