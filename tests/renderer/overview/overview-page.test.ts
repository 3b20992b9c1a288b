import { getInstanceByDom } from 'echarts/core'
import { describe, expect, it } from 'vitest'
import { useFrameStore } from '../../../renderer/frame/frame-store.ts'
import { settle, type TestCore } from '../core.ts'
import { nextPage, openPage, wordsOf, type OpenedPage } from '../page.ts'
import { standInCanvas } from './canvas.ts'

/** Presses the mouse on a bar of a chart; answers the filter that it leads to and how many devices that finds. */
async function pressBar(opened: OpenedPage, chart: number, series: number, point: number) {
  const arrived = nextPage(opened.router)
  const place = opened.page.findAll<HTMLElement>('.chart')[chart]!.element
  getInstanceByDom(place)?.trigger('click', { seriesIndex: series, dataIndex: point } as never)
  await arrived
  const { name, query } = opened.router.currentRoute.value
  const where = String(query['where'])
  const { total } = await opened.core.handlers.devices.window({ where, sort: [], start: 0, count: 1 })
  return [name, where, total]
}

describe('the overview', () => {
  it('says what there is to do, and what each number is made of', async () => {
    standInCanvas()
    const { page } = await openPage('/overview')
    expect(page.findAll('.tiles > *').map((tile) => wordsOf(tile.element))).toEqual([
      'Changes 413 since 13 Nov 2026 09:30 Gone from the service 10 Went offline 202 Firmware changed 1 Other 200',
      'Rooms with trouble 2 down or in trouble Down 0 Trouble 2 Not known 1',
      'Firmware to update 103 behind or revoked Revoked 5 Behind 98 Not known 2',
      'Silent for a week 3 devices not seen since over 30 days 3 over 90 days 3 Never told 0',
      'Stale data 0 devices read over 24 h ago Gone in the last 7 days 10 Unreadable records 0',
      'Running jobs 0 not ended Running 0 Waiting 0 Paused 0',
    ])
  })

  it('says what firmware is compared with', async () => {
    standInCanvas()
    const { words } = await openPage('/overview', {}, ({ handlers }) =>
      handlers.firmware.compareWith({ with: 'approved' }),
    )
    expect(words()).toContain('Compared with the approved versions, else the latest.')
  })

  it('names the rooms to go to, the products with most to update, and how old what is known is', async () => {
    standInCanvas()
    const { page } = await openPage('/overview')
    const [rooms, products, ages] = page
      .findAll('tbody')
      .map((body) => body.findAll('tr').map((row) => wordsOf(row.element)))
    expect([rooms, products?.slice(0, 3), ages]).toEqual([
      [
        'Ceres 2.20 Aarhus, Åboulevarden 21, floor 2 Trouble 2 of 5',
        'Møns Klint 1.04 Ballerup, Lautrupbjerg 7, floor 1 Trouble 4 of 5',
      ],
      [
        'Jabra Evolve2 65 Stereo 1 12 0 0 28',
        'Jabra Evolve2 65 Mono 0 12 0 0 20',
        'Jabra Evolve2 85 2 6 1 0 16',
      ],
      ['up to 1 h 300', '1 h to 8 h 0', '8 h to 24 h 0', '24 h to 7 d 0', 'over 7 d 0'],
    ])
  })

  it('draws the products and the ages, and draws them anew in another theme', async () => {
    const drawn = standInCanvas()
    await openPage('/overview')
    const before = [...drawn]
    drawn.length = 0
    await useFrameStore().setTheme('dark')
    await settle()
    const ages = ['up to 1 h', '1 h to 8 h', '8 h to 24 h', '24 h to 7 d', 'over 7 d']
    expect([before[0], before.slice(-5), drawn]).toEqual(['Jabra Evolve2 65 Stereo', ages, before])
  })

  it.each([
    ['a product', 0, 1, 0, ['devices', 'product:="Jabra Evolve2 65 Stereo" fw:behind', 12]],
    ['an age', 1, 0, 0, ['devices', 'read:<=1h', 300]],
  ] as const)('a bar of %s leads to the devices it stands for', async (_, chart, series, point, found) => {
    standInCanvas()
    expect(await pressBar(await openPage('/overview'), chart, series, point)).toEqual(found)
  })

  it('shows a chart as its table', async () => {
    standInCanvas()
    const opened = await openPage('/overview')
    await opened.button('Show as table').trigger('click')
    const { page } = opened
    expect([page.findAll('.chart').length, page.findAll('.rows table').length]).toEqual([1, 1])
  })

  it('is read again when the fleet changes or another organization is used', async () => {
    standInCanvas()
    const { core } = await openPage('/overview')
    core.announce('devices.changed', { count: 1 })
    await settle()
    core.announce('organizations.changed', { ids: [] })
    await settle()
    expect(core.argumentsOf('overview.get').length).toBe(3)
  })

  it('before the first sync offers to run it', async () => {
    const { core, button, words } = await openPage('/overview', { organization: 'unread' }, (one: TestCore) =>
      one.hold('sync.run'),
    )
    expect(words()).toContain('Nothing read yet')
    await button('Sync now').trigger('click')
    await settle()
    expect(core.argumentsOf('sync.run').length).toBe(1)
  })

  it('that cannot be read is told with a way to try again', async () => {
    standInCanvas()
    const { core, page, words } = await openPage('/overview', {}, (one) =>
      one.fail('overview.get', { kind: 'bug', reference: 'R7' }),
    )
    const before = page.get('[role="alert"]').text().includes('R7')
    core.fail('overview.get', null)
    await page.get('[role="alert"] button').trigger('click')
    await settle()
    expect([before, words().includes('300 devices, 6 rooms')]).toEqual([true, true])
  })
})
