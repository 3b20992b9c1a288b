import { describe, expect, it, onTestFinished } from 'vitest'
import { deviceTitle } from '../../../electron/contract/device-name.ts'
import { operations } from '../../../electron/contract/operations.ts'
import type { RoomRow } from '../../../electron/contract/api/rooms.ts'
import { useTasks } from '../../../renderer/tasks/tasks-store.ts'
import { answer } from '../../fake-transport.ts'
import { pageCall } from '../../page-call.ts'
import { useExplorer } from '../../../renderer/explorer/explorer-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { devicesOf, settle, type TestCore } from '../core.ts'
import { nextPage, openPage, textIn, type OpenedPage } from '../page.ts'
import { rebootOf, rebootRoom } from '../../reboot-room.ts'

/** A room of one group with two devices or more, all online. */
async function aRoom({ handlers }: TestCore): Promise<{ readonly room: RoomRow; readonly groupId: string }> {
  const { rows } = await handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 100 })
  const room = rows.find(
    (one) => one.groupIds.length === 1 && one.onlineCount === one.deviceCount && (one.deviceCount ?? 0) > 1,
  )
  const [groupId] = room?.groupIds ?? []
  if (room === undefined || groupId === undefined) throw new Error('no room is whole')
  return { room, groupId }
}
/** Without those that show what is stored. */
const runs = ({ core }: OpenedPage): readonly unknown[] =>
  core
    .argumentsOf('explorer.run')
    .filter((one) => (one as { readonly copies: string | null }).copies === null)
/** Reboots that were sent to the service. */
const reboots = ({ service }: TestCore): number =>
  service.attempts.filter(({ url }) => url.endsWith('/reboot')).length
const field = ({ page }: OpenedPage, label: string): ReturnType<OpenedPage['page']['find']> => {
  const id = page
    .findAll('label')
    .find((one) => one.text().startsWith(label))
    ?.attributes('for')
  return page.find(`[id="${id}"]`)
}
const run = async ({ page }: OpenedPage): Promise<void> => {
  await page.find('form.operation').trigger('submit')
  await settle()
}
const dialog = (): string => textIn(document.querySelector('.dialog-box') ?? document.createElement('i'))
async function press(name: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLElement>('.dialog-box button')].find(
    (one) => one.textContent?.trim() === name,
  )
  if (!button) throw new Error(`no button "${name}" in: ${dialog()}`)
  button.click()
  await settle()
}

