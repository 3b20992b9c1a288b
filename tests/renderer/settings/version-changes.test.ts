import type { FirmwareDifference } from '../../../electron/contract/api/definitions.ts'
import { describe, expect, it } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { devicesOf, settle, type TestCore } from '../core.ts'
import { nextPage, openPage, wordsOf, type OpenedPage } from '../page.ts'

const address = '/firmware/2830/9395'
const card = (version: string): HTMLElement =>
  document.querySelector<HTMLElement>(`section[aria-label="What ${version} changes"]`)!

/** Settings of every third device stay unread. */
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
  const opened = await openPage(`${address}${version && `?version=${version}`}`, {}, readSettings)
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
const asked = ({ core }: OpenedPage): readonly unknown[] => core.argumentsOf('definitions.firmwareDifference')

describe('what a firmware version changes', () => {
  it('is asked for the newest, beside what most of the others run, and says what the core found', async () => {
    const opened = await openRead()
    const { notAllowed, total, unknown } = (await difference(opened)).devices
    expect(asked(opened)).toHaveLength(1)
    expect(wordsOf(card('2.9.2'))).toContain(
      `${notAllowed} of your ${total} devices hold a value it no longer allows, ${unknown} have values that are not known`,
    )
  })

  it('is asked for another release when its button is pressed', async () => {
    const opened = await openRead('2.7.2')
    expect(asked(opened)).toEqual([])
    card('2.7.2').querySelector('button')!.click()
    await compared(opened)
    expect(asked(opened)).toHaveLength(1)
  })

  it('leads to the devices at risk, as a kept list', async () => {
    const opened = await openRead()
    const { ids } = (await difference(opened)).devices
    const arrived = nextPage(opened.router)
    opened.button(`Show ${ids.length} devices at risk`).element.dispatchEvent(new Event('click'))
    await arrived
    await settle()
    const listed = await devicesOf(opened.core, 'list:"Jabra Evolve2 65 Mono at risk of 2.9.2"')
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids)
    expect(opened.words()).toContain(`${ids.length} of 300`)
  })

  it('is said before a version is approved', async () => {
    const { page, button, words } = await openRead()
    await button('Approve 2.9.2').trigger('click')
    await settle()
    expect(page.get('form').text()).toContain('it no longer allows')
    expect(words()).toContain('it no longer allows')
  })

  it('a document that cannot be read is named, and is not taken for no change', async () => {
    const opened = await openPage(address, {}, ({ service }) =>
      service.script('/2.9.2/feature-model.json', () =>
        answer(404, { statusCode: 404, message: 'Resource not found' }),
      ),
    )
    await compared(opened)
    expect(wordsOf(card('2.9.2'))).toContain('Not compared: Feature model. 2.9.2: not published.')
  })
})
