import { afterEach, describe, expect, it, vi } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { openCore, settle, type TestCore } from '../core.ts'
import { gridLines, gridTexts, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage } from '../page.ts'

const evolve = '/definitions/2830/9395?variant=01-64&firmware=2.7.2'
const ofVariant = '/variants/01-64/firmware-versions/2.7.2'
const properties = `${ofVariant}/schema-versions/1.11.0/properties.json`
const deviceModel = `${ofVariant}/device-models/`
const featureModel = `${ofVariant}/feature-model.json`
const notFound = answer(404, { statusCode: 404, message: 'Resource not found' })
interface PropertyDocument {
  readonly properties: Readonly<Record<string, unknown>>
}
/** Read earlier, and not since. */
const readEarlier =
  (agoInMs: number) =>
  async ({ handlers, sleep }: TestCore): Promise<void> => {
    await handlers.definitions.inUse({ refresh: false })
    sleep(agoInMs)
  }

describe('Definitions', () => {
  afterEach(() => vi.restoreAllMocks())
  it('begins with a sentence: the version in use, the latest, and why it is limited', async () => {
    const { words } = await openPage('/definitions', {}, readEarlier(4 * 60_000))
    expect(words()).toContain(
      'Uses definitions 14.5.0 (schema 1.11.0), the highest supported. The service has 14.6.0 (schema 1.12.0): its new settings are not shown. Public · read 4 minutes ago',
    )
  })

  it('opens on the product that most of your devices are, first in the list, and stays at its address', async () => {
    const { page, router, words } = await openPage('/definitions')
    expect(page.get('[role="option"][aria-selected="true"]').text()).toMatch(
      /^Jabra Evolve2 65 Stereo.* devices$/,
    )
    expect(page.findAll('[role="option"]')[0]!.attributes('aria-selected')).toBe('true')
    expect(words()).toContain('Audio announcements')
    expect(router.currentRoute.value.fullPath).toBe('/definitions')
  })

  it.each(['', '?part=schema', '?part=compare', '?part=telemetry'])(
    'has its tabs above everything: %s',
    async (query) => {
      const { page } = await openPage(`/definitions${query}`)
      expect(page.get('[role="tablist"]').element.closest('.body')).toBeNull()
    },
  )

  it('shows variant, firmware and stage when opened from a device', async () => {
    const { page, words } = await openPage('/definitions/2830/9379?variant=01-4D&firmware=2.8.2')
    expect((page.find('select').element as HTMLSelectElement).value).toBe('01-4D')
    expect((page.find('input[list]').element as HTMLInputElement).value).toBe('2.8.2')
    expect(words()).toMatch(
      /Jabra Evolve2 65 Stereo .*Uses definitions 14\.5\.0 \(schema 1\.11\.0\).* Public/,
    )
  })

  it('lists properties with type, limits, access, and whether a restart is specified', async () => {
    withSize(1_000, 1_000)
    await openPage(evolve)
    expect(gridTexts().slice(0, 2)).toEqual([
      ['Audio announcements', 'audioAnnouncements', 'Choice', 'tones, voice, off', 'read, write', 'no'],
      ['Audio exposure', 'audioExposure', 'Number', 'not restricted', 'event', '—'],
    ])
  })

  it('puts types and values into words, keeps those of the service at hand, and finds both', async () => {
    withSize(1_200, 2_000)
    const { page } = await openPage(evolve)
    const cellsOf = (name: string) =>
      gridLines()
        .map((line) => [...line.querySelectorAll<HTMLElement>('[role="gridcell"]')])
        .find((cells) => cells[1]?.textContent === name)
        ?.slice(2, 4)
        .map((cell) => [cell.textContent, cell.title || cell.querySelector('[title]')?.getAttribute('title')])
    const shown = cellsOf('boomArmRotateInCallAction')
    const search = page.get('input[aria-label="Search properties"]')
    const found: unknown[] = []
    for (const typed of ['endCall', 'end call', 'on or off', 'boolean']) {
      await search.setValue(typed)
      await search.trigger('keydown', { key: 'Enter' })
      await settle()
      found.push(gridLines().length > 0)
    }
    expect([shown, found]).toEqual([
      [
        ['Choice', 'string'],
        [expect.stringContaining('end call'), expect.stringContaining('endCall')],
      ],
      [true, true, true, true],
    ])
  })

  it('renders only the visible rows of a long list, with the full count', async () => {
    await openPage(evolve, {}, ({ service }) =>
      service.alter(properties, ({ properties: few, ...others }: PropertyDocument) => ({
        ...others,
        properties: {
          ...few,
          ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`more${n}`, few['batteryLevel']])),
        },
      })),
    )
    expect(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')).toBe('241')
    expect(gridLines().length).toBeLessThan(60)
  })

  it('omits a stage that no document has', async () => {
    const { page } = await openPage(evolve, {}, ({ service }) => {
      const stageless = ({ stage: _stage, ...document }: { readonly stage: string }): object => document
      service.alter('/properties/trimmed.json', stageless)
      service.alter(properties, stageless)
    })
    expect(page.get('section.version').text()).toContain('stage not specified')
  })

  it('shows definitions of a product without published releases', async () => {
    const core = await openCore()
    const scheduler = { text: 'Scheduler', owned: false, start: 0, count: 1 }
    const { rows } = await core.handlers.firmware.products(scheduler)
    const { variantType } = rows[0]!.variants[0]!
    const { page, words } = await mountPage(
      `/definitions/2830/12432?variant=${variantType}&firmware=3.1.4`,
      true,
    )
    expect(words()).toContain('Display backlight level')
    expect(page.findAll('[role="alert"]')).toHaveLength(0)
  })

  it('shows in its own tab that a document is not published', async () => {
    const { words, button } = await openPage('/definitions/2830/9395?variant=01-64&firmware=9.9.9')
    expect(words()).toContain('Property definitions not published')
    await button('Device model').trigger('click')
    await settle()
    expect(words()).toContain('Device model not published')
    await button('Feature model').trigger('click')
    await settle()
    expect(words()).toContain('Feature model not published')
  })

  it('does not list a document above the definition limit, and shows it as received', async () => {
    withSize(1_000, 1_000)
    const { words, button, core } = await openPage(evolve, {}, ({ service }) => {
      service.alter(properties, () => ({
        definitionVersion: '14.6.0',
        schemaVersion: '1.12.0',
        stage: 'Candidate',
        properties: { future: {} },
      }))
      // A model that defines one of its own properties, and one property in an unusual form.
      service.alter(deviceModel, (model: object) => ({
        ...model,
        properties: {
          sidetoneLevel: { valueType: { type: 'integer', minimum: 0, maximum: 10 } },
          odd: 'as it came',
        },
      }))
    })
    const listed = gridTexts().map((cells) => cells.slice(0, 4))
    expect(listed).toContainEqual(['Sidetone level', 'sidetoneLevel', 'Number', '0 to 10'])
    expect(listed).toContainEqual(['Odd', 'odd', 'as received', '"as it came"'])
    expect(listed.map(([, name]) => name)).not.toContain('future')
    expect(words()).toContain(
      'Property document · definition version 14.6.0 · schema 1.12.0 · Candidate Above the highest supported version 14.5.0',
    )
    await button('As received').trigger('click')
    await core.finish(core.answered('definitions.documents'))
    await settle()
    expect(words()).toContain('properties { } 1 member future { } 0 members')
  })

  it.each([
    ['2.7.2', ['2.7.2', '2.9.2']],
    ['2.9.2', ['2.9.0', '2.9.2']],
  ])('compares %s from the older to the newer', async (firmware, versions) => {
    const { page, router } = await openPage(`/definitions/2830/9395?variant=01-64&firmware=${firmware}`)
    const opened = nextPage(router)
    await page.find('.heading a').trigger('click')
    await opened
    const { query } = router.currentRoute.value
    expect([query['firmware'], query['with-firmware']]).toEqual(versions)
  })

  it('omits what a document does not say of itself', async () => {
    const { words } = await openPage(evolve)
    expect([words().includes('not specified · '), words().includes('Device model ·')]).toEqual([false, false])
  })

  it('opens a part that needs no product without the list of products, and returns to the product', async () => {
    const { page, router, button } = await openPage(evolve)
    const open = async (part: string): Promise<readonly unknown[]> => {
      const opened = nextPage(router)
      await button(part).trigger('click')
      await opened
      await settle()
      return [page.find('.products').exists(), page.find('.heading h2').exists()]
    }
    expect([await open('Telemetry'), await open('By product')]).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('shows that no list of schema versions is published', async () => {
    const { words } = await openPage('/definitions', {}, ({ service }) =>
      service.script('/schema-versions.json', () => notFound),
    )
    expect(words()).toContain(
      'The service publishes no list of schema versions. Headroom requested the installed package’s own schema, 1.11.0.',
    )
  })

  it('shows in its own tab why a document failed, with the others', async () => {
    withSize(1_000, 1_000)
    const { words, button } = await openPage(evolve, {}, ({ service }) =>
      service.script(featureModel, () => answer(500, { statusCode: 500, message: 'Internal server error' })),
    )
    expect(words()).toContain('sidetoneLevelEnum')
    await button('Feature model').trigger('click')
    await settle()
    expect(words()).toContain('GetFeatureModelByProductVariant at cdn.cloud.jabra.com')
    expect(words()).not.toContain('Feature model not published')
  })

  it('keeps version and age on a refresh without a connection', async () => {
    const { page, words, button, core } = await openPage('/definitions', {}, async (opened) => {
      await readEarlier(26 * 3_600_000)(opened)
      opened.service.offline = true
    })
    // The calls are limited in rate.
    await core.advance(1_000)
    await settle()
    await button('Refresh').trigger('click')
    await core.advance(1_000)
    await settle()
    expect(core.argumentsOf('definitions.inUse')).toEqual([{ refresh: false }, { refresh: true }])
    expect(page.findAll('[role="alert"]')).toHaveLength(0)
    expect(words()).toContain('Uses definitions 14.5.0')
    expect(words()).toContain('read 1 day ago')
  })

  it('keeps version and age on a refresh with an invalid response, and reports it', async () => {
    const { page, words, button, core } = await openPage('/definitions', {}, async (prepared) => {
      await readEarlier(30 * 60_000)(prepared)
      prepared.service.script('/schema-versions.json', () => answer(200, 'nonsense'))
    })
    await button('Refresh').trigger('click')
    await core.advance(1_000)
    await settle()
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    expect(words()).toContain('Uses definitions 14.5.0')
    expect(words()).toContain('read 30 minutes ago')
  })

  it('reports once that there is no version in use, and one button reads version and definitions again', async () => {
    const { page, core, words } = await openPage(evolve, {}, ({ service }) => {
      service.offline = true
    })
    expect(page.findAll('[role="alert"]')).toHaveLength(1)
    core.service.offline = false
    await page.find('[role="alert"] button').trigger('click')
    await settle()
    expect(page.findAll('[role="alert"]')).toHaveLength(0)
    expect(words()).toContain('Uses definitions 14.5.0')
    expect(words()).toContain('40 properties')
  })
})
