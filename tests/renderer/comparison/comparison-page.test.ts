import { describe, expect, it } from 'vitest'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { devicesOf, settle, type TestCore } from '../core.ts'
import { nextPage, openPage, type OpenedPage } from '../page.ts'

/** Two devices of one product, read or not. */
async function opened(read: boolean): Promise<OpenedPage> {
  let address = ''
  const page = await openPage('/overview', {}, async (core: TestCore) => {
    const all = await devicesOf(core)
    const [a, b] =
      [...Map.groupBy(all, ({ productId }) => productId).values()].find(({ length }) => length > 1) ?? []
    address = `/compare-devices/${a!.id}/${b!.id}`
    if (read)
      for (const { id } of [a!, b!]) await core.finish(core.handlers.devices.settings({ id, refresh: true }))
  })
  await page.router.push(address)
  await settle()
  return page
}
const boxes = ({ page }: OpenedPage) => page.findAll('tbody input[type="checkbox"]')

describe('the comparison page', () => {
  it('reads what was not read with the number of calls that it names', async () => {
    const page = await opened(false)
    expect(page.words()).toContain('Read them now 2 calls')
    const before = page.core.argumentsOf('devices.settings').length
    await page.button('Read them now').trigger('click')
    await page.core.finish(page.core.answered('devices.settings'))
    await settle()
    expect(page.core.argumentsOf('devices.settings').length - before).toBe(2)
  })

  it('reads the settings of all devices of two rooms at once', async () => {
    let address = ''
    const { core, words, button, router } = await openPage('/overview', {}, async ({ handlers }) => {
      const { rows } = await handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 100 })
      const [a, b] = rows.filter(({ deviceCount }) => (deviceCount ?? 0) > 1)
      address = `/compare-rooms/${a!.id}/${b!.id}`
    })
    await router.push(address)
    await settle()
    const said =
      /\d+ differences? \(.*(?:about the room|firmware).*\), \d+ the same\. Settings of (\d+) devices are not read\. (Read all settings \((\d+) calls\))/
    const [, devices, label = '', calls] = said.exec(words()) ?? []
    expect(devices).toBe(calls)
    await button(label).trigger('click')
    await expect
      .poll(async () => {
        await core.advance(1_000)
        await settle()
        return core.argumentsOf('devices.settings').length
      })
      .toBe(Number(calls))
    expect(Number(calls)).toBeGreaterThan(2)
  })

  it('shows equal lines when they are unfolded', async () => {
    const page = await opened(true)
    const lines = () => page.page.findAll('tbody tr.same').length
    expect(lines()).toBe(0)
    await page.page.findAll('.fold').at(-1)!.trigger('click')
    expect(lines()).toBeGreaterThan(0)
  })

  it('folds what is not known into one line, beside differences', async () => {
    let address = ''
    const { page, router, words } = await openPage('/overview', {}, async ({ handlers }) => {
      const { rows } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 100 })
      const [a, b] = rows.filter(({ deviceCount }) => (deviceCount ?? 0) > 2)
      address = `/compare-rooms/${a!.id}/${b!.id}`
    })
    await router.push(address)
    await settle()
    const lines = () => page.findAll('tbody tr.unknown').length
    const folded = [page.findAll('tbody tr.different').length > 0, lines()]
    const count = Number(/Unknown (\d+)/.exec(words())![1])
    await page.find('.fold').trigger('click')
    expect([folded, count > 1, lines()]).toEqual([[true, 0], true, count])
  })

  it('marks a device that B lacks, not one that only B has', async () => {
    let address = ''
    const { page, router, button } = await openPage('/overview', {}, async ({ handlers }) => {
      const { rows } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 100 })
      for (const { id: a } of rows)
        for (const { id: b } of rows.filter(({ id }) => id !== a && address === ''))
          if ((await handlers.comparison.rooms({ a, b })).pairs.some((pair) => pair.b === null))
            address = `/compare-rooms/${a}/${b}`
    })
    await router.push(address)
    await settle()
    expect(page.findAll('td.b .none.lacks').length).toBeGreaterThan(0)
    await button('Swap A and B').trigger('click')
    await settle()
    expect([page.find('tr.only-b').exists(), page.find('td.a .none.lacks').exists()]).toEqual([true, false])
  })

  it('marks a device that is offline, and says why nothing can be planned', async () => {
    let address = ''
    const { page, router, button } = await openPage('/overview', {}, async (core: TestCore) => {
      const all = await devicesOf(core)
      const a = all.find(({ status }) => status === 'offline')!
      const b = all.find(({ productId }) => productId !== a.productId)!
      address = `/compare-devices/${a.id}/${b.id}`
    })
    await router.push(address)
    await settle()
    const make = button('Make B like A…')
    expect([
      page.get('th .picture.off').attributes('title'),
      page.get(`[id="${make.attributes('aria-describedby')}"]`).text(),
      make.attributes('disabled'),
    ]).toEqual([expect.stringMatching(/, Offline$/), 'No difference can be copied', ''])
  })

  it('opens the plan of the ticked changes alone', async () => {
    const page = await opened(true)
    const ticked = boxes(page)
    expect(ticked.length).toBeGreaterThan(1)
    for (const box of ticked.slice(1)) await box.trigger('change')
    expect(page.words()).toContain('1 in the plan')
    await page.button('Make B like A…').trigger('click')
    const { request } = useJobPlan()
    expect(request).toMatchObject({
      work: { selection: { kind: 'picked', ids: [page.router.currentRoute.value.params['b']] } },
    })
  })

  it('swaps both sides in the address', async () => {
    const page = await opened(true)
    const { a, b } = page.router.currentRoute.value.params
    await page.button('Swap A and B').trigger('click')
    await settle()
    expect(page.router.currentRoute.value.params).toEqual({ a: b, b: a })
  })

  it('asks for the second device, and leads to the list without the first', async () => {
    const page = await opened(true)
    const { a } = page.router.currentRoute.value.params
    await page.router.push(`/compare-devices/${String(a)}`)
    await settle()
    expect(page.words()).toContain('Compare with which device?')
    await page.page.find('[role="option"]').trigger('click')
    await settle()
    expect(page.router.currentRoute.value.params['b']).toBeTruthy()
    await page.router.push('/compare-devices')
    await nextPage(page.router)
    expect(page.router.currentRoute.value.name).toBe('devices')
  })
})
