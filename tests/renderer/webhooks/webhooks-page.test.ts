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

/** Marks the first step of the checklist as done. */
const nameGiven = ({ handlers }: TestCore): Promise<unknown> => handlers.webhooks.steps({ done: ['name'] })

const eventOf = (host: string, more: object = {}): string =>
  JSON.stringify([{ eventType: 'validation', ...more, data: { validationUrl: `https://${host}/v?id=1` } }])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})

async function paste({ page }: OpenedPage, text: string, field = 0): Promise<void> {
  await page.findAll('textarea')[field]!.setValue(text)
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

/** A schema that requires a room and one of three values. */
const schema = JSON.stringify({
  type: 'array',
  items: {
    properties: {
      data: { required: ['roomId'], properties: { status: { enum: ['online', 'offline', 'rebooted'] } } },
    },
  },
})

describe('Webhooks', () => {
  it('explains what to do while nothing is pasted', async () => {
    const { words } = await openPage('/webhooks')
    expect(words()).toContain('No validation event yet')
  })

  it('shows the target of a validation event and the remaining time, counting down', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, eventOf('validate.example.com:553'))
    expect(opened.words()).toContain('Host validate.example.com:553')
    const left = (): string => opened.page.find('[role="timer"]').text()
    const previous = left()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([previous, left()]).toEqual(['10:00', '9:55'])
  })

  it('shows when the ten minutes are over, and still allows a request', async () => {
    const opened = await openPage('/webhooks')
    await paste(
      opened,
      eventOf('validate.example.com', { eventTime: new Date(presentAt - 3_600_000).toISOString() }),
    )
    expect(opened.words()).toContain('A validation event, older than ten minutes')
    expect(opened.button('Validate again').exists()).toBe(true)
  })

  it('sends a request only after a confirmation with the host, and ticks the step on success', async () => {
    const opened = await openPage('/webhooks', {}, nameGiven)
    const requested = internet(opened.core, outside, answer(200, '"Webhook successfully validated."'))
    await paste(opened, eventOf('validate.example.com'))
    await opened.button('Validate').trigger('click')
    await settle()
    expect([requested, opened.words().includes('Contact validate.example.com?')]).toEqual([[], true])
    await press('Validate once')
    expect(requested).toEqual([`https://validate.example.com/v?id=1 at ${outside}`])
    expect(opened.words()).toContain('validate.example.com accepted the validation')
    expect(opened.words()).toContain('2 of 6 done')
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
    const opened = await openPage('/webhooks')
    internet(opened.core, leadsTo, answered)
    await paste(opened, eventOf(host))
    await opened.button('Validate').trigger('click')
    await settle()
    await press('Validate once')
    expect(opened.words()).toContain(reported)
  })

  it('offers no button for an address that is not allowed', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, eventOf('localhost'))
    expect(opened.words()).toContain('A validation event with an address that Headroom does not open')
    expect(opened.page.findAll('button').map((one) => one.text())).not.toContain('Validate')
  })

  it('opens a payload that is no validation event in the other tab', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, '[{"eventType":"firmwareChanged","data":{}}]')
    await opened.button('Read it as a payload').trigger('click')
    await vi.advanceTimersByTimeAsync(300)
    await settle()
    expect(opened.words()).toContain('Events one event')
    expect(opened.words()).toContain('firmwareChanged')
  })

  it('shows where the text is damaged', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, '{x')
    expect(opened.words()).toContain('Line 1, column 2')
    expect(opened.page.find('textarea').attributes('aria-invalid')).toBe('true')
  })

  it('stores a tick', async () => {
    const opened = await openPage('/webhooks', {}, nameGiven)
    await opened.page.findAll('input[type="checkbox"]')[1]!.setValue(true)
    await settle()
    expect(await opened.core.handlers.webhooks.steps({ done: null })).toEqual(['name', 'address'])
    expect(opened.words()).toContain('2 of 6 done')
  })

  it('lists every place where a payload does not match', async () => {
    const opened = await openPage('/webhooks')
    await opened.button('Read payloads').trigger('click')
    await paste(opened, '[{"eventType":"deviceStatusChanged","data":{"status":"rebooting"}}]')
    await paste(opened, schema, 1)
    expect(opened.words()).toContain('The payload does not fit in 2 places')
    expect(
      opened.page.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text())),
    ).toEqual([
      ['/0/data', 'The value does not have required property "roomId".'],
      [
        '/0/data/status',
        'The value does not match any of ["online","offline","rebooted"]. Found: "rebooting"',
      ],
    ])
  })

  it('shows which keywords of a schema were not checked', async () => {
    const opened = await openPage('/webhooks')
    await opened.button('Read payloads').trigger('click')
    await paste(opened, '[{"eventType":"x"}]')
    await paste(opened, '{"type":"array","items":{"type":"object","atLeastOnce":true}}', 1)
    expect(opened.words()).toContain('The payload fits the parts of the schema that were checked')
    expect(opened.words()).toContain('/items/atLeastOnce')
  })
})
