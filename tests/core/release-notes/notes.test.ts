import { describe, expect, it } from 'vitest'
import type { FirmwareRelease } from '../../../electron/contract/api/firmware.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openReleaseNotes } from '../../../electron/core/release-notes/release-notes.ts'
import { metadataRig } from '../metadata/fake-metadata-service.ts'

const id = { vendorId: 2830, productId: 779 }
const other = { productId: 9333, releaseNotes: [{ version: '9.9.9', text: 'Another product' }] }

const release = (version: string, more: Partial<FirmwareRelease> = {}): FirmwareRelease => ({
  version,
  latest: false,
  revoked: false,
  stage: 'Public',
  stageStated: true,
  releasedAt: null,
  fileName: null,
  fileSize: null,
  md5: null,
  notesUrl: null,
  buildTypes: [],
  bundle: null,
  raw: { version },
  ...more,
})

function rig(document: Json, published: readonly FirmwareRelease[] = []) {
  const { service, start, clock } = metadataRig()
  service.set('/content/v/18/products.json', document)
  const releases = () => Promise.resolve({ releases: published })
  return { notes: openReleaseNotes({ metadata: start(), releases }), service, clock }
}
/** Version, format and text of each note. */
const notesOf = async (document: Json): Promise<readonly unknown[]> =>
  (await rig(document).notes.get(id)).notes.map(({ version, format, text }) => [version, format, text])

describe('notes of a product', () => {
  const fixes = ['2.97.0', 'plain', 'Fixes mute sync']
  it.each<[string, Json, readonly unknown[]]>([
    ['a list by version', { releaseNotes: [{ version: '2.97.0', text: 'Fixes mute sync' }] }, fixes],
    ['a dictionary by version', { releaseNotes: { '2.97.0': 'Fixes mute sync' } }, fixes],
    ['records by version', { releaseNotes: { '2.97.0': { text: 'Fixes mute sync' } } }, fixes],
    ['a language', { releaseNotes: { '2.97.0': { da: 'Retter', en: 'Fixes mute sync' } } }, fixes],
    ['of a release', { releases: [{ version: '2.97.0', notes: 'Fixes mute sync' }] }, fixes],
    [
      'declared by type',
      { documents: [{ type: 'ReleaseNotes', version: '2.97.0', body: 'Fixes mute sync' }] },
      fixes,
    ],
    ['a change log', { changelog: [{ firmwareVersion: '2.97.0', changes: ['Fixes mute sync'] }] }, fixes],
    [
      'lines of one note',
      { releaseNotes: [{ version: '2.97.0', changes: ['Fixes mute', 'Fixes sync'] }] },
      ['2.97.0', 'plain', '- Fixes mute\n- Fixes sync'],
    ],
    [
      'declared as plain',
      { releaseNotes: [{ version: '1.0', format: 'text/plain', text: '<b>x</b>' }] },
      ['1.0', 'plain', '<b>x</b>'],
    ],
    [
      'declared as HTML',
      { releaseNotes: [{ version: '1.0', contentType: 'text/html', body: 'a &amp; b' }] },
      ['1.0', 'html', 'a & b'],
    ],
    [
      'declared by the member',
      { releaseNotes: [{ version: '1.0', markdown: 'a\nb' }] },
      ['1.0', 'markdown', 'a b'],
    ],
    [
      'without a version: of the product',
      { releaseNotes: 'Fixes mute sync' },
      [null, 'plain', 'Fixes mute sync'],
    ],
  ])('%s', async (_, members, expected) => {
    expect(await notesOf([other, { productId: 779, ...(members as object) }])).toEqual([expected])
  })

  it.each<[string, Json]>([
    [
      'in a list of their own',
      {
        products: [{ productId: 779, url: '/a' }],
        releaseNotes: [other, { productId: 779, version: '2.97.0', text: 'Fixes mute sync' }],
      },
    ],
    [
      'under its id',
      {
        products: { '779': { url: '/a' } },
        releaseNotes: { '779': { '2.97.0': 'Fixes mute sync' }, '9333': { '9.9.9': 'x' } },
      },
    ],
    [
      'next to the id of the product',
      [{ product: { id: 779 }, releaseNotes: { '2.97.0': 'Fixes mute sync' } }, other],
    ],
    [
      'the same twice',
      [
        {
          productId: 779,
          releaseNotes: { '2.97.0': 'Fixes mute sync' },
          notes: { '2.97.0': 'Fixes mute sync' },
        },
      ],
    ],
  ])('%s', async (_, document) => {
    expect(await notesOf(document)).toEqual([fixes])
  })

  it('are none when another product or no note matches', async () => {
    const related = [other]
    expect(
      await notesOf([{ productId: 779, url: '/a', related, description: 'A headset', title: 'x' }]),
    ).toEqual([])
  })

  it('contain links, and show anything else as received', async () => {
    const releaseNotes = [{ version: '2.97.0', url: 'https://www.jabra.com/notes' }]
    const found = await rig([{ productId: 779, releaseNotes, changelog: { pending: 7 } }]).notes.get(id)
    expect([found.notes, found.record?.links.map(({ url }) => url), found.other]).toEqual([
      [],
      ['https://www.jabra.com/notes'],
      [{ changelog: { pending: 7 } }],
    ])
  })
})

