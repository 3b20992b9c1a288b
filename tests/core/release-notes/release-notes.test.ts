import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { plainName } from '../../../electron/core/release-notes/content-evidence.ts'
import { recordOf } from '../../../electron/core/release-notes/content-json.ts'
import { openReleaseNotes } from '../../../electron/core/release-notes/release-notes.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'
import { cases } from '../../setup/cases.ts'

const content = '/content/v/18/products.json'
const catalogue = {
  bundles: [],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve2 65 Mono',
      productGroupName: 'Jabra Evolve2 65',
      entityId: 'f525e3b0-0001-4000-8000-000000009395',
      variants: [
        {
          vendorId: 2830,
          productId: 9395,
          variantType: '01-64',
          name: 'Evolve2 65 Mono MS',
          entityId: 'F525E3B0-0002-4000-8000-000000009395',
        },
      ],
    },
  ],
}
const page = 'https://www.jabra.com/supportpages/jabra-evolve2-65'
const other = {
  name: 'Jabra Speak 710',
  productId: 9333,
  url: 'https://www.jabra.com/supportpages/jabra-speak-710',
}
const id = { vendorId: 2830, productId: 9395 }

function rig(document: Json | null) {
  const metadata = metadataRig()
  metadata.service.set('/product-group-bundles/bundles', catalogue)
  if (document !== null) metadata.service.set(content, document)
  const releases = () => Promise.resolve({ releases: [] })
  return { ...metadata, notes: openReleaseNotes({ metadata: metadata.start(), releases }) }
}
const origin = 'https://metadata.example.com'
const linksOf = async (document: Json) =>
  (await rig(document).notes.get(id)).record?.links.map((link) => link.url) ?? null

