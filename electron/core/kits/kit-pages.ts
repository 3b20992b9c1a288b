import { encode } from 'uqr'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { KitPart } from '../../contract/api/kits.ts'
import type { RecoveryFacts } from '../../contract/api/metadata.ts'
import type { NoteBlock, NoteSpan, ReleaseNote } from '../../contract/api/release-notes.ts'
import { paperStyle } from '../../contract/paper.ts'
import { canRecover, recoverySteps, usbId, type RecoveryStep } from '../../contract/recovery-steps.ts'
import { compareVersions } from '../lists/version-order.ts'
import { html, Html } from './kit-html.ts'
import { sumsName, type KitFile } from './kit-manifest.ts'

/** A device as a sheet names it. */
export interface SheetDevice {
  readonly product: string | null
  readonly serial: string | null
  readonly version: string | null
  readonly status: string
  readonly lastSeenAt: number | null
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
  readonly madeAt: number
  readonly firmware: readonly KitFile[]
  readonly products: readonly PageLink[]
  /** Rooms, each with the path of its sheet. */
  readonly sheets: readonly (Sheet & { readonly path: string })[]
  readonly missing: readonly KitPart[]
}

export interface PageLink {
  readonly name: string
  readonly path: string
}

/** Heads of the columns of `people`. */
const peopleHeads = ['Name', 'User', 'IP address', 'MAC address'] as const

/**
 * Its policy allows no requests and no scripts, whatever a name contains.
 */
const page = (title: string, of: string, body: Html): string =>
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
          ${new Html(paperStyle)}
          @media screen {
            body {
              max-width: 60rem;
              margin: 2rem auto;
              padding: 0 1.5rem;
            }
          }
          @media print {
            body {
              margin: 0;
            }
          }
        </style>
      </head>
      <body class="paper">
        <p class="top"><span>${of}</span><span class="kind">Site kit</span></p>
        <h1>${title}</h1>
        ${body}
      </body>
    </html> `.text

/** From a page to a file; `above` is the relative path to the kit's folder. */
const linkTo = (above: string, path: string, words: string): Html =>
  html`<a href="${above}${path.split('/').map(encodeURIComponent).join('/')}">${words}</a>`

const nameOf = (path: string): string => path.split('/').at(-1) ?? path

const headsOfNumbers = new Set(['Devices', 'Size'])

/** A head of `''` is a column of boxes to tick. */
const table = (heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col" class="${headsOfNumbers.has(head) ? 'number' : ''}">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`

const short = (value: string | null): Html => html`<td class="short">${value ?? '–'}</td>`
const cell = (value: string | Html | readonly Html[] | null): Html => html`<td>${value ?? '–'}</td>`

const firmwareTable = (above: string, files: readonly KitFile[]): Html =>
  table(
    ['File', 'Version', 'Size', 'From', 'SHA-256'],
    files.map(
      ({ version, path, bytes, host, sha256, recovery }) =>
        html`<tr>
          ${cell(linkTo(above, path, nameOf(path)))}${short(recovery ? `${version ?? ''} (recovery)` : version)}
          <td class="number short">${sizeText(bytes)}</td>
          ${cell(host)}
          <td><code>${sha256}</code></td>
        </tr>`,
    ),
  )

