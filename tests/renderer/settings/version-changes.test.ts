import type { FirmwareDifference } from '../../../electron/contract/api/definitions.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { countedAmong } from '../../../renderer/settings/difference-lines.ts'
import { useVersionChanges } from '../../../renderer/settings/version-changes-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { gridLines, withSize } from '../lists/a-grid.ts'
import { mountPage, nextPage, openPage, textIn, type OpenedPage } from '../page.ts'

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
const difference = ({ core }: OpenedPage): Promise<FirmwareDifference> =>
  core.finish(
    core.handlers.definitions.firmwareDifference(
      core.argumentsOf('definitions.firmwareDifference')[0] as Parameters<
        typeof core.handlers.definitions.firmwareDifference
      >[0],
    ),
  )
const rowOf = (version: string): HTMLElement => gridLines().find((line) => textIn(line).startsWith(version))!
/** The devices on 2.9.0, the most common older version: all, at risk from 2.9.2, and without read settings. */
async function thoseOn290(
  opened: OpenedPage,
): Promise<Readonly<Record<'all' | 'atRisk' | 'unread', string[]>>> {
  const { ids, unknownIds } = (await difference(opened)).devices
  const all = (await devicesOf(opened.core, 'pid:9395 fw:=2.9.0')).map(({ id }) => id)
  return {
    all,
    atRisk: all.filter((id) => ids.includes(id)),
    unread: all.filter((id) => unknownIds.includes(id)),
  }
}
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
  it('are those for the devices on the most common older version, and count these devices only', async () => {
    const opened = await openRead()
    const { all, atRisk, unread } = await thoseOn290(opened)
    expect([requested(opened)[0], textIn(card('2.9.2'))]).toEqual([
      expect.objectContaining({ from: '2.9.0', to: '2.9.2' }),
      expect.stringMatching(
        new RegExp(
          `Your ${all.length} devices on 2.9.0 .*${atRisk.length} of your ${all.length} devices? ha(s|ve) a value that is no longer allowed, ${unread.length} ha(s|ve) unknown values`,
        ),
      ),
    ])
  })

  it('are not those of the previous organization once another one is selected', async () => {
    const { core } = await openPage('/overview', {}, addFjordbank)
    const [changes, pair] = [
      useVersionChanges(),
      { vendorId: 2830, productId: 9395, from: '2.9.0', to: '2.9.2' },
    ]
    await core.finish(changes.ask(pair))
    const known = changes.of(pair)?.value.value?.devices.total
    await showFjordbank(core)
    expect([known, changes.of(pair)]).toEqual([expect.any(Number), null])
  })

  it('are loaded again in turn after they were cleared while their list is on screen', async () => {
    const opened = await openPage('/firmware')
    const load = async (): Promise<number> => {
      await opened.core.advance(60_000)
      await settle()
      return requested(opened).length
    }
    const first = await load()
    useVersionChanges().clear()
    await settle()
    expect([first > 0, (await load()) > first]).toEqual([true, true])
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

  it('are those of the selected older release, which goes to the latest', async () => {
    const opened = await openRead('2.7.2')
    expect(requested(opened)).toContainEqual(expect.objectContaining({ from: '2.7.2', to: '2.9.2' }))
    expect(textIn(card('2.9.2'))).toContain('Your 3 devices on 2.7.2')
  })

  it('are in the row of every older version that devices run, asked for one after the other', async () => {
    withSize(1_200, 1_000)
    const opened = await openRead()
    const shown = (): unknown =>
      ['2.9.2', '2.9.1', '2.9.0', '2.7.2', '2.6.2'].map(
        (one) => /\d settings|—/.exec(textIn(rowOf(one)))?.[0],
      )
    await expect
      .poll(async () => {
        await opened.core.advance(1_000)
        await settle()
        return shown()
      })
      .toEqual(['—', '5 settings', '5 settings', '5 settings', '—'])
  })

  it('are those between any two releases', async () => {
    const opened = await openRead('2.9.1')
    await opened.page.get('[aria-label="Compared with"]').setValue('2.6.2')
    await compared(opened)
    expect(requested(opened)).toContainEqual(expect.objectContaining({ from: '2.6.2', to: '2.9.2' }))
  })

  it('load missing data on request, after showing the number of calls, and count again', async () => {
    const opened = await openRead()
    const { core, button } = opened
    const n = (await thoseOn290(opened)).all.length
    await button('Read their settings…').trigger('click')
    await settle()
    expect([core.argumentsOf('devices.readSettings'), textIn(card('2.9.2'))]).toEqual([
      [],
      expect.stringContaining(`${n} calls, one per device.`),
    ])
    await button('Read').trigger('click')
    await core.finish(core.answered('devices.readSettings'))
    await compared(opened)
    expect(core.argumentsOf('devices.readSettings')).toEqual([
      { selection: { kind: 'matching', where: 'pid:9395 fw:=2.9.0', except: [] } },
    ])
    expect(textIn(card('2.9.2'))).not.toContain('values that are not known')
  })

  it('link to the devices at risk, as a stored list without those on other versions', async () => {
    const opened = await openRead()
    const { atRisk } = await thoseOn290(opened)
    const arrived = nextPage(opened.router)
    opened.page
      .findAll('button')
      .find((one) => one.text().startsWith(`Show ${atRisk.length} device`))!
      .element.click()
    await arrived
    await settle()
    const listed = await devicesOf(opened.core, 'list:"Jabra Evolve2 65 Mono at risk of 2.9.2" fw:=2.9.0')
    expect(listed.map(({ id }) => id).toSorted()).toEqual(atRisk.toSorted())
    expect(opened.words()).toContain(`${atRisk.length} of 300`)
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
          'settings change',
          'This device has a value that 2.9.2 no longer allows.',
          'The device’s values are unknown.',
        ].map((sentence) => words().includes(sentence)),
      )
      page.unmount()
    }
    expect(said).toEqual([
      [true, true, false],
      [true, false, true],
    ])
  })

  it('read as words: types, and the values that a list loses', async () => {
    const opened = await openRead()
    const lines = [...card('2.9.2').querySelectorAll('[aria-label="Settings that change"] li')].map(textIn)
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\+ .* New On or off$/),
        expect.stringMatching(/^~ .* Allowed values No longer allowed: /),
      ]),
    )
    expect(opened.words()).not.toContain('Boolean')
  })

  it('say that nothing is known of devices at risk while no settings are read', async () => {
    const opened = await openPage(address)
    await compared(opened)
    expect(textIn(card('2.9.2'))).toMatch(
      /Which of your \d+ devices are at risk is unknown until their settings are read/,
    )
  })

  it('offer to read no settings where nothing could be compared', async () => {
    const unpublished = ({ service }: TestCore): void => {
      for (const document of ['feature-model', 'device-model', '/properties', 'jose'])
        service.script(document, () => answer(404, { statusCode: 404, message: 'Resource not found' }))
    }
    const opened = await openPage(address, {}, unpublished)
    await compared(opened)
    const changes = textIn(card('2.9.2'))
    opened.page.unmount()
    const { id } = (await devicesOf(opened.core, 'pid:9395 fw:=2.9.0'))[0]!
    const { words } = await mountPage(`/device/${id}`, true)
    await compared(opened)
    expect(
      [changes, words()].map((text) => [
        text.includes('Nothing could be compared'),
        /Read their settings|not been read/.test(text),
      ]),
    ).toEqual([
      [true, false],
      [true, false],
    ])
  })

  it('name an unreadable document, which does not count as no change', async () => {
    const opened = await openPage(address, {}, ({ service }) =>
      service.script('/2.9.2/feature-model.json', () =>
        answer(404, { statusCode: 404, message: 'Resource not found' }),
      ),
    )
    await compared(opened)
    expect(textIn(card('2.9.2'))).toContain('Not compared: Feature model. 2.9.2: not published.')
  })
})
