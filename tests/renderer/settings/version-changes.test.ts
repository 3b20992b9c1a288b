import type { FirmwareDifference } from '../../../electron/contract/api/definitions.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { countedAmong } from '../../../renderer/settings/difference-lines.ts'
import { gridLines, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage, textIn, type MountedPage, type OpenedPage } from '../page.ts'

const address = '/firmware/2830/9395'
const card = (version: string): HTMLElement =>
  document.querySelector<HTMLElement>(`section[aria-label="What ${version} changes"]`)!

/** Settings of every third device are not read. */
async function readSettings(core: TestCore): Promise<void> {
  const devices = await devicesOf(core, 'pid:9395')
  for (const { id } of devices.filter((_, at) => at % 3 > 0))
    await core.finish(core.handlers.devices.settings({ id, refresh: true }))
}
/** The documents of both versions are read one after the other. */
async function compared({ core }: OpenedPage): Promise<void> {
  await core.finish(core.answered('definitions.firmwareDifference'))
  await settle()
}
async function openRead(version = ''): Promise<OpenedPage> {
  const core = await openCore({}, readSettings)
  const opened = { ...(await mountPage(`${address}${version && `?version=${version}`}`, true)), core }
  await compared(opened)
  return opened
}
const showChanges = async ({ button }: MountedPage): Promise<void> => {
  await button('What changes').trigger('click')
  await settle()
}
const difference = ({ core }: OpenedPage): Promise<FirmwareDifference> =>
  core.finish(
    core.handlers.definitions.firmwareDifference(
      core.argumentsOf('definitions.firmwareDifference')[0] as Parameters<
        typeof core.handlers.definitions.firmwareDifference
      >[0],
    ),
  )
const rowOf = (version: string): HTMLElement => gridLines().find((line) => textIn(line).startsWith(version))!
/** A device at risk from 2.9.2, and one without read settings; both run 2.9.0. */
async function twoDevices(core: TestCore): Promise<readonly [string, string]> {
  const { devices } = await core.finish(
    core.handlers.definitions.firmwareDifference({
      vendorId: 2830,
      productId: 9395,
      variantType: null,
      from: '2.9.0',
      to: '2.9.2',
    }),
  )
  const onIt = (await devicesOf(core, 'pid:9395 fw:=2.9.0')).map(({ id }) => id)
  return [onIt.find((id) => devices.ids.includes(id))!, onIt.find((id) => devices.unknownIds.includes(id))!]
}
const requested = ({ core }: OpenedPage): readonly unknown[] =>
  core.argumentsOf('definitions.firmwareDifference')

