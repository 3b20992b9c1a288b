import { describe, expect, it } from 'vitest'
import { answer } from '../../fake-transport.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'

const document = '/telemetry'
interface Telemetry {
  readonly booleanStateChangedEvents: readonly unknown[]
}
/** Read earlier, and not again since. */
const readEarlier =
  (agoInMs: number) =>
  async (core: TestCore): Promise<void> => {
    await core.handlers.metadata.telemetry({ refresh: false })
    core.sleep(agoInMs)
  }

/** The version in use has a button of the same name. */
async function refresh(page: OpenedPage['page']): Promise<void> {
  const buttons = page.findAll('[role="tabpanel"] button')
  await buttons.find((one) => one.text() === 'Refresh')!.trigger('click')
  await settle()
}

describe('Telemetry', () => {
  it('shows each event in plain words, by kind, with the age of the document', async () => {
    const { page, words } = await openPage('/definitions?part=telemetry', {}, readEarlier(4 * 60_000))
    expect(words()).toContain('13 events described · read 4 minutes ago')
    expect(page.findAll('h2').map((one) => one.text())).toEqual([
      'Value out of range',
      'A number changes',
      'A state changes',
      'Summary after a call',
    ])
    expect(words()).toContain('Battery level batteryLevel Lower is worse. Warning at 25. Error at 10.')
  })

  it('shows events without a name, and other entries as received', async () => {
    const { words } = await openPage('/definitions?part=telemetry', {}, ({ service }) =>
      service.alter(document, ({ booleanStateChangedEvents, ...others }: Telemetry) => ({
        ...others,
        booleanStateChangedEvents: [{ desiredValue: true }, ...booleanStateChangedEvents],
        sections: [{ unnamed: 'section' }],
      })),
    )
    expect(words()).toContain('Event without a name Alerts when false.')
    expect(words()).toContain('1 entry of the document is not a readable event.')
    expect(words()).toContain('unnamed "section"')
  })

  it('shows the document as received', async () => {
    const { button, words } = await openPage('/definitions?part=telemetry')
    await button('As received').trigger('click')
    expect(words()).toContain('thresholdEvents [ ] 3 items')
  })

  it('keeps its data and age on a refresh without a connection', async () => {
    const { page, words, core } = await openPage('/definitions?part=telemetry', {}, async (prepared) => {
      await readEarlier(26 * 3_600_000)(prepared)
      prepared.service.offline = true
    })
    await refresh(page)
    expect(core.argumentsOf('metadata.telemetry').at(-1)).toEqual({ refresh: true })
    expect(page.findAll('[role="tabpanel"] [role="alert"]')).toHaveLength(0)
    expect(words()).toContain('read 1 day ago')
    expect(words()).toContain('Background noise level')
  })

  it('keeps its data on a refresh with an invalid response, and reports it', async () => {
    const { page, words } = await openPage('/definitions?part=telemetry', {}, async (core) => {
      await readEarlier(26 * 3_600_000)(core)
      core.service.script(document, () => answer(200, 'nonsense'))
    })
    await refresh(page)
    expect(page.get('[role="tabpanel"] [role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    expect(words()).toContain('read 1 day ago')
    expect(words()).toContain('Background noise level')
  })

  it('is where the former page was, and is found by its name', async () => {
    const { router } = await openPage('/telemetry')
    expect(router.currentRoute.value.fullPath).toBe('/definitions?part=telemetry')
  })

  it('shows when nothing is published', async () => {
    const { page, words } = await openPage('/definitions?part=telemetry', {}, ({ service }) =>
      service.script(document, () => answer(404, { statusCode: 404, message: 'Resource not found' })),
    )
    expect(page.get('[role="tabpanel"] [role="alert"]').text()).toContain('telemetry definitions')
    expect(words()).not.toContain('Reading the telemetry definitions')
  })
})
