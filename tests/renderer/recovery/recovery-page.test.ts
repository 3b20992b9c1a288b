import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RecoveryDocumentName } from '../../../electron/contract/api/metadata.ts'
import { answer } from '../../fake-transport.ts'
import { useRecovery } from '../../../renderer/recovery/recovery-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { settle } from '../core.ts'
import { nextPage, openPage, textIn } from '../page.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('Device recovery', () => {
  it('begins with the steps and where to find the id', async () => {
    const { words, core } = await openPage('/recovery')
    for (const step of ['Find the USB ID', 'Hardware Ids', 'Paste it above', 'Install the firmware'])
      expect(words()).toContain(step)
    expect(core.argumentsOf('metadata.recovery')).toEqual([])
  })

  it('offers the products of the fleet for a device that still shows its name', async () => {
    const { page } = await openPage('/recovery')
    const [first] = page.findAll('.products a')
    expect([first?.text(), first?.attributes('href')]).toEqual([
      expect.stringMatching(/^Jabra .+ 0x[0-9A-F]{4}\d+$/),
      expect.stringMatching(/^#\/firmware\/2830\/\d+$/),
    ])
  })
  it('shows product, firmware, link and steps for an id', async () => {
    const { words, button, copied } = await openPage('/recovery/0x24B9')
    expect(words()).toContain('Firmware 1.5.7 restores Jabra Evolve2 85')
    expect(words()).toContain('Vendor 0x0B0E, ID 0x24B9 (9401)')
    expect(words()).toContain(
      'Download the firmware with the link above: Jabra_Evolve2_85-v1.5.7-vector.zip.',
    )
    expect(words()).toContain('Check that the system now shows 0x24BB, Jabra Evolve2 85.')
    await button('Copy link').trigger('click')
    expect(copied).toEqual([
      'http://127.0.0.1/files/Jabra_Evolve2_85-v1.5.7-vector.zip?v=1.5.7&sig=2erB6i4BE2%2BheoZLJ1sd%2B%2F%3D',
    ])
  })

  it('downloads the firmware for its product, or shows why not', async () => {
    const { words, button, core } = await openPage('/recovery/0x24B9')
    core.fail('downloads.start', {
      kind: 'folder-unusable',
      reason: 'read-only',
      path: '/downloads',
      needed: null,
      free: null,
    })
    await button('Download 1.5.7').trigger('click')
    await settle()
    expect(core.argumentsOf('downloads.start')).toEqual([
      {
        vendorId: 2830,
        productId: 9403,
        version: '1.5.7',
        buildType: null,
        folder: null,
        acceptChanged: null,
        acceptRevoked: false,
      },
    ])
    expect(words()).toContain('/downloads')
  })

  it('shows nothing that was found for another organization, also if another page was on screen', async () => {
    const { core, router } = await openPage('/recovery/0x24B9', {}, addFjordbank)
    const recovery = useRecovery()
    const known = recovery.found !== null
    const left = nextPage(router)
    await router.push('/journal')
    await left
    await showFjordbank(core)
    expect([known, recovery.found]).toEqual([true, null])
  })

  it('keeps the typed id in the address, over a restart', async () => {
    const { page, router, words } = await openPage('/recovery')
    await page.find('input').setValue('VID_0B0E&PID_24B9')
    const arrived = nextPage(router)
    await page.find('form').trigger('submit')
    await arrived
    await settle()
    expect(router.currentRoute.value.params.id).toBe('VID_0B0E&PID_24B9')
    expect(words()).toContain('Firmware 1.5.7 restores Jabra Evolve2 85')
  })

  it('looks up a pasted id at once', async () => {
    const { page, router, words } = await openPage('/recovery')
    const arrived = nextPage(router)
    await page.find('input').trigger('paste')
    await page.find('input').setValue(' 0b0e:24b9 ')
    await arrived
    await settle()
    expect(words()).toContain('Firmware 1.5.7 restores Jabra Evolve2 85')
  })

  it('shows an invalid id at the field, and clears the previous result', async () => {
    const { page, router, words } = await openPage('/recovery/24b9')
    await page.find('input').setValue('zz')
    const arrived = nextPage(router)
    await page.find('form').trigger('submit')
    await arrived
    await settle()
    expect(page.find('input').attributes('aria-invalid')).toBe('true')
    expect(page.find('[role="alert"]').text()).toContain('No USB ID found.')
    expect(words()).not.toContain('Evolve2')
  })

  it('shows no steps for an id without published data', async () => {
    const { words } = await openPage('/recovery/ffff')
    expect(words()).toContain('Nothing is published for the ID 0xFFFF')
    expect(words()).toContain('Open Firmware')
    expect(words()).not.toContain('Print steps')
  })

  it('names a product in its usual mode, with a link to its firmware, and no steps', async () => {
    const { words, router, button } = await openPage('/recovery/24b3')
    expect(words()).toContain('No recovery firmware published for Jabra Evolve2 65 Mono')
    expect(words()).toContain('This is the ID of a product in normal mode')
    expect(words()).not.toContain('Print steps')
    const arrived = nextPage(router)
    await button('Open Firmware').trigger('click')
    await arrived
    expect(router.currentRoute.value.fullPath).toBe('/firmware/2830/9395')
  })

  it('names a headset with several products once, with every id it may return under', async () => {
    const { words } = await openPage('/recovery/4050')
    expect(words()).toContain('Firmware 4.1.3 restores Jabra Engage 50 II Vendor')
    expect(words()).toContain(
      'Check that the system now shows one of 0x4051, 0x4052, 0x4053, 0x4054, 0x4055, 0x4056: Jabra Engage 50 II.',
    )
    expect(words()).toContain('Several products share this ID')
  })

  it('shows updater configurations as published', async () => {
    const { page, words } = await openPage('/recovery/4050')
    await page.findAll('[role="tab"]')[1]?.trigger('click')
    expect(words()).toContain('platformOs "Windows" fwuProtocolId 4 dfuProductId 16464')
  })

  it('prints product, file, link and steps on one sheet', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { button } = await openPage('/recovery/24b9')
    await button('Print steps').trigger('click')
    await settle()
    const sheet = document.querySelector('.paper-sheet')
    expect(print).toHaveBeenCalledOnce()
    expect(sheet && textIn(sheet)).toMatch(
      /^Nordlys A\/S Device recovery Recovery of Jabra Evolve2 85 .* Serial number of the device Version it shows now Done by, date and signature Headroom Printed /,
    )
    expect(sheet?.querySelectorAll('li')).toHaveLength(6)
  })

  it.each<[RecoveryDocumentName, string, string, string]>([
    [
      'firmware',
      '/recovery/16464/firmware.json',
      'The recovery firmware for the ID 0x4050 could not be read',
      'No recovery firmware published',
    ],
    ['link', '/downloadLink.json', 'Firmware 4.1.3 restores', 'published without a download link'],
    [
      'configurations',
      '/firmware-updater-configurations.json',
      'Firmware 4.1.3 restores',
      'No updater configurations',
    ],
  ])('reports %s that could not be read as such, not as unpublished', async (_, document, reported, not) => {
    const { page, words } = await openPage('/recovery/4050', {}, ({ service }) =>
      service.script(document, () => answer(200, '<html>')),
    )
    await page.findAll('[role="tab"]')[1]?.trigger('click')
    expect(words()).toContain(reported)
    expect(words()).not.toContain(not)
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
  })

  it('explains what to do with what is published, even without readable firmware', async () => {
    const { page } = await openPage('/recovery/4050', {}, ({ service }) =>
      service.script('/recovery/16464/firmware.json', () => answer(200, '<html>')),
    )
    expect(page.findAll('[role="tabpanel"] li > :last-child').map((step) => textIn(step.element))).toEqual([
      'Connect the device by cable directly to the computer. The system must show the ID 0x4050.',
      'No link is known here. Find the firmware file on the product’s Firmware page or on the vendor’s website.',
      "Open the vendor's updater, choose to update from a file and start it.",
      'Do not disconnect the cable or power until the updater is finished. The device restarts automatically.',
      'Check that the system now shows one of 0x4051, 0x4052, 0x4053, 0x4054, 0x4055, 0x4056: Jabra Engage 50 II.',
    ])
  })

  it('works from the cache without a connection, and shows that', async () => {
    const { words, core } = await openPage('/recovery/24b9', {}, async (prepared) => {
      await prepared.handlers.metadata.recovery({ text: '24b9' })
      prepared.sleep(26 * 3_600_000)
      prepared.service.offline = true
    })
    // The program waits a moment for a service that is not reachable.
    await core.advance(1_000)
    await settle()
    expect(words()).toContain('read 1 day ago')
  })

  it('offers no revoked firmware, and leads to the page of the product', async () => {
    const { words, page } = await openPage('/recovery/24b9', {}, ({ service }) =>
      service.alter('/recovery/9401/firmware.json', (firmware: object) => ({ ...firmware, revoked: true })),
    )
    expect(words()).toContain('Firmware 1.5.7, which restored Jabra Evolve2 85, was revoked')
    expect(words()).not.toContain('Download the firmware with the link above')
    expect(page.findAll('.result .button').map((one) => one.text())).toEqual(['Open Firmware'])
  })

  it('opens release notes named by the firmware', async () => {
    const notesUrl = 'https://www.jabra.com/release-notes/evolve2-85'
    const { button, openedOutside } = await openPage('/recovery/24b9', {}, ({ service }) =>
      service.alter('/recovery/9401/firmware.json', (firmware: object) => ({
        ...firmware,
        releaseNotesUrl: notesUrl,
      })),
    )
    await button('Release notes').trigger('click')
    expect(openedOutside).toEqual([notesUrl])
  })

  it('shows what happened when the service cannot be reached', async () => {
    const { page, core, words } = await openPage('/recovery/24b9', {}, ({ service }) => {
      service.offline = true
    })
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    core.service.offline = false
    await page.find('[role="alert"] button').trigger('click')
    await settle()
    expect(words()).toContain('Firmware 1.5.7 restores')
  })
})
