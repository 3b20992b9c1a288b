import { describe, expect, it, vi } from 'vitest'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { useOverviewStore } from '../../../renderer/overview/overview-store.ts'
import { settle } from '../core.ts'
import { openPage, textIn, type OpenedPage } from '../page.ts'

async function opened(address = '/devices'): Promise<OpenedPage & { readonly chips: () => string[] }> {
  const one = await openPage(address)
  await useOverviewStore().load()
  await settle()
  const chips = (): string[] =>
    one.page
      .findAll('.chip')
      .map((chip) => `${textIn(chip.element)}${chip.attributes('aria-pressed') === 'true' ? '*' : ''}`)
  return { ...one, chips }
}
async function press(one: OpenedPage, name: RegExp): Promise<void> {
  await one.page
    .findAll('button')
    .find((button) => name.test(textIn(button.element)))!
    .trigger('click')
  await settle()
}

describe('the chips above the devices', () => {
  it('count the whole fleet and filter by one click, together', async () => {
    const one = await opened()
    const { words } = useOverviewStore().overview!.firmware
    const fleet = one.chips()
    await press(one, /^Behind/)
    await press(one, /^Not seen for a week/)
    const { applied, total } = useDevicesStore()
    await press(one, /^Behind/)
    expect([
      fleet,
      applied,
      total !== null && total <= words.behind,
      one.chips(),
      useDevicesStore().applied,
    ]).toEqual([
      [
        `Behind ${words.behind}`,
        `On revoked firmware ${words.revoked}`,
        `Not seen for a week ${useOverviewStore().overview!.silent}`,
      ],
      'fw:behind age:>=7d',
      true,
      [...fleet.slice(0, 2), `${fleet[2]}*`],
      'age:>=7d',
    ])
  })
  it('are counted without a request of their own while the filter is typed', async () => {
    const one = await opened()
    const before = one.core.argumentsOf('devices.selected').length
    for (const typed of ['a', 'an', 'ann']) {
      useDevicesStore().where = typed
      await settle()
    }
    expect([
      one.core.argumentsOf('devices.selected').length - before,
      one.core.argumentsOf('devices.facets').length,
      one.core.argumentsOf('overview.get').length,
    ]).toEqual([0, 0, 1])
  })
  it('have no count while it is not known', async () => {
    const one = await opened('/devices?where=fw:behind')
    const { words } = useOverviewStore().overview!.firmware
    const overview = useOverviewStore().overview!
    vi.spyOn(one.core.handlers.overview, 'get').mockResolvedValue({
      ...overview,
      firmware: { ...overview.firmware, comparing: { done: 1, total: 2 } },
    })
    const before = one.chips()[0]
    await useOverviewStore().load()
    await settle()
    expect([before, one.chips()[0]]).toEqual([`Behind ${words.behind}*`, 'Behind*'])
  })
  it('are not pressed by a filter for all others', async () => {
    const one = await opened('/devices?where=!age:>=7d')
    expect(one.chips()).toContain(`Not seen for a week ${useOverviewStore().overview!.silent}`)
  })
  it('keep a version in the filter', async () => {
    const one = await opened('/devices?where=fw:<2')
    await press(one, /^On revoked firmware/)
    expect(useDevicesStore().applied).toBe('fw:<2 fw:revoked')
  })
})

describe('a filter for devices that are behind', () => {
  it('says how many more are on revoked firmware, and includes them on request', async () => {
    const one = await opened('/devices?where=fw:behind')
    const { words } = useOverviewStore().overview!.firmware
    const said = one.words().match(/\d+ more .* revoked firmware/)?.[0]
    await press(one, /^Include/)
    expect([
      said,
      useDevicesStore().applied,
      useDevicesStore().total,
      /more .* revoked firmware/.test(one.words()),
    ]).toEqual([
      `${words.revoked} more ${words.revoked === 1 ? 'is' : 'are'} on revoked firmware`,
      'fw:behind,revoked',
      words.behind + words.revoked,
      false,
    ])
  })
  it('says without a number that they are left out, if it has other terms', async () => {
    const one = await opened('/devices?where=fw:behind%20status:online')
    const said = one.words().includes('Devices on revoked firmware are left out')
    await press(one, /^Include/)
    expect([said, useDevicesStore().applied]).toEqual([true, 'fw:behind,revoked status:online'])
  })
})
