import { encode } from 'uqr'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { KitPart } from '../../contract/api/kits.ts'
import type { RecoveryFacts } from '../../contract/api/metadata.ts'
import type { NoteBlock, NoteSpan, ReleaseNote } from '../../contract/api/release-notes.ts'
import { canRecover, recoverySteps, usbId, type RecoveryStep } from '../../contract/recovery-steps.ts'
import { html, type Html } from './kit-html.ts'
import { sumsName, type KitFile } from './kit-manifest.ts'

/** A device as a sheet names it. */
export interface SheetDevice {
  readonly product: string | null
  readonly serial: string | null
  readonly version: string | null
  /** Firmware of the kit for it. */
  readonly files: readonly KitFile[]
  /** Names and addresses; null: not requested. */
  readonly people: readonly (string | null)[] | null
}

export interface Sheet {
  readonly name: string
  readonly location: string | null
  readonly devices: readonly SheetDevice[]
}

export interface ProductSheet {
  readonly product: ProductId & { readonly name: string }
  readonly files: readonly KitFile[]
  /** The firmware that restores it from recovery mode, if that is another version. */
  readonly recoveryFiles: readonly KitFile[]
  readonly notes: readonly ReleaseNote[]
  readonly recovery: readonly RecoveryFacts[]
}

export interface KitIndex {
  readonly organization: string
  /** ISO 8601. */
  readonly madeAt: string
  readonly firmware: readonly KitFile[]
  readonly products: readonly PageLink[]
  readonly rooms: readonly PageLink[]
  readonly missing: readonly KitPart[]
}

export interface PageLink {
  readonly name: string
  readonly path: string
}

/** Heads of the columns of `people`. */
export const peopleHeads = ['Name', 'User', 'IP address', 'MAC address'] as const

/**
 * Its policy allows no requests and no scripts, whatever a name contains.
 */
