import { expect, test } from 'vitest'
import type { ReleaseNote } from '../../../electron/contract/api/release-notes.ts'
import { paperStyle } from '../../../electron/contract/paper.ts'
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

test('every page is in the style of the sheets that the window prints', () => {
  expect(roomSheet({ name: 'A', location: null, devices: [] }, 'Nordlys')).toContain(paperStyle)
})

test('the sheet of a room says the status of its devices and when they were last seen', () => {
  const device = { product: 'Bar', serial: 'S-1', version: '6.5.0', files: [], people: null }
  const page = roomSheet(
    {
      name: 'A',
      location: null,
      devices: [
        { ...device, status: 'offline', lastSeenAt: Date.UTC(2026, 10, 28, 7, 15) },
        { ...device, status: 'unknown', lastSeenAt: null },
      ],
    },
    'Nordlys',
  )
  expect([...page.matchAll(/<td>\s*((?:offline|unknown)[^]*?)\s*<\/td>/g)].map(([, text]) => text)).toEqual([
    // A line of paper never ends within the moment.
    'offline, last seen <span class="short">2026-11-28 07:15 UTC</span>',
    'unknown',
  ])
  expect(page).toContain('<strong>No device of this room</strong> needs a file of this kit.')
})

test('the sheet of a room asks to tick only devices for which the kit has another version, and counts them', () => {
  const device = { product: 'Bar', serial: 'S-1', status: 'online', lastSeenAt: null, people: null }
  const newer = { ...file, version: '6.5.0' }
  const page = roomSheet(
    {
      name: 'A',
      location: null,
      devices: [
        { ...device, version: '6.4.2', files: [newer] },
        { ...device, version: '6.5.0', files: [newer] },
        { ...device, version: null, files: [] },
      ],
    },
    'Nordlys',
  )
  const rows = page.split('<tr>').slice(2)
  expect([
    rows.map((row) => [row.includes('class="tick"'), row.includes('class="blank"')]),
    page
      .replaceAll(/\s+/g, ' ')
      .match(/<strong *>(.*?)<\/strong *> (.*?) </)
      ?.slice(1),
  ]).toEqual([
    [
      [true, true],
      [false, false],
      [false, false],
    ],
    ['1 of 3 devices', 'to update from this kit.'],
  ])
})

test('a page links to its files by working addresses', () => {
  const pages = [
    indexPage({
      organization: 'Nordlys',
      madeAt: 0,
      firmware: [file],
      sheets: [],
      missing: [],
      products: [{ name: 'A', path: 'products/Æ?.html' }],
    }),
    productSheet({ product, files: [file], recoveryFiles: [], notes: [], recovery: [] }, 'Nordlys'),
  ]
  expect(pages.flatMap((page) => [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href))).toEqual([
    'firmware/A%20%231%20100%25.zip',
    'products/%C3%86%3F.html',
    '../firmware/A%20%231%20100%25.zip',
    '../index.html',
  ])
})

test('the page of a product has sizes that can be read, and does not repeat its name in each row', () => {
  const page = productSheet(
    { product, files: [{ ...file, bytes: 11_571_702 }], recoveryFiles: [], notes: [], recovery: [] },
    'Nordlys',
  )
  expect([
    [...page.matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, head]) => head),
    /<td class="number short">(.*?)<\/td>/.exec(page)?.[1],
  ]).toEqual([['File', 'Version', 'Size', 'From', 'SHA-256'], '11.6 MB'])
})

test('a page contains no element, address or script from service data, and has its policy', () => {
  const device = {
    product: hostile,
    serial: hostile,
    version: hostile,
    status: hostile,
    lastSeenAt: 0,
    files: [file],
    people: [hostile],
  }
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
      madeAt: 0,
      firmware: [file],
      products: [{ name: hostile, path: hostile }],
      sheets: [{ name: hostile, location: hostile, devices: [device], path: hostile }],
      missing: [{ what: hostile, reason: hostile }],
    }),
    roomSheet({ name: hostile, location: hostile, devices: [device] }, hostile),
    productSheet({ product, files: [file], recoveryFiles: [], notes: [note], recovery: [] }, hostile),
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

