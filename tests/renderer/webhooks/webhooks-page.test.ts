import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage, settle, type OpenedPage } from '../open-page.ts'

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
/** A button outside the page, as of a dialog. */
async function press(name: string): Promise<void> {
  const found = [...document.body.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
  if (!found) throw new Error(`no button "${name}"`)
  found.click()
  await settle()
}

describe('Webhooks', () => {
  it('says what to do while nothing is pasted', async () => {
    const { words } = await openPage('/webhooks')
    expect(words()).toContain('No validation event yet')
  })

  it('shows whom a validation event asks and how long it may be asked, counting down', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, eventOf('validate.example.com:553'))
    expect(opened.words()).toContain('Asks validate.example.com:553')
    const before = opened.page.find('[role="timer"]').text()
    await vi.advanceTimersByTimeAsync(5_000)
    const after = opened.page.find('[role="timer"]').text()
    expect([before, after].filter((text) => !/^(?:10|9):\d\d$/.test(text))).toEqual([])
    expect(after).not.toBe(before)
  })

  it('says when the ten minutes are over, and still lets one ask', async () => {
    const opened = await openPage('/webhooks')
    await paste(
      opened,
      eventOf('validate.example.com', { eventTime: new Date(Date.now() - 3_600_000).toISOString() }),
    )
    expect(opened.words()).toContain('A validation event, older than ten minutes')
    expect(opened.button('Ask again').exists()).toBe(true)
  })

  it('asks only after a confirmation that names the host, and ticks the step when it went well', async () => {
    const opened = await openPage('/webhooks')
    const asked = (): number =>
      opened.core.asked.filter(({ channel }) => channel === 'webhooks.validate').length
    await paste(opened, eventOf('validate.example.com'))
    await opened.button('Validate').trigger('click')
    await settle()
    expect({ asked: asked(), named: opened.words().includes('Ask validate.example.com?') }).toEqual({
      asked: 0,
      named: true,
    })
    await press('Ask once')
    expect(asked()).toBe(1)
    expect(opened.words()).toContain('validate.example.com accepted the validation')
    expect(opened.words()).toContain('2 of 6 done')
  })

  it.each([
    ['refuses.example.com', 'refuses.example.com answered 400: not validated'],
    ['moves.example.com', 'moves.example.com sends the call on to elsewhere.example.com'],
    ['silent.example.com', 'silent.example.com did not answer'],
    ['inside.example.com', 'inside.example.com was not asked The address leads into a private network'],
  ])('tells in plain words how asking %s ended', async (host, told) => {
    const opened = await openPage('/webhooks')
    await paste(opened, eventOf(host))
    await opened.button('Validate').trigger('click')
    await settle()
    await press('Ask once')
    expect(opened.words()).toContain(told)
  })

  it('offers nothing to press for an address that is not asked', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, eventOf('localhost'))
    expect(opened.words()).toContain('A validation event whose address is not asked')
    expect(opened.page.findAll('button').map((one) => one.text())).not.toContain('Validate')
  })

  it('leads from a payload that is no validation event to the other tab, with it', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, '[{"eventType":"firmwareChanged","data":{}}]')
    await opened.button('Read it as a payload').trigger('click')
    await vi.advanceTimersByTimeAsync(300)
    await settle()
    expect(opened.words()).toContain('Events one event')
    expect(opened.words()).toContain('firmwareChanged')
  })

  it('says where the text is damaged', async () => {
    const opened = await openPage('/webhooks')
    await paste(opened, '{x')
    expect(opened.words()).toContain('Line 1, column 2')
    expect(opened.page.find('textarea').attributes('aria-invalid')).toBe('true')
  })

  it('keeps a tick', async () => {
    const opened = await openPage('/webhooks')
    await opened.page.findAll('input[type="checkbox"]')[1]!.setValue(true)
    await settle()
    expect(opened.core.asked.findLast(({ channel }) => channel === 'webhooks.steps')?.argument).toEqual({
      done: ['name', 'address'],
    })
    expect(opened.words()).toContain('2 of 6 done')
  })

  it('lists every place where a payload does not fit', async () => {
    const opened = await openPage('/webhooks')
    await opened.button('Read payloads').trigger('click')
    await paste(opened, '[{"eventType":"deviceStatusChanged"}]')
    await paste(opened, '{"misfit":1}', 1)
    expect(opened.words()).toContain('The payload does not fit in 2 places')
    expect(
      opened.page.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text())),
    ).toEqual([
      ['/0/data', 'the member "roomId" is missing'],
      ['/0/data/status', 'is "rebooting", allowed: "online", "offline", "rebooted"'],
    ])
  })

  it('says what of a schema was not checked', async () => {
    const opened = await openPage('/webhooks')
    await opened.button('Read payloads').trigger('click')
    await paste(opened, '[{"eventType":"x"}]')
    await paste(opened, '{"unevaluated":1}', 1)
    expect(opened.words()).toContain('The payload fits, as far as the schema was checked')
    expect(opened.words()).toContain('/items/unevaluatedProperties')
  })
})
