import { afterEach, describe, expect, it, vi } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { settle } from '../core.ts'
import { gridTexts, withSize } from '../lists/a-grid.ts'
import { openPage, type OpenedPage } from '../page.ts'

const evolve = '/definitions/2830/9395?variant=01-64&firmware=2.7.2'
async function openDocuments(...given: Parameters<typeof openPage>): Promise<OpenedPage> {
  const opened = await openPage(...given)
  await opened.core.finish(opened.core.answered('definitions.read'))
  await settle()
  await opened.button('All documents').trigger('click')
  await settle()
  // Documents are read one after the other.
  await opened.core.finish(opened.core.answered('definitions.documents'))
  await settle()
  return opened
}

describe('all documents of a product', () => {
  afterEach(() => vi.restoreAllMocks())

  it('are lists, and as received with their address and age', async () => {
    withSize(1_200, 1_000)
    const { page, words } = await openDocuments(evolve)
    const address = /read .* · .*\/variants\/01-64\/firmware-versions\/2\.7\.2\//
    const listed = address.test(words())
    await page
      .findAll('button:not([role="tab"])')
      .find((one) => one.text() === 'As received')!
      .trigger('click')
    expect([listed, address.test(words())]).toEqual([false, true])
  })

  it('of a schema version repeat no version that stands above them, and state another', async () => {
    const { core, page, words } = await openPage('/definitions?part=schema')
    await core.finish(core.answered('definitions.documents'))
    await settle()
    const said = (): readonly number[] =>
      ['schema 1.11.0', 'definition version'].map((one) => words().split(one).length - 1)
    const inUse = said()
    await core.finish(core.answered('definitions.versions'))
    await settle()
    const schemas = page.findAll('select').at(-1)!
    await schemas.setValue(schemas.findAll('option').at(1)!.element.value)
    await core.finish(core.answered('definitions.documents'))
    await settle()
    expect([inUse, said()]).toEqual([
      [1, 0],
      [1, 1],
    ])
  })

  it('say that a member with a type and no limits is not restricted', async () => {
    withSize(1_200, 1_000)
    await openDocuments(evolve)
    const booleans = gridTexts().filter((cells) => cells.includes('On or off'))
    expect([booleans.length > 0, booleans.every((cells) => cells.includes('on or off'))]).toEqual([
      true,
      true,
    ])
  })

  it('are searched by every typed word', async () => {
    withSize(1_200, 1_000)
    const { page } = await openDocuments(evolve)
    await page.get('input[aria-label="Search the document"]').setValue('sidetone')
    await page.get('input[aria-label="Search the document"]').trigger('keydown', { key: 'Enter' })
    await settle()
    expect(gridTexts().map(([name]) => name!.toLowerCase().includes('sidetone'))).not.toContain(false)
    expect(gridTexts().length).toBeGreaterThan(0)
  })

  it('are those of the typed definition version', async () => {
    const { page, core, words } = await openDocuments(evolve)
    await page.get('input[placeholder="In use"]').setValue('14.3.0')
    await core.finish(core.answered('definitions.documents'))
    await settle()
    const [before, after] = core
      .argumentsOf('definitions.documents')
      .slice(-2)
      .map((one) => (one as { selection: { definitionVersion: string | null } }).selection.definitionVersion)
    expect([before, after]).toEqual([null, '14.3.0'])
    expect(words()).toContain('Device model')
  })

  it('are shown as received with one click', async () => {
    const { page } = await openDocuments(evolve)
    const button = page.findAll('button:not([role="tab"])').find((one) => one.text() === 'As received')
    await button!.trigger('click')
    expect(page.find('.tree').exists()).toBe(true)
  })

  it('of the installed package are available when the service never responded', async () => {
    withSize(1_200, 4_000)
    const { page } = await openPage(evolve, {}, async (core) => {
      await core.handlers.metadata.clearCache()
      core.service.offline = true
    })
    const details = page
      .findAll<HTMLDetailsElement>('details')
      .find((one) => one.get('summary').text() === 'All documents')!
    details.element.open = true
    await details.trigger('toggle')
    await settle()
    await details.get('select').setValue('package')
    await settle()
    expect(gridTexts().length).toBeGreaterThan(100)
  })

  it('fail one by one', async () => {
    const { button, words } = await openDocuments(evolve, {}, ({ service }) =>
      service.script('/feature-model.json', () => answer(500, { statusCode: 500, message: 'No' })),
    )
    const chip = (name: RegExp) =>
      [...document.querySelectorAll('button.chip')]
        .map((one) => one.textContent ?? '')
        .find((one) => name.test(one))
    expect([chip(/^Device model\s*[1-9]/), chip(/^Feature model\s*0/)]).not.toContain(undefined)
    await button(chip(/^Feature model/)!.trim()).trigger('click')
    expect(words()).toContain('Try again')
  })
})