describe('finding the record of a product', () => {
  it.each<[string, Json]>([
    ['a list, by product id', [other, { productId: 9395, url: page }]],
    ['by id as text', [other, { productId: '9395', url: page }]],
    ['by id in hexadecimal', [other, { pid: '0x24B3', url: page }]],
    ['by one of several ids', [other, { productIds: [1, 9395], url: page }]],
    ['by vendor and product in one text', [other, { id: '2830/9395', url: page }]],
    [
      'by the id of a variant inside',
      [other, { title: 'x', url: page, variants: [{ vendorId: 2830, productId: 9395 }] }],
    ],
    [
      'by a variant that has a picture of its own',
      [other, { url: page, variants: [{ productId: 9395, image: 'https://images.ctfassets.net/a.png' }] }],
    ],
    ['by name, ignoring vendor and case', [other, { name: 'EVOLVE2  65 Mono', url: page }]],
    ['by name with a trade mark', [other, { title: 'Jabra Evolve2 65 Mono™', url: page }]],
    ['by the name of a variant', [other, { displayName: 'Evolve2 65 Mono MS', url: page }]],
    ['by the name of its group', [other, { name: 'Jabra Evolve2 65', url: page }]],
    [
      'in lists within lists',
      {
        groups: [
          { name: 'Headsets', products: [other, { name: 'Evolve2 65 Mono', support: { href: page } }] },
        ],
      },
    ],
    [
      'in a dictionary by name',
      { products: { 'Jabra Speak 710': { url: other.url }, 'Jabra Evolve2 65 Mono': { url: page } } },
    ],
    ['in a dictionary by id', { '2830/9333': { url: other.url }, '2830-9395': { url: page } }],
    ['by its entity id', [other, { entityId: 'F525E3B0-0001-4000-8000-000000009395', url: page }]],
    ['by the entity id of a variant', [other, { id: '{f525e3b0-0002-4000-8000-000000009395}', url: page }]],
    [
      'by one of several entity ids',
      [other, { productEntityIds: ['x'], entityIds: ['f525e3b0-0001-4000-8000-000000009395'], url: page }],
    ],
    [
      'in a dictionary by entity id',
      { products: { x: { url: other.url }, 'f525e3b0-0001-4000-8000-000000009395': { url: page } } },
    ],
    ['in a dictionary by product id', { products: { '9333': { url: other.url }, '9395': { url: page } } }],
    [
      'in a dictionary by product id, of lists',
      { products: { '9333': [{ url: other.url }], '9395': [{ url: page }] } },
    ],
    ['in a dictionary by product id, of addresses', { products: { '9333': other.url, '9395': page } }],
    ['in a dictionary by product id, at the root', { '9333': { url: other.url }, '9395': { url: page } }],
    [
      'in a dictionary by product id in hexadecimal',
      { items: { '0x2475': { url: other.url }, '0x24B3': { url: page } } },
    ],
    [
      'in a dictionary by vendor and product',
      {
        '1130': { '9395': { url: other.url } },
        '2830': { '9333': { url: other.url }, '9395': { url: page } },
      },
    ],
    [
      'in a dictionary by name, of addresses',
      { 'Jabra Speak 710': other.url, 'Jabra Evolve2 65 Mono': page },
    ],
    ['by ids in one text', [other, { productIds: '9333x,9395', url: page }]],
    ['by the id of a product inside', [other, { product: { id: 9395 }, support: { href: page } }]],
    ['by the notation of Windows', [other, { pid: 'VID_0B0E&PID_24B3', url: page }]],
    ['by a name in a language', [other, { name: { de: 'Headset', en: 'Jabra Evolve2 65 Mono' }, url: page }]],
    [
      'the entity id before the product id',
      [
        { productId: 9395, url: 'https://a.example' },
        { entityId: 'f525e3b0-0001-4000-8000-000000009395', url: page },
      ],
    ],
    [
      'the id before the name',
      [
        { name: 'Evolve2 65 Mono', url: 'https://a.example' },
        { productId: 9395, url: page },
      ],
    ],
    [
      'with a page before pictures only',
      [
        { productId: 9395, image: 'https://a.example/x.png' },
        { name: 'Evolve2 65 Mono', url: page },
      ],
    ],
  ])('%s', async (_, document) => {
    expect(await linksOf(document)).toEqual([page])
  })

  it.each<[string, Json]>([
    ['another product', [other]],
    ['the id of another vendor', [{ vendorId: 1130, productId: 9395, url: page }]],
    ['a number that is no id', [{ sales: 9395, id: 9395, url: page }]],
    ['the place in a list', Array.from({ length: 9_400 }, () => null)],
    ['another vendor’s dictionary', { '1130': { '9395': { url: page } } }],
    ['a number as a key among names', { sales: { total: 7, '9395': { url: page } } }],
    ['the entity id of something else', [{ entityId: '9395', url: page }]],
    ['empty', []],
  ])('returns none: %s', async (_, document) => {
    expect((await rig(document).notes.get(id)).record).toBeNull()
  })
})

