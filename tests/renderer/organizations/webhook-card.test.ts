import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { answer } from '../../fake-transport.ts'
import { settle, type TestCore } from '../core.ts'
import { presentAt } from '../present-at.ts'
import { openPage, type OpenedPage } from '../page.ts'

/** Fake DNS results and responses; every call that arrives is recorded. */
function internet(
  { platform }: TestCore,
  leadsTo: string,
  answered: WireResponse | WireFault,
): readonly string[] {
  const requested: string[] = []
  Object.assign(platform.names, { lookup: async () => [leadsTo] })
  Object.assign(platform.pinned, {
    attempt: async ({ url }: { readonly url: string }, address: string) => {
      requested.push(`${url} at ${address}`)
      return answered
    },
  })
  return requested
}
const outside = '20.42.65.88'
const silence: WireFault = { kind: 'fault', sent: 'maybe', reason: 'timeout', message: 'no answer in time' }

const address = '/organizations?part=webhooks'
const eventOf = (host: string, more: object = {}): string =>
  JSON.stringify([{ eventType: 'validation', ...more, data: { validationUrl: `https://${host}/v?id=1` } }])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})

async function paste({ page }: OpenedPage, text: string): Promise<void> {
  await page.get('textarea').setValue(text)
  await vi.advanceTimersByTimeAsync(300)
  await settle()
}
/** A button outside the page, such as one of a dialog. */
async function press(name: string): Promise<void> {
  const found = [...document.body.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
  if (!found) throw new Error(`no button "${name}"`)
  found.click()
  await settle()
}

describe('Webhooks', () => {
  it('are a card of the organizations, also at the address of the former page', async () => {
    const { router, words } = await openPage('/webhooks')
    expect(router.currentRoute.value.fullPath).toBe(address)
    expect(words()).toContain('How to create one in the portal')
  })

  it('shows the target of a validation event and the remaining time, counting down', async () => {
    const opened = await openPage(address)
    await paste(opened, eventOf('validate.example.com:553'))
    expect(opened.words()).toContain('Host validate.example.com:553')
    const left = (): string => opened.page.find('[role="timer"]').text()
    const previous = left()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([previous, left()]).toEqual(['10:00', '9:55'])
  })

  it('shows when the ten minutes are over, and still allows a request', async () => {
    const opened = await openPage(address)
    await paste(
      opened,
      eventOf('validate.example.com', { eventTime: new Date(presentAt - 3_600_000).toISOString() }),
    )
    expect(opened.words()).toContain('Validation event, expired (over 10 minutes old)')
    expect(opened.button('Validate again').exists()).toBe(true)
  })

  it('sends a request only after a confirmation with the host', async () => {
    const opened = await openPage(address)
    const requested = internet(opened.core, outside, answer(200, '"Webhook successfully validated."'))
    await paste(opened, eventOf('validate.example.com'))
    await opened.button('Validate').trigger('click')
    await settle()
    expect([requested, opened.words().includes('Contact validate.example.com?')]).toEqual([[], true])
    await press('Validate once')
    expect(requested).toEqual([`https://validate.example.com/v?id=1 at ${outside}`])
    expect(opened.words()).toContain('validate.example.com accepted the validation')
  })

  it.each<[string, string, WireResponse | WireFault, string]>([
    [
      'refuses.example.com',
      outside,
      answer(400, { message: 'The validation window has passed.' }),
      'refuses.example.com answered 400: not validated',
    ],
    [
      'moves.example.com',
      outside,
      answer(302, '', { location: 'https://elsewhere.example.com/v' }),
      'moves.example.com redirects to elsewhere.example.com',
    ],
    ['silent.example.com', outside, silence, 'silent.example.com did not answer'],
    [
      'inside.example.com',
      '10.0.0.4',
      silence,
      'inside.example.com was not contacted The address points to a private network',
    ],
  ])('explains how a request %s ended', async (host, leadsTo, answered, reported) => {
    const opened = await openPage(address)
    internet(opened.core, leadsTo, answered)
    await paste(opened, eventOf(host))
    await opened.button('Validate').trigger('click')
    await settle()
    await press('Validate once')
    expect(opened.words()).toContain(reported)
  })

  it('offers no button for an address that is not allowed', async () => {
    const opened = await openPage(address)
    await paste(opened, eventOf('localhost'))
    expect(opened.words()).toContain('A validation event with an address that Headroom does not open')
    expect(opened.page.findAll('button').map((one) => one.text())).not.toContain('Validate')
  })

  it('names the command that shows other events', async () => {
    const opened = await openPage(address)
    await paste(opened, '[{"eventType":"firmwareChanged","data":{}}]')
    expect(opened.words()).toContain('One event, but no validation event')
    expect(opened.words()).toContain('headroom webhook check --read')
  })

  it('shows where the text is damaged', async () => {
    const opened = await openPage(address)
    await paste(opened, '{x')
    expect(opened.words()).toContain('Line 1, column 2')
    expect(opened.page.find('textarea').attributes('aria-invalid')).toBe('true')
  })
})