test('the first page says what to do with which file, and leaves lines for what was seen', () => {
  const bar = {
    ...file,
    path: 'firmware/Bar.zip',
    version: '6.5.0',
    bytes: 1_900_000_000,
    sha256: 'a'.repeat(64),
  }
  const tablet = { ...file, path: 'firmware/Tablet.zip', version: '3.1.4', bytes: 412_600_000 }
  const device = (serial: string, version: string, own: KitFile) => ({
    product: 'Product',
    serial,
    version,
    status: 'offline',
    lastSeenAt: null,
    files: [own],
    people: null,
  })
  const page = indexPage({
    organization: 'Nordlys',
    madeAt: Date.UTC(2026, 10, 28, 9, 10),
    firmware: [bar, tablet],
    products: [],
    sheets: [
      {
        name: 'Aarhus 1.02',
        location: null,
        path: 'rooms/Aarhus.html',
        devices: [device('S-1', '6.4.0', bar), device('S-2', '3.1.4', tablet)],
      },
    ],
    missing: [],
  })
  // No line between the devices of a room.
  expect([...page.matchAll(/<tr class="(joined)?">/g)].map(([, joined]) => joined)).toEqual([
    'joined',
    undefined,
  ])
  const text = page
    .replaceAll(/<style>[^]*<\/style>/g, '')
    .replaceAll(/<span class="tick"><\/span>/g, '[ ]')
    .replaceAll(/<td class="blank"><\/td>/g, '____')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  expect(text.slice(text.indexOf('Nordlys')).trim()).toBe(
    [
      'Nordlys Site kit',
      'Site kit for 1 room 2 firmware files for 1 device, 2.31 GB.',
      'Release notes, recovery steps and a sheet for each room are in the folder too. Everything opens without a network.',
      'Order of work steps published for a product come first Verify the folder before you leave, and again on site. Connect a device by cable, open the vendor’s updater and choose the file with its letter. Leave cable and power in until it has restarted. Update one device of each product first. Go on when it shows the new version. Write down the version that each device shows, and tick it. Back on the network, sync. Changes lists what has a new version.',
      'Is the folder whole? headroom kit verify FOLDER , or without Headroom sha256sum -c manifest.sha256 in the folder. Both find damage. They do not say who made the kit: whoever changes a file can change its sum. Compare the sums with this paper.',
      'Files File Version Devices Size SHA-256, first and last 8 Compared A Bar.zip 6.5.0 1 1.90 GB aaaaaaaa … aaaaaaaa [ ]',
      'B Tablet.zip 3.1.4 0 412.6 MB ab [ ]',
      'Rooms versions as last read Room Device Serial number Now Then File Shows now [ ] Aarhus 1.02 Product S-1 6.4.0 6.5.0 A ____',
      'Product S-2 3.1.4',
      'Verified before leaving, when Verified on site, when Done by, date and signature Headroom Made 2026-11-28 09:10 UTC',
    ].join(' '),
  )
})

test('the files after the 26th are AA and AB', () => {
  const firmware = Array.from({ length: 28 }, (_, at) => ({ ...file, path: `firmware/${at}.zip` }))
  const page = indexPage({
    organization: 'Nordlys',
    madeAt: 0,
    firmware,
    products: [],
    sheets: [],
    missing: [],
  })
  const letters = [...page.matchAll(/<td class="letter">([A-Z]+)<\/td>/g)].map(([, letter]) => letter)
  expect(letters.slice(24)).toEqual(['Y', 'Z', 'AA', 'AB'])
})

test('the index says the newer version that a device gets, and none for one that runs a newer version', () => {
  const [same, other] = [
    { ...file, path: 'firmware/a.zip', version: '6.5.0' },
    { ...file, path: 'firmware/b.zip', version: '6.10.0' },
  ]
  const about = { product: 'Bar', serial: 'S-1', status: 'online', lastSeenAt: null, people: null }
  const page = indexPage({
    organization: 'Nordlys',
    madeAt: 0,
    firmware: [same, other],
    products: [],
    sheets: [
      {
        name: 'A',
        location: null,
        path: 'rooms/A.html',
        devices: [
          { ...about, version: '6.5.0', files: [same, other] },
          { ...about, version: '6.11.0', files: [same, other] },
        ],
      },
    ],
    missing: [],
  })
  expect([...page.matchAll(/<td class="short to">([^<]*)</g)].map(([, version]) => version)).toEqual([
    '6.10.0',
    '',
  ])
})

test('the code of a room stays small enough for a telephone, however many devices it has', () => {
  const device = {
    product: 'Bar',
    version: null,
    status: 'online',
    lastSeenAt: null,
    files: [],
    people: null,
  }
  const modules = (count: number): number => {
    const devices = Array.from({ length: count }, (_, at) => ({ ...device, serial: `SERIAL-${1_000 + at}` }))
    const page = roomSheet({ name: 'A', location: null, devices }, 'Nordlys')
    return Number(/viewBox="0 0 (\d+)/.exec(page)?.[1])
  }
  expect([modules(1), modules(18), modules(100)]).toEqual([33, 77, 77])
})