describe('notes between versions', () => {
  const versions = ['2.10.0', '2.9.2', '2.9.0', '2.1.0', '2.0.0']
  const published = versions.map((one) => release(one, { revoked: one === '2.10.0' || one === '2.9.0' }))
  const releaseNotes = { '2.9.0': 'b', '2.10.0': 'd', '2.1.0': 'a', '2.9.2': 'c' }
  const requested = async (query: object) => {
    const { notes } = rig([{ productId: 779, releaseNotes: { ...releaseNotes, text: 'All' } }], published)
    const found = await notes.get({ ...id, ...query })
    return [found.notes.map(({ version, revoked }) => [version, revoked]), found.withoutText]
  }

  it.each<[string, object, readonly unknown[]]>([
    [
      'all, newest first, those without a version at the end',
      {},
      [
        [
          ['2.10.0', true],
          ['2.9.2', false],
          ['2.9.0', true],
          ['2.1.0', false],
          [null, false],
        ],
        [],
      ],
    ],
    ['one', { version: '2.9.2' }, [[['2.9.2', false]], []]],
    ['one without text', { version: '2.0' }, [[], ['2.0.0']]],
    [
      'later ones up to the newest that is not revoked, revoked ones between marked',
      { since: '2.1.0' },
      [
        [
          ['2.9.2', false],
          ['2.9.0', true],
        ],
        [],
      ],
    ],
    [
      'later ones up to a version',
      { since: '1.9', version: '2.9.0' },
      [
        [
          ['2.9.0', true],
          ['2.1.0', false],
        ],
        ['2.0.0'],
      ],
    ],
  ])('%s', async (_, query, expected) => {
    expect(await requested(query)).toEqual(expected)
  })

  it('include the text of the release records', async () => {
    const raw = { version: '2.9.2', vendorId: 2830, productId: 1, releaseNotes: '<p>Fixes</p>' }
    const { notes } = rig([{ productId: 779, url: '/a' }], [release('2.9.2', { raw })])
    expect((await notes.get(id)).notes.map(({ version, source, text }) => [version, source, text])).toEqual([
      ['2.9.2', 'firmware-releases', 'Fixes'],
    ])
  })

  it('are available 30 days later without a network', async () => {
    const { notes, service, clock } = rig([{ productId: 779, releaseNotes }], published)
    const { notes: first } = await notes.get(id)
    service.offline = true
    await clock.advance(30 * 24 * 3_600_000)
    expect((await notes.get(id)).notes).toEqual(first)
  })
})
