import { describe, expect, it, test, vi } from 'vitest'
import { linkOfPage } from '../../../renderer/links/page-links.ts'
import { settle } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'

/** A page is loaded when it is first opened. */
async function arrived(): Promise<void> {
  await vi.dynamicImportSettled()
  await settle()
}
const addressOf = (link: string): string => `/link?to=${encodeURIComponent(link)}`
async function openLink(link: string): Promise<OpenedPage> {
  const opened = await openPage(addressOf(link))
  await arrived()
  return opened
}
const changes = ({ core }: OpenedPage): readonly unknown[] =>
  core.requested.filter(({ channel }) =>
    /^(?:organizations\.(?!list)|jobs\.(?:plan|start)|sync|writes\.unlock)/.test(channel),
  )

describe('a link', () => {
  it('to a room opens its page and does nothing else', async () => {
    const opened = await openPage('/overview')
    const { core, router } = opened
    const [room] = (await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })).rows
    await router.push(addressOf(`headroom://room/${room!.id}?in=Nordlys%20A%2FS`))
    await arrived()
    expect([
      router.currentRoute.value.fullPath,
      document.querySelector('h1')?.textContent.trim(),
      changes(opened),
    ]).toEqual([`/room/${room!.id}`, room!.name, []])
  })

  it('to a list opens it with its filter', async () => {
    const link = 'headroom://view/rooms?where=health%3Adown'
    const opened = await openLink(link)
    expect(linkOfPage(opened.router.currentRoute.value, null)).toBe(link)
  })

  it('to a former page opens the part that it became', async () => {
    const became = {
      connections: '/preferences/connections',
      telemetry: '/definitions?part=telemetry',
      compare: '/definitions?part=compare',
      webhooks: '/organizations?part=webhooks',
    }
    const { router } = await openPage('/help')
    const opened: Record<string, string> = {}
    for (const page of Object.keys(became)) {
      await router.push(addressOf(`headroom://view/${page}`))
      await arrived()
      opened[page] = router.currentRoute.value.fullPath
    }
    expect(opened).toEqual(became)
  })

  it('to an unknown room shows that, and in which organization it was searched', async () => {
    const { words } = await openLink('headroom://room/5f0f')
    expect(words()).toContain('Nordlys A/S')
    expect(document.querySelector('.empty h2')?.textContent).toBe('Room not found')
  })

  it.each([
    'https://example.com/',
    'headroom://reboot/5f0f',
    'headroom://view/welcome',
    'headroom://view/downloads?where=status%3Afailed',
  ])('without a target is reported: %s', async (link) => {
    const opened = await openLink(link)
    expect([opened.router.currentRoute.value.name, document.querySelector('.empty h2')?.textContent]).toEqual(
      ['link', 'This link cannot be opened'],
    )
  })

  it('for another organization asks first, and switches on confirmation', async () => {
    const opened = await openPage('/overview')
    const { core, router } = opened
    const { organizations, presets } = await core.handlers.organizations.list()
    const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
    await core.handlers.organizations.add({ ...draft, name: 'Fjordbank' })
    await core.handlers.organizations.use({ id: organizations[0]!.id })
    // The last change is reported after a delay.
    await core.advance(1_000)
    await settle()
    await router.push(addressOf('headroom://view/rooms?in=Fjordbank'))
    await arrived()
    const requested = [router.currentRoute.value.name, document.querySelector('.empty h2')?.textContent]
    await opened.button('Switch to Fjordbank').trigger('click')
    await arrived()
    const { organizations: after } = await core.handlers.organizations.list()
    expect([requested, router.currentRoute.value.name, after.find(({ current }) => current)?.name]).toEqual([
      ['link', 'This link is for Fjordbank'],
      'rooms',
      'Fjordbank',
    ])
  })

  it('for a missing organization changes nothing and can be searched in the one in use', async () => {
    const opened = await openLink('headroom://view/rooms?in=Elsewhere')
    const requested = document.querySelector('.empty h2')?.textContent
    await opened.button('Search in Nordlys A/S').trigger('click')
    await arrived()
    expect([requested, opened.router.currentRoute.value.name, changes(opened)]).toEqual([
      'Elsewhere is not on this computer',
      'rooms',
      [],
    ])
  })
})

test('the link of a page names what it shows', async () => {
  const links = {
    '/overview': 'headroom://view/overview?in=Nordlys',
    '/rooms?where=health:down': 'headroom://view/rooms?where=health%3Adown&in=Nordlys',
    '/rooms/5f0f': 'headroom://room/5f0f?in=Nordlys',
    '/room/5f0f': 'headroom://room/5f0f?in=Nordlys',
    '/device/a%20b': 'headroom://device/a%20b?in=Nordlys',
    '/definitions/2830/9379': 'headroom://product/2830/9379',
    '/jobs/7': 'headroom://view/jobs?in=Nordlys',
    '/link': null,
  }
  const { router } = await openPage('/help')
  const found: Record<string, string | null> = {}
  for (const address of Object.keys(links)) {
    await router.push(address)
    found[address] = linkOfPage(router.currentRoute.value, 'Nordlys')
    await settle()
  }
  expect(found).toEqual(links)
})
