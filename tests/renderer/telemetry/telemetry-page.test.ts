import { describe, expect, it } from 'vitest'
import { openPage, settle } from '../open-page.ts'

describe('Telemetry', () => {
  it('tells each event in plain words, by kind, with the age of the document', async () => {
    const { page, words } = await openPage('/telemetry')
    expect(words()).toContain('14 events described · read 4 minutes ago , from the cache')
    expect(page.findAll('h2').map((one) => one.text())).toEqual([
      'A level leaves its range',
      'A number changes',
      'A state changes',
      'Summed up after a call',
    ])
    expect(words()).toContain('Battery level batteryLevel Worse as it falls. Warning at 20. Error at 10.')
  })

  it('shows events without a name, and what is no event as received', async () => {
    const { words } = await openPage('/telemetry', { odd: true })
    expect(words()).toContain('Event without a name Should be true.')
    expect(words()).toContain('1 entry of the document is no event that can be read.')
    expect(words()).toContain('unnamed "section"')
  })

  it('a kind that is pressed shows that kind alone, and pressed again all', async () => {
    const { page, button } = await openPage('/telemetry')
    await button('Yes or no 3').trigger('click')
    expect(page.findAll('h2').map((one) => one.text())).toEqual(['A state changes'])
    await button('Yes or no 3').trigger('click')
    expect(page.findAll('h2')).toHaveLength(4)
  })

  it('shows the document as received', async () => {
    const { button, words } = await openPage('/telemetry')
    await button('Show as received').trigger('click')
    expect(words()).toContain('thresholdEvents [ ] 1 item')
  })

  it('a refresh without connection keeps what was read and says what happened', async () => {
    const { page, button, words } = await openPage('/telemetry', { offline: true })
    await button('Refresh').trigger('click')
    await settle()
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    expect(words()).toContain('read 1 day ago')
    expect(words()).toContain('Background noise level')
  })

  it('says when nothing is published', async () => {
    const { page, words } = await openPage('/telemetry', { unpublished: true })
    expect(page.find('[role="alert"]').text()).toContain('telemetry definitions')
    expect(words()).not.toContain('Reading the telemetry definitions')
  })
})
