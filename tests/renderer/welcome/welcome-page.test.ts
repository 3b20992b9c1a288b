import { describe, expect, it, vi } from 'vitest'
import { openCore, settle, type TestCore } from '../core.ts'
import { mountPage, nextPage, openPage as openAny, type OpenedPage } from '../page.ts'

const openPage = (address: string, prepare?: (core: TestCore) => unknown): Promise<OpenedPage> =>
  openAny(address, { organization: 'none' }, prepare)

describe('the first run', () => {
  it('opens the demonstration with one click: adds it, starts its first sync and shows the rooms', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const core = await openCore({ organization: 'none' })
    const { router, button, words } = await mountPage('/welcome', true)
    expect(words()).toContain('Nothing leaves this computer')
    await button('Open the demonstration').trigger('click')
    await nextPage(router)
    await core.finish(core.answered('sync.run'))
    // The last change is reported after a delay, and loaded two seconds after the previous load.
    await core.advance(1_000)
    await settle()
    vi.advanceTimersByTime(2_000)
    await settle()
    expect(words()).toContain('Overview 300 devices, 6 rooms')
  })

  it('opens the demonstration also before the organizations are loaded', async () => {
    let release = (): void => undefined
    const { core, button } = await openPage('/welcome', (prepared) => {
      release = prepared.hold('organizations.list')
    })
    await button('Open the demonstration').trigger('click')
    await settle()
    release()
    await settle()
    expect(
      core.requested.filter(({ channel }) => /^organizations\.add|^sync\.run/.test(channel)),
    ).toMatchObject([
      { channel: 'organizations.add', argument: { preset: 'demonstration' } },
      { channel: 'sync.run' },
    ])
  })

  it('reports a demonstration that does not start, with a retry', async () => {
    const { page, button } = await openPage('/welcome', (core) =>
      core.fail('organizations.add', { kind: 'bug', reference: 'B-17' }),
    )
    await button('Open the demonstration').trigger('click')
    await settle()
    expect(page.find('[role="alert"]').exists()).toBe(true)
    expect(button('Open the demonstration').attributes('disabled')).toBeUndefined()
  })

  it('asks only for the key: the service is selected, the rest is under Advanced', async () => {
    const { page, words } = await openPage('/welcome/connect')
    const seen = (name: string): boolean => {
      const input = page.find(`input[name="${name}"]`)
      return input.exists() && input.element.closest('[style*="none"]') === null
    }
    expect([
      ['key', 'name', 'managementUrl', 'metadataUrl', 'family'].filter(seen),
      words().includes('Open the vendor’s page with the portal'),
    ]).toEqual([['key'], true])
    await page
      .findAll('button')
      .find((one) => one.text() === 'Other')!
      .trigger('click')
    expect([
      ['key', 'name', 'managementUrl', 'metadataUrl', 'family'].filter(seen),
      words().includes('Open the vendor’s page with the portal'),
    ]).toEqual([['key', 'name', 'managementUrl', 'metadataUrl'], false])
  })

  it('opens the portal in the browser, marked as a page of the vendor', async () => {
    const { openedOutside, button, words } = await openPage('/welcome')
    await button('Open the vendor’s page with the portal').trigger('click')
    expect([openedOutside, words().includes('Open the vendor’s page with the portal')]).toEqual([
      ['https://developer.jabra.com/sdks-and-tools/jabraplusapis'],
      true,
    ])
  })

  it('reports a wrong key once, at its field, and keeps the selections', async () => {
    const { core, page, words } = await openPage('/welcome')
    await page.find('input[name="key"]').setValue('wrong-one')
    await page.find('form').trigger('submit')
    await settle()
    await core.answered('organizations.setKey')
    await settle()
    expect([
      words().match(/refused/g)?.length,
      page.find('input[name="key"]').attributes('aria-invalid'),
      core.argumentsOf('organizations.add').map((draft) => (draft as { name: string }).name),
    ]).toEqual([1, 'true', ['Jabra Plus']])
  })

  it('opens Advanced for errors in it, each field with its own message', async () => {
    const { page } = await openPage('/welcome')
    await page.find('input[name="name"]').setValue('')
    await page.find('input[name="managementUrl"]').setValue('http://api.example.com')
    await page.find('input[name="key"]').setValue('two words')
    await page.find('form').trigger('submit')
    await settle()
    expect([
      page.findAll('.error').map((one) => one.text()),
      page.find('button[aria-expanded]').attributes('aria-expanded'),
    ]).toEqual([
      [
        'The key contains spaces or line breaks. Copy it again.',
        'Enter a name.',
        'Use https://. Plain http would send the key unencrypted. It is only allowed on this computer.',
      ],
      'true',
    ])
  })

  it('asks for a name of a second organization of one service', async () => {
    const core = await openCore()
    const { organizations, presets } = await core.handlers.organizations.list()
    const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
    await core.handlers.organizations.update({ id: organizations[0]!.id, draft })
    const { page } = await mountPage('/welcome', true)
    expect(page.find<HTMLInputElement>('input[name="name"]').element.closest('.advanced')).toBeNull()
  })
})