describe('Explorer', () => {
  it('lists every documented operation by group, with plain labels', async () => {
    const { page } = await openPage('/explorer')
    expect(page.findAll('[role="option"]')).toHaveLength(operations.length)
    expect(page.findAll('[role="group"] .group').map((one) => one.text())).toContain('Devices and rooms')
    expect(textIn(page.find('[role="option"]').element)).toBe('List devices POST')
  })

  it('offers a read that only the description of the metadata interface has', async () => {
    const opened = await openPage('/explorer/GetNews', {}, ({ service }) => {
      service.alter('/openapi.json', ({ paths, ...rest }: { readonly paths: object }) => ({
        ...rest,
        paths: { ...paths, '/news/{newsId}': { get: { operationId: 'GetNews' } } },
      }))
      service.script('/news/', () => answer(200, { news: 1 }))
    })
    await field(opened, 'newsId').setValue('a b')
    await run(opened)
    expect([
      opened.page.findAll('[role="option"]').length,
      opened.core.service.attempts.at(-1)?.url.endsWith('/models/v/18/news/a%20b.json'),
      opened.words(),
    ]).toEqual([operations.length + 1, true, expect.stringContaining('1 member news 1')])
  })

  it.each([
    ['while it is on screen', null],
    ['while another page is', '/journal'],
  ])(
    'shows no response and no values of another organization that was selected before, %s',
    async (_, meanwhile) => {
      const opened = await openPage('/explorer/GetDeviceSettings', {}, addFjordbank)
      const { core, router } = opened
      const [device] = await devicesOf(core)
      await field(opened, 'deviceId').setValue(device!.id)
      await run(opened)
      const explorer = useExplorer()
      const go = async (to: string): Promise<void> => {
        const arrived = nextPage(router)
        void router.push(to)
        await arrived
        await settle()
      }
      const known = [explorer.answer !== null, explorer.values['deviceId']]
      if (meanwhile !== null) await go(meanwhile)
      await showFjordbank(core)
      if (meanwhile !== null) await go('/explorer/GetDeviceSettings')
      expect([known, explorer.answer, explorer.values['deviceId'] ?? '']).toEqual([
        [true, device!.id],
        null,
        '',
      ])
    },
  )

  it('stops a slow call, and shows that in place of its response', async () => {
    const opened = await openPage('/explorer/GetGnpSchemaVersions')
    const { core, words, button } = opened
    const { transport } = core.platform
    const { attempt } = transport
    onTestFinished(() => void Object.assign(transport, { attempt }))
    const saysNothing: typeof attempt = ({ signal }) =>
      new Promise((resolve) =>
        signal?.addEventListener('abort', () =>
          resolve({ kind: 'fault', sent: 'maybe', reason: 'aborted', message: 'stopped' }),
        ),
      )
    Object.assign(transport, { attempt: saysNothing })
    onTestFinished(useTasks().follow())
    await run(opened)
    await core.advance(1_000)
    await settle()
    const waiting = words()
    await button('Stop').trigger('click')
    await settle()
    await core.advance(1_000)
    await settle()
    const there = (text: string) => [waiting.includes(text), words().includes(text)]
    expect([there('Waiting for the answer'), there('Stopped before it was complete.')]).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it('opens on the last call that changes nothing, with its parameters, and sends nothing', async () => {
    const opened = await openPage('/explorer', {}, ({ handlers }) =>
      handlers.explorer.run(pageCall('GetRoom', { groupId: 'grp-1' })),
    )
    expect(opened.page.find<HTMLInputElement>('form.operation input').element.value).toBe('grp-1')
    expect(runs(opened)).toEqual([])
  })

  it('opens on an example that is ready to send', async () => {
    const opened = await openPage('/explorer')
    const before = [...runs(opened)]
    await run(opened)
    expect([before, runs(opened)]).toEqual([
      [],
      [expect.objectContaining({ operation: 'GetProductGroupBundles' })],
    ])
  })

  it('shows the stored answer of a public document that was read, and sends nothing', async () => {
    const opened = await openPage('/explorer/GetProductGroupBundles')
    const { core, words } = opened
    await settle()
    const sent = core.service.attempts.length
    const stored = words()
    await opened.router.push('/explorer/GetTelemetry')
    await settle()
    expect([
      stored.includes('Stored answer'),
      stored.includes('unbundledProducts'),
      opened.page.find('.answer').exists(),
      core.service.attempts.length - sent,
      runs(opened),
    ]).toEqual([true, true, false, 0, []])
  })

  it('says which product a product ID is', async () => {
    const opened = await openPage('/explorer/GetFirmwareReleasesByProductId')
    await field(opened, 'productId').setValue('9395')
    expect(opened.words()).toContain('Jabra Evolve2 65 Mono')
  })

  it('opens an operation on Enter', async () => {
    const opened = await openPage('/explorer')
    const list = opened.page.find('[role="listbox"]')
    await list.trigger('keydown', { key: 'ArrowDown' })
    const arrived = nextPage(opened.router)
    await list.trigger('keydown', { key: 'Enter' })
    await arrived
    expect(opened.router.currentRoute.value.params.operation).toBe('GetProductGroupBundleByName')
  })

  it('opens the first match on Enter in the search', async () => {
    const opened = await openPage('/explorer')
    const search = opened.page.find('[role="search"] input')
    await search.setValue('GetRoom')
    const arrived = nextPage(opened.router)
    await search.trigger('keydown', { key: 'Enter' })
    await arrived
    expect(opened.router.currentRoute.value.params.operation).toBe('GetRoom')
  })

  it('runs a read with the typed values, and shows its response with status, time and tree', async () => {
    const opened = await openPage('/explorer/GetRoom')
    const { room, groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    expect(opened.words()).toContain(`GET /meetingrooms/api/meetingrooms/ ${groupId}`)
    await run(opened)
    expect(runs(opened)).toEqual([pageCall('GetRoom', { groupId })])
    expect(opened.words()).toContain('200 OK in 0 ms')
    expect(opened.page.findAll('[role="treeitem"]').map((row) => row.text())).toContain(
      `locationName"${room.location}"`,
    )
  })

  it('sends nothing while a parameter is missing: the field shows it and gets the focus', async () => {
    const opened = await openPage('/explorer/GetRoom')
    await run(opened)
    expect(runs(opened)).toEqual([])
    expect(opened.page.find('[role="alert"]').text()).toBe('Required.')
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
  })

  it('shows an error response as received', async () => {
    const opened = await openPage('/explorer/GetRoom')
    await field(opened, 'groupId').setValue('grp-9999')
    await run(opened)
    expect(opened.words()).toContain('404 Not found')
    expect(opened.page.find('[role="alert"]').text()).toContain('GetRoom at api.cloud.jabra.com')
    expect(opened.page.findAll('[role="treeitem"]').map((row) => row.text())).toContain(
      'detail"Meeting room was not found."',
    )
  })

  it('keeps typed values for the next operation with the same parameters', async () => {
    const opened = await openPage('/explorer/GetFirmwareReleasesByProductId')
    await field(opened, 'productId').setValue('9395')
    await opened.router.push('/explorer/GetFirmwareDownloadLinkByProduct')
    await settle()
    expect((field(opened, 'productId').element as HTMLInputElement).value).toBe('9395')
    expect((field(opened, 'vendorId').element as HTMLInputElement).value).toBe('2830')
  })

  it('suggests unpublished values and marks them as assumed', async () => {
    const opened = await openPage('/explorer/GetFirmwareUpdaterConfigurations')
    expect(opened.words()).toContain('These values are assumed, because none are published.')
    const options = opened.page.findAll('datalist option').filter((one) => one.text() === 'assumed')
    expect(options.map((one) => (one.element as HTMLOptionElement).value)).toContain('Windows')
  })

  it('sends an operation that writes only after confirmation, which unlocks actions', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    const { groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    expect(runs(opened)).toEqual([])
    expect(dialog()).toContain('RebootRoom · Nordlys A/S')
    expect(dialog()).toContain('All meeting-room devices in this room reboot.')
    expect(dialog()).toContain(`POST /meetingrooms/api/meetingrooms/${groupId}/reboot`)
    expect(dialog()).toContain('Actions are locked.')
    await press('Unlock actions and send')
    expect([runs(opened), reboots(opened.core)]).toEqual([[pageCall('RebootRoom', { groupId }, true)], 1])
    expect(opened.words()).toContain('Accepted The service accepted the call.')
  })

  it('shows in the confirmation of a reboot the same as in Rooms: devices, cost and the earliest start', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    const { room, groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    const plan = await opened.core.handlers.jobs.plan(rebootOf(room.id))
    const { items } = await opened.core.handlers.jobs.planned({ plan: plan.id, start: 0, count: 1 })
    expect(items[0]?.devices).toHaveLength(room.deviceCount ?? 0)
    for (const { name } of items[0]?.devices ?? []) expect(dialog()).toContain(name)
    expect(dialog()).toContain('now, 2 calls, about 1 s, under 1% of the five-minute limit It is sent once')
    expect(runs(opened)).toEqual([])
  })

  it('shows in the confirmation that a room or a device is unknown here, and can send it', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    await field(opened, 'groupId').setValue('grp-0001')
    await run(opened)
    expect(dialog()).toContain('This room is unknown.')
    await press('Unlock actions and send')
    expect(runs(opened)).toHaveLength(1)
  })

  it('names the device in the confirmation of a write', async () => {
    const opened = await openPage('/explorer/UpdateDeviceSettings')
    const { rows } = await opened.core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })
    const [device] = rows
    await field(opened, 'deviceId').setValue(device?.id ?? '')
    await field(opened, 'settings').setValue('{"autoAnswer":true}')
    await run(opened)
    expect(dialog()).toContain(deviceTitle(device!))
    await press('Cancel')
    await field(opened, 'deviceId').setValue('nobody')
    await run(opened)
    expect(dialog()).toContain('This device is unknown.')
  })

  it('cannot send a reboot before the room was looked up', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    const { groupId } = await aRoom(opened.core)
    const release = opened.core.hold('jobs.plan')
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    expect(dialog()).toContain('Looking up what this affects')
    await press('Unlock actions and send')
    expect(runs(opened)).toEqual([])
    release()
    await settle()
    await press('Unlock actions and send')
    expect(runs(opened)).toHaveLength(1)
  })

  it('suggests the known values at a field', async () => {
    const { page, core } = await openPage('/explorer/GetRoom')
    const operation = (await core.handlers.explorer.operations()).find(({ name }) => name === 'GetRoom')
    const offered = operation?.parameters[0]?.offered ?? []
    expect(offered.length).toBeGreaterThan(0)
    expect(page.findAll('datalist option').map((one) => one.attributes('value'))).toEqual(
      offered.map(({ value }) => value),
    )
  })

  it('sends nothing on Cancel in the confirmation', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    const { groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    await press('Cancel')
    expect([runs(opened), reboots(opened.core)]).toEqual([[], 0])
  })

  it('reports an unconfirmed write as such, without offering to repeat it', async () => {
    const opened = await openPage('/explorer/RebootRoom', {}, ({ service }) =>
      service.script('/reboot', () => ({ kind: 'fault', sent: 'maybe', reason: 'broken', message: 'reset' })),
    )
    const { groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    await press('Unlock actions and send')
    expect(opened.words()).toContain(
      'No answer came POST https://api.cloud.jabra.com/meetingrooms/api/meetingrooms/' +
        `${groupId}/reboot Outcome unknown The call was sent, but no answer came, so it may have been carried out.`,
    )
    expect(opened.page.findAll('button').some((one) => one.text() === 'Try again')).toBe(false)
    expect(reboots(opened.core)).toBe(1)
  })

  it('reports a rejected write, with the reason', async () => {
    const opened = await openPage('/explorer/RebootRoom', {}, ({ service }) =>
      service.script('/reboot', () => answer(403, { statusCode: 403, message: 'It may not do this.' })),
    )
    const { groupId } = await aRoom(opened.core)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    await press('Unlock actions and send')
    expect(opened.words()).toContain('Refused Nothing was changed.')
    expect(opened.words()).toContain('RebootRoom at api.cloud.jabra.com')
  })

  it('reports that a write waits for its minute and was not sent, and when it can be sent', async () => {
    const opened = await openPage('/explorer/RebootRoom')
    const { core } = opened
    const { room, groupId } = await aRoom(core)
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
    await core.advance(18_000)
    await field(opened, 'groupId').setValue(groupId)
    await run(opened)
    await press('Send')
    expect(opened.words()).toMatch(
      /Not sent .* Not sent yet An action was sent to one of its devices less than a minute ago. You can send this in 0:4[34]\./,
    )
    expect(opened.words()).not.toContain('No answer came')
    expect(reboots(core)).toBe(1)
  })

  it('shows where to enter a path for an operation without a published one', async () => {
    const opened = await openPage('/explorer/GetDeviceFirmware')
    expect(opened.words()).toContain('publishes no path')
    expect(opened.page.find('form.operation button[type="submit"]').exists()).toBe(false)
    const arrived = nextPage(opened.router)
    await opened.button('Open Organizations').trigger('click')
    await arrived
    expect(opened.router.currentRoute.value.name).toBe('organizations')
  })

  it('saves a call as an example with its parameters, loads it and removes it', async () => {
    const opened = await openPage('/explorer/GetRoom')
    await field(opened, 'groupId').setValue('grp-0007')
    await opened.button('Save as example').trigger('click')
    await settle()
    await press('Save')
    expect(opened.core.argumentsOf('explorer.saveExample')).toEqual([
      { name: 'Get a room', operation: 'GetRoom', parameters: { groupId: 'grp-0007' } },
    ])
    await field(opened, 'groupId').setValue('elsewhere')
    await opened.page.findAll('[role="tab"]')[1]?.trigger('click')
    const example = opened.page.findAll('.call').find((one) => one.text().startsWith('Get a room'))
    await example?.trigger('click')
    await settle()
    expect((field(opened, 'groupId').element as HTMLInputElement).value).toBe('grp-0007')
    await opened.page.find('[aria-label="Remove example Get a room"]').trigger('click')
    await settle()
    expect(
      opened.page
        .findAll('.call')
        .map((one) => one.text())
        .some((text) => text.startsWith('Get a room')),
    ).toBe(false)
  })

  it('copies the call for a shell with the key as a variable', async () => {
    const opened = await openPage('/explorer/GetRoom')
    await field(opened, 'groupId').setValue('grp-0001')
    await run(opened)
    await opened.page.findAll('.answer [role="tab"]').at(-1)?.trigger('click')
    await opened.button('Copy as curl').trigger('click')
    await opened.button('Copy as PowerShell').trigger('click')
    expect(opened.copied[0]).toContain('$HEADROOM_KEY')
    expect(opened.copied[1]).toContain('$env:HEADROOM_KEY')
  })

  it('lists members missing from the specification, and does not check an undescribed response', async () => {
    const opened = await openPage('/explorer/GetGnpSchemaVersions', {}, ({ service }) =>
      service.alter('/schema-versions.json', (versions: readonly object[]) =>
        versions.map((version) => ({ ...version, releasedAt: '2026-11-01', stage: 'Public' })),
      ),
    )
    await run(opened)
    const check = opened.page.findAll('.answer [role="tab"]').find((one) => one.text().startsWith('Check'))
    await check?.trigger('click')
    expect(opened.words()).toContain('2 members are not in the specification')
    expect(opened.words()).toContain('[].releasedAt [].stage')
    await opened.router.push('/explorer/ListDevices')
    await settle()
    await run(opened)
    await opened.page.findAll('.answer [role="tab"]').at(-2)?.trigger('click')
    expect(opened.words()).toContain('Not compared')
  })

  it('keeps every call made here in the history', async () => {
    const opened = await openPage('/explorer/GetRoom')
    await field(opened, 'groupId').setValue('grp-0005')
    await run(opened)
    await opened.page.findAll('[role="tab"]')[2]?.trigger('click')
    expect(opened.page.find('.call').text()).toContain('grp-0005')
  })

  it('starts another operation without the previous response', async () => {
    const opened = await openPage('/explorer/ListDevices')
    await run(opened)
    expect(opened.page.find('.answer').exists()).toBe(true)
    await opened.router.push('/explorer/GetRoom')
    await settle()
    expect(opened.page.find('.answer').exists()).toBe(false)
  })
})

describe('The tree of a response', () => {
  const tree = async (): Promise<OpenedPage> => {
    const opened = await openPage('/explorer/ListDevices')
    await run(opened)
    return opened
  }
  it('renders only the visible rows of a long response', async () => {
    const { page } = await tree()
    expect(page.findAll('[role="treeitem"]').length).toBeLessThan(60)
    expect(page.find('[role="treeitem"][aria-level="2"]').attributes('aria-expanded')).toBe('true')
  })
  it('unfolds and folds by arrows, and goes to the parent by Left', async () => {
    const { page } = await tree()
    const box = page.find('[role="tree"]')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
      await box.trigger('keydown', { key })
    expect(page.find('.line.active').text()).toContain('id')
    await box.trigger('keydown', { key: 'ArrowLeft' })
    await box.trigger('keydown', { key: 'ArrowLeft' })
    expect(page.find('.line.active').attributes('aria-expanded')).toBe('false')
    expect(page.find('.place').text()).toBe('items[0]')
  })
})