describe('links of a record', () => {
  it.each<[string, Json, readonly [string, string, boolean]]>([
    [
      'from the root of the document’s host',
      { supportUrl: '/support/x' },
      ['support', `${origin}/support/x`, true],
    ],
    [
      'of another host without a scheme',
      { releaseNotesUrl: '//www.jabra.com/notes' },
      ['release-notes', 'https://www.jabra.com/notes', true],
    ],
    [
      'beside the document',
      { href: 'support/x.html' },
      ['support', `${origin}/base/content/v/18/support/x.html`, true],
    ],
    [
      'over http: shown, not offered',
      { supportUrl: 'http://www.jabra.com/support' },
      ['support', 'http://www.jabra.com/support', false],
    ],
    [
      'declared by their type',
      { links: [{ type: 'ReleaseNotes', href: 'https://www.jabra.com/support/9395' }] },
      ['release-notes', 'https://www.jabra.com/support/9395', true],
    ],
    [
      'declared by their relation',
      { links: [{ rel: 'support', href: 'https://www.jabra.com/a' }] },
      ['support', 'https://www.jabra.com/a', true],
    ],
    [
      'declared by their member',
      { ReleaseNotes: { en: 'https://www.jabra.com/a' } },
      ['release-notes', 'https://www.jabra.com/a', true],
    ],
    [
      'declared around them',
      { links: [{ type: 'release_notes', link: { href: '/a' } }] },
      ['release-notes', `${origin}/a`, true],
    ],
    [
      'by their label before their address',
      { links: [{ title: 'Support', url: 'https://www.jabra.com/release-notes' }] },
      ['support', 'https://www.jabra.com/release-notes', true],
    ],
    [
      'by their address alone',
      { more: 'https://www.jabra.com/release-notes/9395' },
      ['release-notes', 'https://www.jabra.com/release-notes/9395', true],
    ],
    [
      'inside a sentence',
      { text: 'See http://www.jabra.com/faq, or call.' },
      ['support', 'http://www.jabra.com/faq', false],
    ],
  ])('%s', async (_, members, expected) => {
    const record = (await rig([other, { productId: 9395, ...(members as object) }]).notes.get(id)).record
    expect(record?.links.map(({ kind, url, offered }) => [kind, url, offered])).toEqual([expected])
  })

  it.each<[string, Json, string]>([
    ['a value alone', { supportPage: { value: '/a' } }, 'Support page'],
    ['a language', { ReleaseNotes: { en: '/a' } }, 'Release notes'],
    ['a language with its country', { ReleaseNotes: { 'en-US': { value: '/a' } } }, 'Release notes'],
    ['a value in a list of links', { links: [{ value: 'https://www.jabra.com/a' }] }, 'www.jabra.com'],
    ['a type next to a value', { links: [{ type: 'UserManual', value: '/a' }] }, 'User manual'],
  ])('under %s have the most meaningful name', async (_, members, label) => {
    const { record } = await rig([other, { productId: 9395, ...(members as object) }]).notes.get(id)
    expect(record?.links.map((one) => one.label)).toEqual([label])
  })

  it.each<[string, Json]>([
    ['a path that is no link', { category: '/Headsets/Evolve' }],
    [
      'schemes that are never opened',
      {
        links: [{ href: 'javascript:alert(1)' }, { href: 'file:///etc/passwd' }, { url: 'data:text/html,x' }],
      },
    ],
    ['words', { url: 'none', link: 'n/a here' }],
  ])('%s: none', async (_, members) => {
    expect((await rig([{ productId: 9395, ...(members as object) }]).notes.get(id)).record?.links).toEqual([])
  })

  it.each<[string, Json]>([
    ['next to it in a list', { products: [other, { productId: 9395, text: 'Fixes mute sync' }] }],
    [
      'next to it in a dictionary',
      { products: { a: other, b: { productId: 9395, text: 'Fixes mute sync' } } },
    ],
  ])('of another product %s are not used', async (_, document) => {
    expect((await rig(document).notes.get(id)).record).toMatchObject({
      links: [],
      raw: { productId: 9395, text: 'Fixes mute sync' },
    })
  })

  it('are pictures by name, file, host or label, regardless of their address', async () => {
    const images = [
      { key: 'Image1280', value: '/img/a' },
      { value: 'https://images.ctfassets.net/b' },
      { url: 'https://a.example/c.png' },
    ]
    const { images: found } = (await rig([{ productId: 9395, images }]).notes.get(id)).record ?? {}
    expect(found).toEqual([`${origin}/img/a`, 'https://images.ctfassets.net/b', 'https://a.example/c.png'])
  })
})

