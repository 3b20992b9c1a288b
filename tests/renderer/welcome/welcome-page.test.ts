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
    // What changed last is told a moment later, and read two seconds after what was read before.
    await core.advance(1_000)
    await settle()
    vi.advanceTimersByTime(2_000)
    await settle()
    expect(words()).toContain('Overview 300 devices, 6 rooms')
  })

  it('opens it too when it is pressed before the organizations are known', async () => {
    let release = (): void => undefined
    const { core, button } = await openPage('/welcome', (core) => {
      release = core.hold('organizations.list')
    })
    await button('Open the demonstration').trigger('click')
    await settle()
    release()
    await settle()
    expect(core.asked.filter(({ channel }) => /^organizations\.add|^sync\.run/.test(channel))).toMatchObject([
      { channel: 'organizations.add', argument: { preset: 'demonstration' } },
      { channel: 'sync.run' },
    ])
  })

  it('a demonstration that does not start is told, and can be tried again', async () => {
    const { page, button } = await openPage('/welcome', (core) =>
      core.fail('organizations.add', { kind: 'bug', reference: 'B-17' }),
    )
    await button('Open the demonstration').trigger('click')
    await settle()
    expect(page.find('[role="alert"]').exists()).toBe(true)
    expect(button('Open the demonstration').attributes('disabled')).toBeUndefined()
  })

  it('connecting is reachable without an organization, with where to get a key beside it', async () => {
    const { router, words } = await openPage('/welcome/connect')
    expect(router.currentRoute.value.name).toBe('connect')
    expect(words()).toContain('Where do I get a key?')
    expect(words()).toContain('In the portal, profile → subscriptions shows a primary and a secondary key.')
  })

  it('a wrong key is told at its field; the name stays', async () => {
    const { core, page, words } = await openPage('/welcome/connect')
    await page.find('input[name="name"]').setValue('Nordlys')
    await page.find('input[name="key"]').setValue('wrong-one')
    await page.find('form').trigger('submit')
    await settle()
    await core.answered('organizations.setKey')
    await settle()
    expect(words()).toContain('The service refused this key.')
    expect((page.find('input[name="name"]').element as HTMLInputElement).value).toBe('Nordlys')
    expect(page.find('input[name="key"]').attributes('aria-invalid')).toBe('true')
  })

  it('each wrong field says its own sentence', async () => {
    const { page } = await openPage('/welcome/connect')
    await page.find('input[name="managementUrl"]').setValue('http://api.example.com')
    await page.find('input[name="key"]').setValue('two words')
    await page.find('form').trigger('submit')
    await settle()
    expect(page.findAll('.error').map((one) => one.text())).toEqual([
      'Enter a name.',
      'Use https://. Plain http would send the key readable over the network; it is allowed on this computer only.',
      'There is white space inside this key. Copy it again as one word.',
    ])
  })
})
