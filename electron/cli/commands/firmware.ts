import type { CeilingReason, DefinitionInUse } from '../../contract/api/definitions.ts'
import type {
  FirmwareLink,
  FirmwareRelease,
  NoLatest,
  Product,
  ProductPage,
  ReleaseQuery,
  UnreadRecords,
} from '../../contract/api/firmware.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import type { ParsedCommand } from '../grammar.ts'
import { includedStages, stageOptions } from '../stages.ts'
import { moment, table } from '../table.ts'

const hexadecimal = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(4, '0')}`

export const firmwareCommands: readonly Command[] = [
  {
    name: 'products',
    operands: ['[WORDS…]'],
    options: { owned: { type: 'boolean', help: 'only products of which this organization has devices' } },
    summary: 'searches the device catalogue by name, product id or variant',
    run: async (core, given, terminal) => {
      const rows: Product[] = []
      let page: ProductPage
      do {
        page = await core.handlers.firmware.products({
          text: given.operands.join(' '),
          owned: flag(given, 'owned'),
          start: rows.length,
          count: 500,
        })
        rows.push(...page.rows)
      } while (page.rows.length > 0 && rows.length < page.total)
      const { total, unreadable, observedAt, fromCache } = page
      sayUnread(terminal, unreadable, 'of the device catalogue')
      show(given, terminal, { total, products: rows, unreadable, observedAt, fromCache }, () =>
        table(
          ['Product', 'Name', 'Id', 'Latest', 'Devices', 'Variants'],
          rows.map((one) => [
            `${one.vendorId}/${one.productId}`,
            one.name,
            hexadecimal(one.productId),
            one.latestVersion,
            one.deviceCount,
            one.variants.map((variant) => variant.variantType).join(' '),
          ]),
        ),
      )
      return 0
    },
  },
  {
    name: 'releases',
    operands: ['PRODUCT'],
    options: stageOptions,
    summary: 'firmware releases of a product, newest first',
    run: async (core, given, terminal) => {
      const product = await (await core.sessions.current()).firmware.find(given.operands[0] ?? '')
      const list = await core.handlers.firmware.releases({
        vendorId: product.vendorId,
        productId: product.productId,
        ...stagesOf(given),
      })
      sayUnread(terminal, list.unreadable, `among the releases of ${list.product.name}`)
      show(given, terminal, list, () => [
        `${list.product.name} (${list.product.vendorId}/${list.product.productId}), as of ${moment(list.observedAt) ?? ''}`,
        ...table(
          ['Version', '', 'Stage', 'Released', 'File', 'Bytes', 'MD5'],
          list.releases.map((one) => [
            one.version,
            one.revoked ? 'revoked' : one.latest ? 'latest' : '',
            stageWord(one),
            moment(one.releasedAt),
            one.fileName,
            one.fileSize,
            one.md5,
          ]),
        ),
        ...(list.noLatest === null ? [] : [noLatest[list.noLatest]]),
      ])
      return 0
    },
  },
  {
    name: 'firmware link',
    operands: ['PRODUCT', 'VERSION'],
    options: {
      'build-type': {
        type: 'string',
        help: 'build type (the words are not published; default: the first of the organization’s list)',
      },
      refresh: { type: 'boolean', help: 'ask the service again even when the link is known' },
      ...stageOptions,
    },
    summary: 'the download link of a firmware release; VERSION may be latest',
    run: async (core, given, terminal) => {
      const product = await (await core.sessions.current()).firmware.find(given.operands[0] ?? '')
      const link = await core.handlers.firmware.link({
        vendorId: product.vendorId,
        productId: product.productId,
        version: given.operands[1] ?? '',
        buildType: text(given, 'build-type'),
        refresh: flag(given, 'refresh'),
        ...stagesOf(given),
      })
      return showLink(link, flag(given, 'json'), terminal)
    },
  },
  {
    name: 'definitions latest',
    operands: [],
    options: { refresh: { type: 'boolean', help: 'ask the service again' } },
    summary: 'which definition version is in use, and why',
    run: async (core, given, terminal) => {
      const found = await core.handlers.definitions.inUse({ refresh: flag(given, 'refresh') })
      show(given, terminal, found, () => [
        `Definition version in use: ${found.inUse} (${found.stage ?? 'stage not stated'}, schema ${found.schemaInUse}). ${because[found.reason](found)}. As of ${moment(found.observedAt) ?? ''}.`,
        ...(found.schemasListed
          ? []
          : [
              `The service publishes no list of schema versions; the installed definitions package’s own, ${found.schemaVersion}, was asked for.`,
            ]),
        ...(found.schemasListed ? found.passedOver : []).map(
          (schema) => `Schema ${schema} is greater, and its latest definition version is not published.`,
        ),
        ...(found.statedSchemaVersion === null || found.statedSchemaVersion === found.schemaVersion
          ? []
          : [
              `Asked for schema ${found.schemaVersion}, the service answered for schema ${found.statedSchemaVersion}.`,
            ]),
      ])
      return 0
    },
  },
  {
    name: 'notes',
    operands: ['PRODUCT'],
    options: {},
    summary: 'where the release notes of a product are',
    run: async (core, given, terminal) => {
      const product = await (await core.sessions.current()).firmware.find(given.operands[0] ?? '')
      const notes = await core.handlers.releaseNotes.get({
        vendorId: product.vendorId,
        productId: product.productId,
      })
      show(given, terminal, notes, () =>
        notes.record === null
          ? `Not published: the product content names no ${product.name}.`
          : [
              notes.record.title,
              ...notes.record.links.map(
                ({ kind, url, label, offered }) =>
                  `${kind.padEnd(14)} ${url}  ${label}${offered ? '' : ' (not https: not to be opened)'}`,
              ),
              ...(notes.record.links.length === 0 ? ['The content record holds no links.'] : []),
            ],
      )
      return 0
    },
  },
]

const noLatest: Readonly<Record<NoLatest, string>> = {
  'not-published': 'No releases are published for it.',
  'all-revoked': 'All of them were revoked: there is no latest.',
  'no-public-release': 'None of them is public: there is no latest.',
  'no-readable-version': 'No version that can be compared is among them: there is no latest.',
}

const because: Readonly<Record<CeilingReason, (found: DefinitionInUse) => string>> = {
  'latest-within-ceiling': (found) =>
    `It is the latest of schema ${found.schemaVersion}, within the ceiling ${found.ceiling}`,
  'held-at-package': (found) =>
    `Latest ${found.latest ?? ''} (schema ${found.schemaVersion}), held at the installed definitions package’s ${found.ceiling}`,
  'held-at-profile': (found) =>
    `Latest ${found.latest ?? ''} (schema ${found.schemaVersion}), held at this organization’s own ceiling ${found.ceiling}`,
  'latest-not-published': (found) =>
    `No latest definition version is published; the ceiling ${found.ceiling} counts`,
}

const stagesOf = (given: ParsedCommand): Pick<ReleaseQuery, 'includeStages'> => {
  const stages = includedStages(given)
  return stages === null ? {} : { includeStages: stages }
}

const stageWord = ({ stage, stageStated }: FirmwareRelease): string =>
  stageStated ? (stage ?? '') : [stage, 'not stated'].filter(Boolean).join(', ')

/** What cannot be read is counted where people read, and listed in the document. */
function sayUnread(terminal: Terminal, { count }: UnreadRecords, where: string): void {
  if (count > 0)
    terminal.say(
      `${count} ${count === 1 ? 'record' : 'records'} ${where} cannot be read; --json shows ${count === 1 ? 'it' : 'them'} as received.`,
    )
}

/** The address alone, so that it can be handed on. A record without one that may be offered is shown as received, and is half an answer. */
function showLink(link: FirmwareLink, asJson: boolean, terminal: Terminal): ExitCode {
  const { version, buildType, url, host, refused, expiresAt, bytes, md5, raw, observedAt, fromCache } = link
  if (asJson)
    terminal.print(
      JSON.stringify({
        url,
        host,
        version,
        buildType,
        refused,
        expiresAt,
        bytes,
        md5,
        raw,
        observedAt,
        fromCache,
      }),
    )
  else if (url !== null) terminal.print(url)
  const facts = [
    expiresAt === null ? null : `${expiresAt <= Date.now() ? 'ended' : 'ends'} ${moment(expiresAt) ?? ''}`,
    bytes === null ? null : `${bytes} bytes`,
    md5 === null ? null : `MD5 ${md5}`,
  ].filter((fact) => fact !== null)
  if (!asJson && facts.length > 0) terminal.say(`${version}, ${buildType}: ${facts.join(', ')}`)
  if (url !== null) return 0
  terminal.say(
    refused === null
      ? 'The record holds no address of a file.'
      : `The record holds ${refused}, which is not offered: only https is, and http to this computer.`,
  )
  if (!asJson) terminal.say(JSON.stringify(raw))
  return 4
}
