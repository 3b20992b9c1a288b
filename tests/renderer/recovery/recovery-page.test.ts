import { afterEach, describe, expect, it, vi } from 'vitest'
import { done } from '../../../electron/contract/failure.ts'
import type { RecoveryAnswer, RecoveryDocumentName } from '../../../electron/contract/api/metadata.ts'
import type { DoubleLink } from '../double-link.ts'
import { nextPage, openPage, settle, wordsOf } from '../open-page.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

type Change = Partial<RecoveryAnswer> | ((found: RecoveryAnswer) => Partial<RecoveryAnswer>)
/** The double's answer, changed in part. */
function answerWith(core: DoubleLink, change: Change): void {
  const { call: ask } = core
  Object.assign(core, {
    call: async (...[channel, argument]: Parameters<typeof ask>) => {
      const outcome = await ask(channel, argument)
      if (channel !== 'metadata.recovery' || !outcome.ok) return outcome
      const found = outcome.value as RecoveryAnswer
      return done({ ...found, ...(typeof change === 'function' ? change(found) : change) })
    },
  })
}

describe('Recovery desk', () => {
  it('begins by saying where the id is found', async () => {
    const { words, core } = await openPage('/recovery')
    expect(words()).toContain('Paste a USB id')
    expect(core.asked.some(({ channel }) => channel === 'metadata.recovery')).toBe(false)
  })

  it('from an id shows the product, the firmware, the link and what to do', async () => {
    const { words, button, copied } = await openPage('/recovery/0x24B9')
    expect(words()).toContain('Firmware 2.9.2 brings back Jabra Evolve2 65 Mono')
    expect(words()).toContain('Vendor 0x0B0E, id 0x24B9 (9401)')
    expect(words()).toContain('Download the firmware by the link above: Jabra_Evolve2_65_2.9.2.zip.')
    expect(words()).toContain('Check that the system now shows 0x24B3, Jabra Evolve2 65 Mono.')
    await button('Copy link').trigger('click')
    expect(copied).toEqual([
      'https://firmware.cdn.cloud.jabra.com/2830/9395/2.9.2/Jabra_Evolve2_65_2.9.2.zip?se=2026-12-01&sig=Zx81',
    ])
  })

  it('what is typed stands in the address, so that a restart finds it', async () => {
    const { page, router, words } = await openPage('/recovery')
    await page.find('input').setValue('VID_0B0E&PID_24B9')
    const arrived = nextPage(router)
    await page.find('form').trigger('submit')
    await arrived
    await settle()
    expect(router.currentRoute.value.params.id).toBe('VID_0B0E&PID_24B9')
    expect(words()).toContain('Firmware 2.9.2 brings back Jabra Evolve2 65 Mono')
  })

  it('a paste is the whole question: it is looked up at once', async () => {
    const { page, router, words } = await openPage('/recovery')
    const arrived = nextPage(router)
    await page.find('input').trigger('paste')
    await page.find('input').setValue(' 0b0e:24b9 ')
    await arrived
    await settle()
    expect(words()).toContain('Firmware 2.9.2 brings back Jabra Evolve2 65 Mono')
  })

  it('what is no id is said at the field, and nothing of the id before stays', async () => {
    const { page, router, words } = await openPage('/recovery/24b9')
    await page.find('input').setValue('zz')
    const arrived = nextPage(router)
    await page.find('form').trigger('submit')
    await arrived
    await settle()
    expect(page.find('input').attributes('aria-invalid')).toBe('true')
    expect(page.find('[role="alert"]').text()).toContain('No USB id is found in this.')
    expect(words()).not.toContain('Evolve2')
  })

  it('an id nothing is published for offers no steps', async () => {
    const { words } = await openPage('/recovery/ffff')
    expect(words()).toContain('Nothing is published for the id 0xFFFF')
    expect(words()).toContain('Open Firmware')
    expect(words()).not.toContain('Print steps')
  })

  it('a product in its usual mode is named, with the way to its firmware, and no steps', async () => {
    const { words, router, button } = await openPage('/recovery/24b3', {}, (core) =>
      answerWith(core, { firmware: null, link: null, configurations: [], raw: null }),
    )
    expect(words()).toContain('No recovery firmware published for Jabra Evolve2 65 Mono')
    expect(words()).toContain('This is the id of a product in its usual mode')
    expect(words()).not.toContain('Print steps')
    const arrived = nextPage(router)
    await button('Open Firmware').trigger('click')
    await arrived
    expect(router.currentRoute.value.fullPath).toBe('/firmware/2830/9395')
  })

  it('a headset that is several products is named once, with every id it may come back under', async () => {
    const { words } = await openPage('/recovery/24b9', {}, (core) =>
      answerWith(core, (found) => ({
        products: [0x4051, 0x4052].flatMap((productId) =>
          found.products.map((one) => ({ ...one, productId })),
        ),
      })),
    )
    expect(words()).toContain('Firmware 2.9.2 brings back Jabra Evolve2 65 Mono Vendor')
    expect(words()).toContain('Check that the system now shows one of 0x4051, 0x4052: Jabra Evolve2 65 Mono.')
    expect(words()).toContain('Several products share it')
  })

  it('updater configurations are shown as published', async () => {
    const { page, words } = await openPage('/recovery/24b9')
    await page.findAll('[role="tab"]')[1]?.trigger('click')
    expect(words()).toContain('updater "csr-dfu"')
  })

  it('printing puts product, file, link and steps on one sheet', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { button } = await openPage('/recovery/24b9')
    await button('Print steps').trigger('click')
    await settle()
    const sheet = document.querySelector('.paper-sheet')
    expect(print).toHaveBeenCalledOnce()
    expect(sheet && wordsOf(sheet)).toContain('Recovery of Jabra Evolve2 65 Mono')
    expect(sheet?.querySelectorAll('li')).toHaveLength(6)
  })

  const unread = (document: RecoveryDocumentName): RecoveryAnswer['failed'] => [
    {
      document,
      failure: {
        kind: 'unreadable-answer',
        call: { operation: 'GetLatestFirmwareFromDfuPid', host: 'cdn.cloud.jabra.com' },
        where: '$',
        message: 'HTML',
      },
    },
  ]
  it.each<[RecoveryDocumentName, Partial<RecoveryAnswer>, string, string]>([
    [
      'firmware',
      { firmware: null, link: null, raw: null },
      'The recovery firmware for the id 0x24B9 could not be read',
      'No recovery firmware published',
    ],
    ['link', { link: null }, 'Firmware 2.9.2 brings back', 'published without a download link'],
    ['configurations', { configurations: [] }, 'Firmware 2.9.2 brings back', 'No updater configurations'],
  ])(
    '%s that could not be read is told as that, not as unpublished',
    async (document, without, told, not) => {
      const { page, words } = await openPage('/recovery/24b9', {}, (core) =>
        answerWith(core, { ...without, failed: unread(document) }),
      )
      await page.findAll('[role="tab"]')[1]?.trigger('click')
      expect(words()).toContain(told)
      expect(words()).not.toContain(not)
      expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    },
  )

  it('says what happened when the service cannot be asked', async () => {
    const call = { operation: 'GetLatestFirmwareFromDfuPid', host: 'cdn.cloud.jabra.com' }
    const { page, core, words } = await openPage('/recovery/24b9', {}, (double) =>
      double.fail('metadata.recovery', { kind: 'offline', call, message: 'ENOTFOUND' }),
    )
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    core.fail('metadata.recovery', null)
    await page.find('[role="alert"] button').trigger('click')
    await settle()
    expect(words()).toContain('Firmware 2.9.2 brings back')
  })
})
