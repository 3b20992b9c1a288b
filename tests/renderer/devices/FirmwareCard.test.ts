import { mount } from '@vue/test-utils'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Device } from '../../../electron/contract/api/devices.ts'
import type { FirmwareCompliance } from '../../../electron/contract/api/firmware.ts'
import FirmwareCard from '../../../renderer/devices/FirmwareCard.vue'
import { useFirmwareUpdates } from '../../../renderer/jobs/firmware-updates-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { RouterLink } from 'vue-router'
import { createPages } from '../../../renderer/router.ts'
import { devicesOf, openCore } from '../core.ts'

let device: Device
beforeEach(async () => {
  const core = await openCore()
  const [first] = await devicesOf(core)
  device = {
    ...(await core.handlers.devices.get({ id: first!.id })),
    firmwareVersion: '2.7.0',
    productName: 'Evolve2 65',
  }
})
const link = {
  url: 'https://files.example.com/a.zip',
  host: 'files.example.com',
  observedAt: Date.now(),
  fromCache: true,
  raw: {},
}
const unasked = { reported: { value: null, failure: null } } as const
const card = (
  compliance: FirmwareCompliance | null,
  firmwareLink = { value: link, failure: null } as never,
) =>
  mount(FirmwareCard, {
    props: {
      device,
      compliance: { value: compliance, failure: null },
      firmwareLink,
      vendorId: 2830,
      ...unasked,
    },
    global: { plugins: [i18n, createPages(() => true)] },
  })

