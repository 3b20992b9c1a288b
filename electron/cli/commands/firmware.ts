import type { CeilingReason, DefinitionInUse } from '../../contract/definition.ts'
import type { Product, ProductPage } from '../../contract/firmware.ts'
import { flag, show, text, type Command } from '../command.ts'
import { moment, table } from '../table.ts'

const hexadecimal = (id: number): string => `0x${id.toString(16).toUpperCase().padStart(4, '0')}`

export const firmwareCommands: readonly Command[] = [
  {
    name: 'products',
    operands: ['[WORDS…]'],
    options: { owned: { type: 'boolean', help: 'only products of which this organization has devices' } },
    summary: 'searches the device catalogue by name, product id or variant',
    run: async (console, given, terminal) => {
      const rows: Product[] = []
      let page: ProductPage
      do {
        page = await console.answers.firmware.products({ text: given.operands.join(' '), owned: flag(given, 'owned'), start: rows.length, count: 500 })
        rows.push(...page.rows)
      } while (page.rows.length > 0 && rows.length < page.total)
      show(given, terminal, { total: page.total, products: rows, observedAt: page.observedAt, fromCache: page.fromCache }, () =>
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
    options: {},
    summary: 'firmware releases of a product, newest first',
    run: async (console, given, terminal) => {
      const product = await (await console.desks.current()).firmware.find(given.operands[0] ?? '')
      const list = await console.answers.firmware.releases({ vendorId: product.vendorId, productId: product.productId })
      show(given, terminal, list, () => [
        `${list.product.name} (${list.product.vendorId}/${list.product.productId}), as of ${moment(list.observedAt) ?? ''}`,
        ...table(
          ['Version', '', 'Stage', 'Released', 'MD5'],
          list.releases.map((one) => [one.version, one.revoked ? 'revoked' : one.latest ? 'latest' : '', one.stage, moment(one.releasedAt), one.md5]),
        ),
      ])
      return 0
    },
  },
  {
    name: 'firmware link',
    operands: ['PRODUCT', 'VERSION'],
    options: {
      'build-type': { type: 'string', help: 'build type (assumed list: Release, …; default Release)' },
      refresh: { type: 'boolean', help: 'ask the service again even when the link is known' },
    },
    summary: 'the download link of a firmware release',
    run: async (console, given, terminal) => {
      const product = await (await console.desks.current()).firmware.find(given.operands[0] ?? '')
      const link = await console.answers.firmware.link({
        vendorId: product.vendorId,
        productId: product.productId,
        version: given.operands[1] ?? '',
        buildType: text(given, 'build-type') ?? 'Release',
        refresh: flag(given, 'refresh'),
      })
      show(given, terminal, { url: link.url, host: link.host, observedAt: link.observedAt, fromCache: link.fromCache }, () => link.url)
      return 0
    },
  },
  {
    name: 'definitions latest',
    operands: [],
    options: { refresh: { type: 'boolean', help: 'ask the service again' } },
    summary: 'which definition version is in use, and why',
    run: async (console, given, terminal) => {
      const found = await console.answers.definitions.inUse({ refresh: flag(given, 'refresh') })
      show(
        given,
        terminal,
        found,
        () =>
          `Definition version in use: ${found.inUse} (schema ${found.schemaInUse}). Latest ${found.latest} (schema ${found.schemaVersion}), ${because[found.reason](found)}. As of ${moment(found.observedAt) ?? ''}.`,
      )
      return 0
    },
  },
  {
    name: 'notes',
    operands: ['PRODUCT'],
    options: {},
    summary: 'where the release notes of a product are',
    run: async (console, given, terminal) => {
      const product = await (await console.desks.current()).firmware.find(given.operands[0] ?? '')
      const notes = await console.answers.releaseNotes.get({ vendorId: product.vendorId, productId: product.productId })
      show(given, terminal, notes, () =>
        notes.record === null
          ? `Not published: the product content names no ${product.name}.`
          : [notes.record.title, ...notes.record.links.map((link) => `${link.kind.padEnd(14)} ${link.url}`)],
      )
      return 0
    },
  },
]

const because: Readonly<Record<CeilingReason, (found: DefinitionInUse) => string>> = {
  'latest-within-ceiling': (found) => `which is within the ceiling ${found.ceiling}`,
  'held-at-package': (found) => `held at the installed definitions package’s ${found.ceiling}`,
  'held-at-profile': (found) => `held at this organization’s own ceiling ${found.ceiling}`,
}