/** `2026-11-28 09:10 UTC`: a kit is read in any time zone. */
const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** `1.90 GB`, `834.2 MB`, `3.2 KB`. */
function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} KB`
}
/** `A` to `Z`, then `AA`: what a sheet calls a file. */
const letterOf = (at: number): string =>
  (at < 26 ? '' : letterOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
const shortened = (sha256: string): string =>
  sha256.length > 20 ? `${sha256.slice(0, 8)} … ${sha256.slice(-8)}` : sha256
/** The file that a device needs; undefined: none, or it runs that version or a newer one. */
const fileFor = ({ files, version }: SheetDevice): KitFile | undefined =>
  files.find((file) => version === null || compareVersions(version, file.version) < 0)
const tick = html`<span class="tick"></span>`
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const bytesOf = (files: readonly KitFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

export function indexPage({ organization, madeAt, firmware, products, sheets, missing }: KitIndex): string {
  const letters = new Map(firmware.map(({ path }, at) => [path, letterOf(at)]))
  const waiting = sheets.flatMap((sheet) => sheet.devices).filter((one) => fileFor(one) !== undefined)
  return page(
    sheets.length === 0 ? 'Site kit' : `Site kit for ${counted(sheets.length, 'room')}`,
    organization,
    html`<p class="say">
        <strong
          >${counted(firmware.length, 'firmware file')} for ${counted(waiting.length, 'device')},
          ${sizeText(bytesOf(firmware))}.</strong
        >
        Release notes, recovery steps and a sheet for each room are in the folder too. Everything opens
        without a network.
      </p>
      ${
        missing.length === 0
          ? null
          : html`<h2>Not in this kit</h2>
              <ul>
                ${missing.map(({ what, reason }) => html`<li><strong>${what}</strong>: ${reason}</li>`)}
              </ul>`
      }
      <div class="beside">
        <div>
          <h2>Order of work <span class="quiet">steps published for a product come first</span></h2>
          <ol>
            <li>Verify the folder before you leave, and again on site.</li>
            <li>
              Connect a device by cable, open the vendor’s updater and choose the file with its letter. Leave
              cable and power in until it has restarted.
            </li>
            <li>Update one device of each product first. Go on when it shows the new version.</li>
            <li>Write down the version that each device shows, and tick it.</li>
            <li>Back on the network, sync. <strong>Changes</strong> lists what has a new version.</li>
          </ol>
        </div>
        <div>
          <h2>Is the folder whole?</h2>
          <p>
            <code>headroom kit verify FOLDER</code>, or without Headroom
            <code>sha256sum -c ${sumsName}</code> in the folder.
          </p>
          <p>
            Both find damage. They do not say who made the kit: whoever changes a file can change its sum.
            Compare the sums with this paper.
          </p>
        </div>
      </div>
      <h2>Files</h2>
      ${
        firmware.length === 0
          ? html`<p>This kit contains no firmware.</p>`
          : table(
              ['', 'File', 'Version', 'Devices', 'Size', 'SHA-256, first and last 8', 'Compared'],
              firmware.map(
                (file) =>
                  html`<tr>
                    <td class="letter">${letters.get(file.path) ?? null}</td>
                    ${cell(linkTo('', file.path, nameOf(file.path)))}${short(file.recovery ? `${file.version ?? ''} (recovery)` : file.version)}
                    <td class="number">${waiting.filter((one) => fileFor(one) === file).length}</td>
                    <td class="number short">${sizeText(file.bytes)}</td>
                    <td class="short"><code>${shortened(file.sha256)}</code></td>
                    ${cell(tick)}
                  </tr>`,
              ),
            )
      }
      ${
        sheets.length === 0
          ? null
          : html`<h2>Rooms <span class="quiet">versions as last read</span></h2>
              ${table(
                ['', 'Room', 'Device', 'Serial number', 'Now', 'Then', 'File', 'Shows now'],
                sheets.flatMap(({ name, path, devices: inRoom }) =>
                  inRoom.map((device, at) => {
                    const file = fileFor(device)
                    return html`<tr class="${at < inRoom.length - 1 ? 'joined' : ''}">
                      ${cell(file === undefined ? html`` : tick)}
                      ${cell(at > 0 ? html`` : linkTo('', path, name))}${cell(device.product)}${short(device.serial)}${short(device.version)}
                      <td class="short to">${file?.version ?? null}</td>
                      <td class="letter">${file === undefined ? null : (letters.get(file.path) ?? null)}</td>
                      <td class="${file === undefined ? '' : 'blank'}"></td>
                    </tr>`
                  }),
                ),
              )}`
      }
      ${
        products.length === 0
          ? null
          : html`<h2>Products: release notes and recovery</h2>
              <ul class="columns">
                ${products.map(({ name, path }) => html`<li>${linkTo('', path, name)}</li>`)}
              </ul>`
      }
      <p class="sign">
        <span>Verified before leaving, when</span><span>Verified on site, when</span
        ><span>Done by, date and signature</span>
      </p>
      <p class="foot"><b>Headroom</b><span>Made ${momentText(madeAt)}</span></p>`,
  )
}

export function roomSheet({ name, location, devices }: Sheet, organization: string): string {
  const waiting = devices.filter((one) => fileFor(one) !== undefined).length
  return page(
    name,
    organization,
    html`${location === null ? null : html`<p class="quiet">${location}</p>`}
      <p class="say">
        ${
          waiting === 0
            ? html`<strong>No device of this room</strong> needs a file of this kit.`
            : html`<strong>${waiting} of ${counted(devices.length, 'device')}</strong> to update from this
                kit.`
        }
      </p>
      ${table(
        [
          '',
          'Product',
          'Serial number',
          'Status when made',
          'Now',
          'In this kit',
          'Shows now',
          ...(devices.some(({ people }) => people !== null) ? peopleHeads : []),
        ],
        devices.map((device) => {
          const { product, serial, status, lastSeenAt, version, files, people } = device
          const isWaiting = fileFor(device) !== undefined
          return html`<tr>
            ${cell(isWaiting ? tick : html``)}${cell(product)}${short(serial)}
            <td>
              ${status}${lastSeenAt === null ? null : html`, last seen <span class="short">${momentText(lastSeenAt)}</span>`}
            </td>
            ${short(version)}
            <td class="short">
              ${files.length === 0 ? '–' : files.map((file) => html`${linkTo('../', file.path, file.version ?? '')} `)}
            </td>
            <td class="${isWaiting ? 'blank' : ''}"></td>
            ${(people ?? []).map(cell)}
          </tr>`
        }),
      )}
      <p>${qrCode(codeText(name, devices))}</p>
      <p class="quiet">The code holds the room and its devices as text.</p>
      <p class="sign"><span>Done, when</span><span>By</span><span>Signature</span></p>
      <p class="foot">
        <b>Headroom</b><span>${linkTo('../', 'index.html', 'Everything in this kit')}</span>
      </p>`,
  )
}

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
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code">
    <path d="${path}" />
  </svg>`
}

export const productSheet = (
  { product, files, recoveryFiles, notes, recovery }: ProductSheet,
  organization: string,
): string =>
  page(
    product.name,
    organization,
    html`<p>USB id ${usbId(product.vendorId)} / ${usbId(product.productId)}</p>
      <h2>Firmware</h2>
      ${files.length === 0 ? html`<p>This kit contains none for it.</p>` : firmwareTable('../', files)}
      <h2>Recovery</h2>
      ${recovery.length === 0 ? html`<p>No recovery firmware is published for it.</p>` : recovery.map((one) => recoveryPart(one, product.name, [...files, ...recoveryFiles]))}
      <h2>Release notes</h2>
      ${notes.length === 0 ? html`<p>No text is published.</p>` : notes.map(notePart)}
      <p class="foot">
        <b>Headroom</b><span>${linkTo('../', 'index.html', 'Everything in this kit')}</span>
      </p>`,
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