describe('the content of a record', () => {
  it('has links by kind with a label, pictures separately, and the record as received', async () => {
    const record = {
      productName: 'Jabra Evolve2 65 Mono',
      productId: 9395,
      images: ['https://images.ctfassets.net/space/evolve.png', 'http://images.example/plain.png'],
      supportPageUrl: page,
      releaseNotesUrl: `${page}/firmware`,
      links: [
        { title: 'What’s new in 2.9.2', url: 'https://www.jabra.com/release-notes/2.9.2' },
        { title: 'User manual', url: 'https://www.jabra.com/manual.pdf' },
        { url: 'https://www.jabra.com/' },
        { url: 'javascript:alert(1)' },
      ],
      description: 'See https://www.jabra.com/evolve2, or call.',
    }
    const { notes, clock } = rig([other, record])
    const link = (kind: string, label: string, url: string) => ({
      kind,
      label,
      url,
      host: 'www.jabra.com',
      offered: true,
    })
    expect(await notes.get(id)).toEqual({
      record: {
        title: 'Jabra Evolve2 65 Mono',
        links: [
          link('support', 'Support page', page),
          link('release-notes', 'Release notes', `${page}/firmware`),
          link('release-notes', 'What’s new in 2.9.2', 'https://www.jabra.com/release-notes/2.9.2'),
          link('support', 'User manual', 'https://www.jabra.com/manual.pdf'),
          link('other', 'www.jabra.com', 'https://www.jabra.com/'),
          link('other', 'Description', 'https://www.jabra.com/evolve2'),
        ],
        images: ['https://images.ctfassets.net/space/evolve.png'],
        raw: record,
      },
      notes: [],
      withoutText: [],
      other: [],
      observedAt: clock.now(),
      fromCache: false,
    })
  })

  it('is the whole record, not the link inside it with the same name', async () => {
    const document = [
      other,
      {
        name: 'Evolve2 65 Mono',
        url: page,
        links: [{ title: 'Evolve2 65 Mono', url: 'https://www.jabra.com/more' }],
      },
    ]
    expect(await linksOf(document)).toEqual([page, 'https://www.jabra.com/more'])
  })

  it('is titled by the catalogue when the record has no name', async () => {
    expect((await rig([{ productId: 9395, url: page }]).notes.get(id)).record?.title).toBe(
      'Jabra Evolve2 65 Mono',
    )
  })
})

describe('failures', () => {
  it('report unpublished product content', async () => {
    expect(await failureOf(rig(null).notes.get(id))).toMatchObject({
      kind: 'not-found',
      what: 'product content',
    })
  })

  it('of the catalogue still find a record by product id', async () => {
    const { notes, service } = rig([{ productId: 9395, url: page }])
    service.documents.delete('/product-group-bundles/bundles')
    expect((await notes.get(id)).record?.title).toBe('2830/9395')
  })

  it('without a network use prefetched content, with its age', async () => {
    const { notes, service, clock } = rig([{ productId: 9395, url: page }])
    const observedAt = clock.now()
    expect(await notes.warm({})).toBe(true)
    service.offline = true
    await clock.advance(3 * 24 * 3_600_000)
    expect(await notes.get(id, { refresh: true })).toMatchObject({
      record: { links: [{ url: page }] },
      observedAt,
      fromCache: true,
    })
  })

  it('of the network while prefetching are not reported', async () => {
    const { notes, service } = rig(null)
    service.offline = true
    expect(await notes.warm({})).toBe(false)
  })

  it('never come from parsing any document, and every link is https', () => {
    const wanted = {
      ...id,
      entityIds: new Set<string>(),
      names: new Set(['evolve2 65 mono']),
      groupNames: new Set([plainName('Jabra Evolve2 65')]),
    }
    const key = fc.constantFrom(
      'name',
      'productId',
      'url',
      'image',
      'links',
      'title',
      'id',
      '__proto__',
      'variants',
    )
    const value = fc.constantFrom<Json>(
      9395,
      'Evolve2 65 Mono',
      page,
      'https://',
      'http://x.example',
      'a https://[ b',
      'https://a.example/x.png',
      null,
      true,
    )
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        value,
        fc.string(),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(key, tie('json'), { maxKeys: 5 }),
      ),
    }))
    const numRuns = cases(2_000)
    let found = 0
    fc.assert(
      fc.property(json, (anything) => {
        const record = recordOf(anything, 'https://metadata.example.com/content/v/18/products.json', wanted)
        if (record !== null) found++
        const offered = (record?.links ?? []).filter((link) => link.offered).map((link) => link.url)
        expect([...offered, ...(record?.images ?? [])].filter((url) => !url.startsWith('https://'))).toEqual(
          [],
        )
      }),
      { numRuns },
    )
    expect(found).toBeGreaterThan(numRuns / 100)
  })
})