describe('the sentence about firmware', () => {
  it.each<[FirmwareCompliance, string, string]>([
    [
      { kind: 'ahead', latest: '2.6.0' },
      'Firmware is newer than the latest release',
      'Installed 2.7.0 · latest published 2.6.0.',
    ],
    [
      { kind: 'revoked', latest: null },
      'Firmware was revoked',
      'Installed 2.7.0 was revoked. No public release replaces it.',
    ],
    [
      { kind: 'unknown', why: 'offline' },
      'Firmware cannot be compared',
      'The releases of this product were not read before the network connection was lost.',
    ],
    [
      { kind: 'unknown', why: 'no-version' },
      'Firmware cannot be compared',
      'The service sent no firmware version for this device.',
    ],
    [
      { kind: 'unknown', why: 'not-a-version' },
      'Firmware cannot be compared',
      'The service sent a firmware version that cannot be compared with releases.',
    ],
    [
      { kind: 'unknown', why: 'not-a-product-id' },
      'Firmware cannot be compared',
      'The service sent a product ID that cannot exist. No releases can be looked up for it.',
    ],
  ])('%o', (compliance, title, sentence) => {
    const visible = card(compliance)
    expect([visible.get('h3').text(), visible.get('.card > p').text()]).toEqual([title, sentence])
  })
  it.each<[FirmwareCompliance, string]>([
    [{ kind: 'behind', latest: '2.9.2', by: 1 }, 'Firmware 2.7.0 → 2.9.2, 1 release behind'],
    [{ kind: 'behind', latest: '2.9.2', by: 2 }, 'Firmware 2.7.0 → 2.9.2, 2 releases behind'],
    [
      { kind: 'behind', latest: '2.9.2', approved: '2.8.0', by: 2 },
      'Firmware 2.7.0 → 2.8.0 (approved), 2 releases behind',
    ],
    [{ kind: 'revoked', latest: '2.9.2' }, 'Firmware 2.7.0 revoked → 2.9.2'],
    [{ kind: 'revoked', latest: '2.9.2', approved: '2.8.0' }, 'Firmware 2.7.0 revoked → 2.8.0 (approved)'],
  ])('is one line that says both versions: %o', (compliance, title) => {
    const visible = card(compliance)
    expect([visible.get('h3').text(), visible.text().includes('Installed')]).toEqual([title, false])
  })
  it.each<[FirmwareCompliance, string]>([
    [{ kind: 'current', latest: '2.7.0' }, 'Firmware 2.7.0, the latest'],
    [{ kind: 'current', latest: '2.9.2', approved: '2.7.0' }, 'Firmware 2.7.0, the approved version'],
  ])('is one line for a device that needs nothing: %o', (compliance, title) => {
    const visible = card(compliance)
    const loud = visible.find('.button.primary').exists()
    expect([visible.get('h3').text(), visible.text().includes('Installed'), loud]).toEqual([
      title,
      false,
      false,
    ])
  })
  it.each<[FirmwareCompliance, Device['firmware'], string, string]>([
    [
      { kind: 'unknown', why: 'not-published' },
      { word: 'behind', by: null, latest: null, why: null, service: 'decides' },
      'Update available, according to the service',
      'No separate releases are published for this product. A firmware bundle may contain it.',
    ],
    [
      { kind: 'unknown', why: 'offline' },
      { word: 'current', by: null, latest: null, why: null, service: 'decides' },
      'Up to date, according to the service',
      'The releases of this product were not read before the network connection was lost.',
    ],
    [
      { kind: 'current', latest: '2.7.0' },
      { word: 'current', by: null, latest: '2.7.0', why: null, service: 'contradicts' },
      'Firmware is the latest version',
      'Installed 2.7.0 is the newest release published for Evolve2 65. The service disagrees: it reports an available update for this device.',
    ],
    [
      { kind: 'revoked', latest: null },
      { word: 'revoked', by: null, latest: null, why: null, service: 'contradicts' },
      'Firmware was revoked',
      'Installed 2.7.0 was revoked. No public release replaces it. The service disagrees: it reports this device as up to date.',
    ],
  ])('marks a value reported by the service: %o', (compliance, firmware, title, sentences) => {
    const visible = mount(FirmwareCard, {
      props: {
        device: { ...device, firmware },
        compliance: { value: compliance, failure: null },
        firmwareLink: { value: null, failure: null },
        vendorId: 2830,
        ...unasked,
      },
      global: { plugins: [i18n, createPages(() => true)] },
    })
    const said = visible.findAll('.card > p:not(.about)').map((one) => one.text())
    expect([visible.get('h3').text(), said.join(' ')]).toEqual([title, sentences])
  })
  it('offers the link in one click if there is a release, otherwise none', () => {
    expect(
      card({ kind: 'behind', latest: '2.9.2', by: 2 }).get('.button.primary').attributes('aria-disabled'),
    ).toBeUndefined()
    expect(card({ kind: 'unknown', why: 'no-product' }).find('.button.primary').exists()).toBe(false)
  })
  it('does not link to releases of a product without any, or of an invalid id', () => {
    const odd = { ...device, productId: 5_000_000_000 }
    const visible = mount(FirmwareCard, {
      props: {
        device: odd,
        compliance: { value: { kind: 'unknown', why: 'not-a-product-id' }, failure: null },
        firmwareLink: { value: null, failure: null },
        buildType: null,
        vendorId: 2830,
        ...unasked,
      },
      global: { plugins: [i18n, createPages(() => true)] },
    })
    const leads = (why: 'not-published' | 'no-public-release'): boolean =>
      card({ kind: 'unknown', why }).find('a.releases').exists()
    expect([visible.find('a').exists(), leads('not-published'), leads('no-public-release')]).toEqual([
      false,
      false,
      true,
    ])
  })
  it('shows that no link is published instead of failing', () => {
    const visible = card({ kind: 'current', latest: '2.7.0' }, {
      value: null,
      failure: { kind: 'not-found', call: null, what: '' },
    } as never)
    expect(visible.text()).toContain('No download link is published for 2.7.0.')
    expect(visible.find('[role=alert]').exists()).toBe(false)
  })
  describe('the buttons for an update', () => {
    const templates = {
      firmwareRead: 'GET /a/{deviceId}',
      firmwareUpdate: 'POST /a/{deviceId}/{firmwareVersion}',
    }
    const updateOf = (compliance: FirmwareCompliance, gone: boolean, known: object | null = templates) => {
      const own = known ?? { firmwareRead: null, firmwareUpdate: null }
      useLayoutStore().organizations = { organizations: [{ current: true, templates: own }] } as never
      const visible = mount(FirmwareCard, {
        props: {
          device: { ...device, gone, productId: 9395 },
          compliance: { value: compliance, failure: null },
          firmwareLink: { value: link, failure: null } as never,
          vendorId: 2830,
          ...unasked,
        },
        global: { plugins: [i18n, createPages(() => true)] },
      })
      return { visible, button: visible.findAll('button').find((one) => one.text() === 'Update firmware…') }
    }
    const behind = { kind: 'behind', latest: '2.9.2', by: 1 } as const

    it.each<[string, FirmwareCompliance, boolean, boolean]>([
      ['a device that is behind', behind, false, true],
      ['a device that is gone', behind, true, false],
      ['revoked firmware', { kind: 'revoked', latest: '2.9.2' }, false, true],
      ['revoked firmware of a device that is gone', { kind: 'revoked', latest: '2.9.2' }, true, false],
      ['revoked firmware that nothing replaces', { kind: 'revoked', latest: null }, false, false],
      ['the latest', { kind: 'current', latest: '2.7.0' }, false, false],
      ['newer firmware', { kind: 'ahead', latest: '2.6.0' }, false, false],
    ])('%s', (_, compliance, gone, isOffered) => {
      expect(updateOf(compliance, gone).button !== undefined).toBe(isOffered)
    })

    it.each([
      ['the latest', behind, '2.9.2'],
      ['the approved version', { kind: 'revoked', latest: '3.0.0', approved: '2.8.0' }, '2.8.0'],
    ] as const)('plans an update of this device to %s', async (_, compliance, version) => {
      const ask = vi.spyOn(useFirmwareUpdates(), 'ask').mockReturnValue(undefined as never)
      await updateOf(compliance, false).button!.trigger('click')
      expect(ask.mock.calls).toEqual([[{ kind: 'picked', ids: [device.id] }, version]])
    })

    it('say why there is none without addresses for updates', () => {
      const { visible, button } = updateOf(behind, false, null)
      expect([button, visible.text()]).toEqual([
        undefined,
        expect.stringContaining('The service publishes no address for firmware updates.') as string,
      ])
      expect(updateOf(behind, true, null).visible.text()).not.toContain('no address for firmware updates')
    })

    it('lead to the notes of later versions', () => {
      const [notes] = updateOf(behind, false)
        .visible.findAllComponents(RouterLink)
        .filter((one) => one.text() === 'Release notes')
      expect(notes?.props('to')).toMatchObject({ name: 'release-notes', query: { since: '2.7.0' } })
    })

    it('renew an old link, whose age is shown', async () => {
      const observedAt = Date.now() - 25 * 3_600_000
      const old = { value: { ...link, observedAt }, failure: null } as never
      const visible = card(behind, old)
      expect(card(behind).find('button[aria-label]').exists()).toBe(false)
      await visible.get('button[aria-label]').trigger('click')
      expect(visible.emitted('retry')).toHaveLength(1)
    })
  })
})
