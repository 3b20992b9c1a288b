import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { VersionWatch } from '../../../electron/contract/api/metadata.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import MetadataCard from '../../../renderer/organizations/MetadataCard.vue'
import { useMetadataWatch } from '../../../renderer/organizations/metadata-watch-store.ts'
import { openCore, settle } from '../core.ts'
import { openPage } from '../page.ts'
import { presentAt } from '../present-at.ts'
import { addFjordbank } from './bring-organizations.ts'

const DAY = 86_400_000

const watch = (change: Partial<VersionWatch>): VersionWatch => ({
  inUse: 18,
  newer: 19,
  supportedUntilAt: Date.now() + 143.5 * DAY,
  firstSeen: null,
  checkedAt: Date.now(),
  openapiKeptAt: Date.now() - 9 * DAY,
  differences: [],
  deprecated: [],
  added: [],
  otherVersions: [],
  ...change,
})
const textOf = (versions: VersionWatch): string =>
  mount(MetadataCard, {
    props: { versions, versionsFailure: null, checking: false, size: null, sizeFailure: null },
    global: { plugins: [i18n] },
  }).text()

describe('the API version watch', () => {
  it.each<[string, Partial<VersionWatch>, string]>([
    [
      'no newer one is available',
      { newer: null, supportedUntilAt: null },
      'Metadata version 18 is the latest available',
    ],
    ['a newer one is available', {}, 'Metadata version 19 is available'],
    ['the support window runs', {}, '143 days from now.'],
    [
      'the day of the release is not specified',
      { firstSeen: { version: 19, at: Date.UTC(2026, 10, 24, 12) } },
      'at the latest, 143 days from now. Version 19 was first seen on 24 Nov 2026.',
    ],
    ['the support window is over', { supportedUntilAt: presentAt - DAY }, 'Support for version 18 ended on'],
    ['nothing in use differs', {}, 'Version 19 has no differences that affect Headroom.'],
    [
      'something differs',
      { differences: [{ operation: 'GetProductInformation', what: 'the path' }] },
      '1 operation that Headroom uses differs:',
    ],
    [
      'an operation is deprecated',
      { deprecated: [{ version: 18, operation: 'GetTelemetry' }] },
      'GetTelemetryis deprecated in version 18',
    ],
    ['an operation is new', { added: [{ operation: null, path: '/news' }] }, '/newsis new in version 19'],
    [
      'a specification is of another version',
      { otherVersions: [{ version: 18, says: '17.0' }] },
      'The specification of version 18 says that it is version 17.0.',
    ],
    ['they could not be compared', { openapiKeptAt: null }, 'The two versions could not be compared'],
  ])('says when %s', (_what, change, sentence) => expect(textOf(watch(change))).toContain(sentence))
})

describe('the metadata service of an organization', () => {
  it('is shown for the one in use, not for another', async () => {
    const { words, page } = await openPage('/organizations', {}, addFjordbank)
    expect(words()).toContain('Documents stored for offline use')
    await page.findAll('[role=option]')[1]?.trigger('click')
    await settle()
    expect(words()).not.toContain('Documents stored for offline use')
  })
  it('is checked on request', async () => {
    const { core, page } = await openPage('/organizations')
    await page.get('[aria-label="API version check"] button').trigger('click')
    await settle()
    expect(core.argumentsOf('metadata.versions')).toEqual([{ refresh: false }, { refresh: true }])
  })
  it('no longer shows that clearing failed after it is loaded again', async () => {
    const core = await openCore()
    const store = useMetadataWatch()
    await store.load()
    core.fail('metadata.clearCache', { kind: 'cancelled' })
    await store.clearCache()
    expect(store.clearFailure).toEqual({ kind: 'cancelled' })
    await store.load()
    expect(store.clearFailure).toBeNull()
  })
  it('asks before clearing cached documents, and reports that none are left', async () => {
    const { core, button, words } = await openPage('/organizations')
    const cleared = (): boolean => core.argumentsOf('metadata.clearCache').length > 0
    await button('Clear documents').trigger('click')
    await settle()
    expect({ cleared: cleared(), words: words() }).toEqual({
      cleared: false,
      words: expect.stringContaining('Clear the stored documents?') as string,
    })
    const confirm = [...document.querySelectorAll<HTMLElement>('button')].findLast(
      (one) => one.textContent?.trim() === 'Clear documents',
    )
    confirm?.click()
    await settle()
    expect({ cleared: cleared(), words: words() }).toEqual({
      cleared: true,
      words: expect.stringContaining('None. Headroom reads releases, links') as string,
    })
  })
})