const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"
        />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              15px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
            overflow-wrap: anywhere;
          }
          table {
            width: 100%;
            border-collapse: collapse;
          }
          th,
          td {
            padding: 0.3rem 0.8rem 0.3rem 0;
            border-bottom: 1px solid #8888;
            text-align: start;
            vertical-align: top;
            unicode-bidi: isolate;
          }
          th {
            white-space: nowrap;
          }
          code {
            font:
              12px/1.4 ui-monospace,
              monospace;
          }
          pre {
            white-space: pre-wrap;
          }
          svg {
            width: 11rem;
            background: #fff;
            fill: #000;
          }
          @media print {
            body {
              max-width: none;
              margin: 0;
            }
            tr,
            li {
              break-inside: avoid;
            }
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html> `.text

/** From a page to a file; `above` is the relative path to the kit's folder. */
const linkTo = (above: string, path: string, words: string): Html =>
  html`<a href="${above}${path.split('/').map(encodeURIComponent).join('/')}">${words}</a>`

const nameOf = (path: string): string => path.split('/').at(-1) ?? path

const table = (heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table>
    <thead>
      <tr>
        ${heads.map((head) => html`<th>${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`

const cell = (value: string | Html | readonly Html[] | null): Html => html`<td>${value ?? '–'}</td>`

const firmwareTable = (above: string, files: readonly KitFile[]): Html =>
  table(
    ['Product', 'Version', 'File', 'Bytes', 'From', 'SHA-256'],
    files.map(
      ({ product, version, path, bytes, host, sha256, recovery }) =>
        html`<tr>
          ${cell(product?.name ?? null)}${cell(recovery ? `${version ?? ''} (recovery)` : version)}${cell(linkTo(above, path, nameOf(path)))}${cell(String(bytes))}${cell(host)}
          <td><code>${sha256}</code></td>
        </tr>`,
    ),
  )

export function indexPage({ organization, madeAt, firmware, products, rooms, missing }: KitIndex): string {
  const listOf = (title: string, links: readonly PageLink[]): Html | null =>
    links.length === 0
      ? null
      : html`<h2>${title}</h2>
          <ul>
            ${links.map(({ name, path }) => html`<li>${linkTo('', path, name)}</li>`)}
          </ul>`
  return page(
    `Site kit of ${organization}`,
    html`<p>Created ${madeAt}. Everything here opens without a network.</p>
      ${
        missing.length === 0
          ? null
          : html`<h2>Not in this kit</h2>
              <ul>
                ${missing.map(({ what, reason }) => html`<li><strong>${what}</strong>: ${reason}</li>`)}
              </ul>`
      }
      ${listOf('Rooms', rooms)} ${listOf('Products: release notes and recovery', products)}
      <h2>Firmware</h2>
      ${firmware.length === 0 ? html`<p>This kit contains none.</p>` : firmwareTable('', firmware)}
      <h2>Is it whole?</h2>
      <p>
        <code>headroom kit verify FOLDER</code>, or <code>sha256sum -c ${sumsName}</code> in this folder, says
        whether a file was damaged or changed since. It does not say who made the kit: whoever changes a file
        can change its sum.
      </p>`,
  )
}

export const roomSheet = ({ name, location, devices }: Sheet): string =>
  page(
    name,
    html`${location === null ? null : html`<p>${location}</p>`}
      ${table(
        [
          'Product',
          'Serial number',
          'Firmware now',
          'Firmware in this kit',
          ...(devices.some(({ people }) => people !== null) ? peopleHeads : []),
        ],
        devices.map(
          ({ product, serial, version, files, people }) =>
            html`<tr>
              ${cell(product)}${cell(serial)}${cell(version)}
              ${cell(files.length === 0 ? null : files.map((file) => html`${linkTo('../', file.path, file.version ?? '')} `))}
              ${(people ?? []).map(cell)}
            </tr>`,
        ),
      )}
      <p>${qrCode(codeText(name, devices))}</p>
      <p>The code holds the room and its devices as text.</p>
      <p>${linkTo('../', 'index.html', 'Everything in this kit')}</p>`,
  )

/**
 * Characters of a QR code that a telephone reads from paper reliably: about 60 modules a side. Lower it if
 * scans fail.
 */
const codeLettersAtMost = 300

/** The text of a QR code: the room and as many serial numbers as fit. */
function codeText(name: string, devices: readonly SheetDevice[]): string {
  // A telephone runs a text that begins as an address or a command: the name alone may be one.
  const lines = [`Room: ${[...name].slice(0, 100).join('')}`.toWellFormed()]
  for (const { product, serial } of devices) {
    const line = [product, serial]
      .filter((part) => part !== null)
      .join(' ')
      .toWellFormed()
    if ([...lines, line].join('\n').length > codeLettersAtMost) break
    if (line !== '') lines.push(line)
  }
  return lines.join('\n')
}

function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return html`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code"><path d="${path}" /></svg>`
}

export const productSheet = ({ product, files, recoveryFiles, notes, recovery }: ProductSheet): string =>
  page(
    product.name,
    html`<p>USB id ${usbId(product.vendorId)} / ${usbId(product.productId)}</p>
      <h2>Firmware</h2>
      ${files.length === 0 ? html`<p>This kit contains none for it.</p>` : firmwareTable('../', files)}
      <h2>Recovery</h2>
      ${recovery.length === 0 ? html`<p>No recovery firmware is published for it.</p>` : recovery.map((one) => recoveryPart(one, product.name, [...files, ...recoveryFiles]))}
      <h2>Release notes</h2>
      ${notes.length === 0 ? html`<p>No text is published.</p>` : notes.map(notePart)}
      <p>${linkTo('../', 'index.html', 'Everything in this kit')}</p>`,
  )

function recoveryPart(found: RecoveryFacts, name: string, files: readonly KitFile[]): Html {
  const file = files.find(({ version }) => version !== null && version === found.firmware?.version)
  // A link is useless without a network: the kit offers only its own files.
  const inKit: RecoveryFacts = file === undefined ? { ...found, link: null } : found
  return html` <h3>When it reports ${usbId(found.vendorId)} / ${usbId(found.dfuProductId)}</h3>
    ${
      canRecover(found)
        ? html`<ol>
              ${recoverySteps(inKit, name).map((one) => html`<li>${stepTexts[one.step](one.values)}</li>`)}
            </ol>
            ${file === undefined ? null : html`<p>Firmware for recovery: ${linkTo('../', file.path, nameOf(file.path))}</p>`}
            <p>
              These steps are general: none are published with the firmware. Where the vendor has its own for
              the product, those come first.
            </p>`
        : html`<p>No recovery firmware is published for this id.</p>`
    }
    ${
      found.configurations.length === 0
        ? null
        : html`<details>
            <summary>Updater configurations, as published</summary>
            <pre>${JSON.stringify(found.configurations, null, 2)}</pre>
          </details>`
    }`
}

type StepText = (values: RecoveryStep['values']) => string

/** The window refers to "the link above"; a kit contains the file, or omits the sentence. */
const stepTexts: Readonly<Record<RecoveryStep['step'], StepText>> = {
  connect: ({ id = '' }) =>
    `Connect the device by cable directly to the computer. The system must show the ID ${id}.`,
  download: () => 'Use the firmware file of this kit.',
  downloadFile: ({ file = '' }) => `Use the firmware file of this kit. The vendor’s name for it is ${file}.`,
  noLink: () => 'This kit does not contain the firmware. Get it from the vendor.',
  compare: ({ md5 = '' }) => `Compare the file’s MD5 with ${md5}.`,
  update: () => 'Open the vendor’s updater, choose to update from a file and start it.',
  updateTo: ({ version = '' }) =>
    `Open the vendor’s updater, choose to update from a file and install ${version}.`,
  wait: () =>
    'Do not disconnect the cable or power until the updater is finished. The device restarts automatically.',
  check: ({ id = '', name = '' }) => `Check that the system now shows ${id}, ${name}.`,
  checkOne: ({ id = '', name = '' }) => `Check that the system now shows one of ${id}: ${name}.`,
  checkAny: ({ id = '' }) => `Check that the system no longer shows ${id}.`,
}

const notePart = ({ version, revoked, blocks, cut }: ReleaseNote): Html =>
  html` <h3>${version === null ? 'All versions' : version}${revoked ? ' (revoked)' : ''}</h3>
    ${blocks.map(blockPart)}${cut ? html`<p>(shortened)</p>` : null}`

/** All as plain text, even links: a kit contains no links to the network. */
function blockPart(block: NoteBlock): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h4>${block.content.map(spanPart)}</h4>`
    case 'paragraph':
      return html`<p>${block.content.map(spanPart)}</p>`
    case 'code':
      return html`<pre>${block.text}</pre>`
    case 'list': {
      const items = block.items.map((item) => html`<li>${item.map(blockPart)}</li>`)
      return block.ordered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`
    }
    case 'table':
      return html`<table>
        ${block.rows.map(
          ({ head, cells }) =>
            html`<tr>
              ${cells.map((spans) => (head ? html`<th>${spans.map(spanPart)}</th>` : html`<td>${spans.map(spanPart)}</td>`))}
            </tr>`,
        )}
      </table>`
  }
}

function spanPart(span: NoteSpan): Html {
  switch (span.kind) {
    case 'text':
      return html`${span.text}`
    case 'code':
      return html`<code>${span.text}</code>`
    case 'strong':
      return html`<strong>${span.content.map(spanPart)}</strong>`
    case 'emphasis':
      return html`<em>${span.content.map(spanPart)}</em>`
    case 'link':
      return html`${span.content.map(spanPart)} (${span.url})`
  }
}
