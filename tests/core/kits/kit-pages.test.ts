import { expect, test } from 'vitest'
import type { ReleaseNote } from '../../../electron/contract/api/release-notes.ts'
import { html } from '../../../electron/core/kits/kit-html.ts'
import { indexPage, productSheet, roomSheet } from '../../../electron/core/kits/kit-pages.ts'
import type { KitFile } from '../../../electron/core/kits/kit-manifest.ts'

const hostile = `</title></style><script>planted=1</script><img src=x onerror='planted=1'>"&`
const product = { vendorId: 2830, productId: 9395, name: hostile }
const file: KitFile = {
  path: 'firmware/A #1 100%.zip',
  bytes: 7,
  sha256: 'ab',
  product,
  version: hostile,
  host: hostile,
}

test('text in a page is escaped, in elements and attributes; invisible characters are shown', () => {
  expect(html`<a title="${`"'<&>`}">${['a\u202Eb', null, 1, html`<b>${'<i>'}</b>`]}</a>`.text).toBe(
    '<a title="&quot;&#39;&lt;&amp;&gt;">a\u{FFFD}b1<b>&lt;i&gt;</b></a>',
  )
})

test('a page links to its files by working addresses', () => {
  const pages = [
    indexPage({
      organization: 'Nordlys',
      madeAt: '',
      firmware: [file],
      rooms: [],
      missing: [],
      products: [{ name: 'A', path: 'products/Æ?.html' }],
    }),
    productSheet({ product, files: [file], recoveryFiles: [], notes: [], recovery: [] }),
  ]
  expect(pages.flatMap((page) => [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href))).toEqual([
    'products/%C3%86%3F.html',
    'firmware/A%20%231%20100%25.zip',
    '../firmware/A%20%231%20100%25.zip',
    '../index.html',
  ])
})

test('a page contains no element, address or script from service data, and has its policy', () => {
  const device = { product: hostile, serial: hostile, version: hostile, files: [file], people: [hostile] }
  const note: ReleaseNote = {
    version: hostile,
    format: 'html',
    source: 'product-content',
    revoked: false,
    cut: false,
    text: '',
    blocks: [
      { kind: 'code', text: hostile },
      {
        kind: 'paragraph',
        content: [
          {
            kind: 'link',
            url: 'https://trap.example/x',
            host: 'trap.example',
            offered: true,
            content: [{ kind: 'text', text: hostile }],
          },
        ],
      },
    ],
  }
  const pages = [
    indexPage({
      organization: hostile,
      madeAt: hostile,
      firmware: [file],
      products: [{ name: hostile, path: hostile }],
      rooms: [],
      missing: [{ what: hostile, reason: hostile }],
    }),
    roomSheet({ name: hostile, location: hostile, devices: [device] }),
    productSheet({ product, files: [file], recoveryFiles: [], notes: [note], recovery: [] }),
  ]
  const elements = new Set(
    pages.flatMap((page) => [...page.matchAll(/<([a-z!][a-z0-9]*)/gi)].map(([, name]) => name)),
  )
  expect([...elements].filter((name) => /script|img|iframe|link|base|form|object/i.test(name ?? ''))).toEqual(
    [],
  )
  expect(pages.filter((page) => / (?:href|src)="(?:[a-z]+:|\/)/i.test(page))).toEqual([])
  expect(
    pages.every((page) =>
      page.includes(`content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"`),
    ),
  ).toBe(true)
})