describe('the changes of a firmware version', () => {
  afterEach(() => vi.restoreAllMocks())
  it('are loaded for the newest, compared with the most common one, and count the devices at risk', async () => {
    const opened = await openRead()
    expect(requested(opened)).toHaveLength(1)
    await showChanges(opened)
    expect(textIn(card('2.9.2'))).toContain(
      '6 of your 32 devices have a value that is no longer allowed, 11 have unknown values',
    )
  })

  it('are counted among the devices of a plan only', async () => {
    const found = await difference(await openRead())
    const { ids, unknownIds } = found.devices
    const { devices } = countedAmong(
      found,
      new Set([ids[0]!, unknownIds[0]!, unknownIds[1]!, 'one that is allowed']),
    )
    expect(devices).toEqual({
      total: 4,
      allowed: 1,
      notAllowed: 1,
      unknown: 2,
      ids: [ids[0]],
      unknownIds: unknownIds.slice(0, 2),
      oldestAt: found.devices.oldestAt,
    })
  })

  it.each<[string, (opened: OpenedPage) => unknown]>([
    ['its part', showChanges],
    ['its row', () => rowOf('2.7.2').querySelector<HTMLElement>('[aria-label^="Compare 2.7.2"]')!.click()],
  ])('are loaded for another release by %s, and for no other', async (_, press) => {
    withSize(1_200, 1_000)
    const opened = await openRead('2.7.2')
    const previous = requested(opened)
    await press(opened)
    await compared(opened)
    expect(
      [previous, requested(opened)].map((all) => all.map((one) => (one as { readonly to: string }).to)),
    ).toEqual([['2.9.2'], ['2.9.2', '2.7.2']])
    await showChanges(opened)
    expect(textIn(card('2.7.2'))).toMatch(/\d+ settings? changes?/)
  })

  it('are those between any two releases', async () => {
    const opened = await openRead()
    await showChanges(opened)
    const [version, from] = opened.page.findAll('[role="tabpanel"] select')
    await from!.setValue('2.7.2')
    await version!.setValue('2.9.0')
    await compared(opened)
    expect(requested(opened).slice(1)).toMatchObject([
      { from: '2.7.2', to: '2.9.2' },
      { from: '2.7.2', to: '2.9.0' },
    ])
    expect([textIn(card('2.9.0')), opened.router.currentRoute.value.query['version']]).toEqual([
      expect.stringContaining('No setting changes'),
      '2.9.0',
    ])
  })

  it('load missing data on request, after showing the number of calls, and count again', async () => {
    const opened = await openRead()
    const { core, button } = opened
    await showChanges(opened)
    const { unknownIds } = (await difference(opened)).devices
    const n = unknownIds.length
    await button(`Read the settings of ${n} devices…`).trigger('click')
    await settle()
    expect([core.argumentsOf('devices.readSettings'), textIn(card('2.9.2'))]).toEqual([
      [],
      expect.stringContaining(`${n} calls, one per device.`),
    ])
    await button('Read').trigger('click')
    await core.finish(core.answered('devices.readSettings'))
    await compared(opened)
    const { unknown } = (await difference(opened)).devices
    expect([core.argumentsOf('devices.readSettings'), unknown]).toEqual([
      [{ selection: { kind: 'picked', ids: unknownIds } }],
      0,
    ])
    expect(textIn(card('2.9.2'))).not.toContain('have values that are not known')
  })

  it('are in the row of the newest release', async () => {
    withSize(1_200, 1_000)
    await openRead()
    expect(textIn(rowOf('2.9.2'))).toContain('5 settings, 6 at risk')
  })

  it('link to the devices at risk, as a stored list', async () => {
    const opened = await openRead()
    const { ids } = (await difference(opened)).devices
    await showChanges(opened)
    const arrived = nextPage(opened.router)
    opened.button(`Show ${ids.length} devices at risk`).element.dispatchEvent(new Event('click'))
    await arrived
    await settle()
    const listed = await devicesOf(opened.core, 'list:"Jabra Evolve2 65 Mono at risk of 2.9.2"')
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids)
    expect(opened.words()).toContain(`${ids.length} of 300`)
  })

  it('are shown before a version is approved', async () => {
    const { page, button, words } = await openRead()
    await button('Approve 2.9.2').trigger('click')
    await settle()
    expect(page.get('form').text()).toContain('that is no longer allowed')
    expect(words()).toContain('that is no longer allowed')
  })

  it('are shown where a device is advised to update, with whether that device is at risk', async () => {
    const core = await openCore({}, readSettings)
    const [atRisk, unread] = await twoDevices(core)
    const said: boolean[][] = []
    for (const id of [atRisk, unread]) {
      const { words, page } = await mountPage(`/device/${id}`, true)
      await core.finish(core.answered('definitions.firmwareDifference'))
      await settle()
      said.push(
        [
          'have a value that is no longer allowed',
          'This device has a value that 2.9.2 no longer allows.',
          'The values of this device are unknown.',
        ].map((sentence) => words().includes(sentence)),
      )
      page.unmount()
    }
    expect(said).toEqual([
      [true, true, false],
      [true, false, true],
    ])
  })

  it('name an unreadable document, which does not count as no change', async () => {
    const opened = await openPage(address, {}, ({ service }) =>
      service.script('/2.9.2/feature-model.json', () =>
        answer(404, { statusCode: 404, message: 'Resource not found' }),
      ),
    )
    await compared(opened)
    await showChanges(opened)
    expect(textIn(card('2.9.2'))).toContain('Not compared: Feature model. 2.9.2: not published.')
  })
})
