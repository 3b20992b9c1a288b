import type {
  FirmwareLink,
  FirmwareRelease,
  Product,
  ProductPage,
  ReleaseQuery,
  UnreadRecords,
} from '../../contract/api/firmware.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import type { ParsedCommand } from '../grammar.ts'
import { UsageError } from '../grammar.ts'
import { approvedVariantTyped, productTyped, variantTyped } from '../product-typed.ts'
import { say, sentence } from '../texts.ts'
import { includedStages, stageOptions } from '../stages.ts'
import { counted, moment, table } from '../table.ts'
import { usbId } from '../../contract/recovery-steps.ts'

export const firmwareCommands: readonly Command[] = [
  {
    name: 'products',
    operands: ['[WORDS…]'],
    options: {
      owned: { type: 'boolean', help: 'only products that this organization has devices of' },
      csv: {
        type: 'boolean',
        help: 'comma-separated values; formulas are neutralized',
      },
    },
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
      if (flag(given, 'csv')) {
        if (flag(given, 'json')) throw new UsageError('Use only one of --csv and --json.')
        await terminal.write(await productsAsCsv(rows))
        return 0
      }
      return show(given, terminal, { total, products: rows, unreadable, observedAt, fromCache }, () =>
        rows.length === 0
          ? 'No product matches.'
          : table(
              ['Product', 'Name', 'Id', 'Latest', 'Devices', 'Variants'],
              rows.map((one) => [
                `${one.vendorId}/${one.productId}`,
                one.name,
                usbId(one.productId),
                one.latestVersion,
                one.deviceCount,
                one.variants.map((variant) => variant.variantType).join(' '),
              ]),
            ),
      )
    },
  },
  {
    name: 'product',
    operands: ['PRODUCT'],
    options: {
      variant: { type: 'string', help: 'the variant (default: the first one listed)' },
      platform: { type: 'string', help: 'show updater configurations for this platform' },
      'agent-type': { type: 'string', help: 'show whether it is listed with this agent type' },
    },
    summary: 'shows what is published about a product besides its releases',
    run: async (core, given, terminal) => {
      const found = await productTyped(core, given.operands[0] ?? '', terminal)
      const { vendorId, productId } = found
      const { product, variantType, failed, ...details } = await core.handlers.firmware.details({
        vendorId,
        productId,
        variantType: variantTyped(found, given),
        platformOs: text(given, 'platform'),
        agentType: text(given, 'agent-type'),
      })
      const result = {
        product: { vendorId, productId, name: product.name, variant: variantType },
        ...details,
        failed: failed.map(({ document, failure }) => ({ document, reason: sentence(failure) })),
      }
      const variants = new Set(product.variants.map((one) => one.variantType.toLowerCase())).size
      const own = details.variants === null ? '' : `; ${details.variants.length} in the list of variants`
      const [platform, agentType] = [text(given, 'platform'), text(given, 'agent-type')]
      const said = (value: boolean | null): string => (value === null ? 'unknown' : value ? 'yes' : 'no')
      show(given, terminal, result, () => [
        product.name,
        `Variant              ${variantType ?? 'none'}`,
        `Update protocols     ${details.updateProtocols.join(', ') || 'not published'}`,
        `Downgrade allowed    ${said(details.downgradeAllowed)}`,
        `Host product         ${said(details.isHost)}`,
        `With agent           ${agentType === null ? 'not asked: add --agent-type' : said(details.hasAgent)}`,
        `On the ignore list   ${said(details.isIgnored)}`,
        `Groups               ${details.groups.map((one) => one.name).join(', ') || 'none'}`,
        `Updaters             ${platform === null ? 'not asked: add --platform' : (details.updaters?.length ?? 'unknown')}`,
        `Variants             ${variants} in the catalogue${own}`,
        ...result.failed.map(({ document, reason }) => `Not read: ${document}: ${reason}`),
      ])
      return failed.length > 0 ? 4 : 0
    },
  },
  ...['releases', 'firmware releases'].map((name): Command => ({
    name,
    operands: ['PRODUCT'],
    options: stageOptions,
    summary: 'lists the firmware releases of a product, newest first',
    run: async (core, given, terminal) => {
      const product = await productTyped(core, given.operands[0] ?? '', terminal)
      const list = await core.handlers.firmware.releases({
        vendorId: product.vendorId,
        productId: product.productId,
        ...stagesOf(given),
      })
      sayUnread(terminal, list.unreadable, `among the releases of ${list.product.name}`)
      if (list.unread !== undefined)
        terminal.say(`The list of releases could not be read. ${sentence(list.unread)}`)
      show(given, terminal, list, () => [
        `${list.product.name} (${list.product.vendorId}/${list.product.productId}), as of ${moment(list.observedAt) ?? ''}`,
        ...table(
          ['Version', '', 'Stage', 'Released', 'Bytes', 'Bundle', 'MD5', 'File'],
          list.releases.map((one) => [
            one.version,
            one.revoked ? 'revoked' : one.latest ? 'latest' : '',
            stageWord(one),
            moment(one.releasedAt),
            one.fileSize,
            bundleText(one.bundle),
            one.md5,
            one.fileName,
          ]),
        ),
        ...(list.noLatest === null ? [] : [say(`noLatest.${list.noLatest}`)]),
      ])
      return list.unread === undefined ? 0 : 4
    },
  })),
  {
    name: 'firmware bundles',
    operands: ['[PRODUCT]'],
    summary: 'lists firmware bundles and their versions, all or those with a product',
    run: async (core, given, terminal) => {
      const [named] = given.operands
      const product = named === undefined ? null : await productTyped(core, named, terminal)
      const { bundles } = await core.handlers.firmware.bundles({
        product: product && { vendorId: product.vendorId, productId: product.productId },
      })
      const listed = bundles.map(({ group, version, name, members, unread }) => ({
        group,
        version,
        name,
        members,
        ...(unread.length === 0 ? {} : { unread }),
      }))
      const notUnderstood = listed.filter(({ unread }) => unread !== undefined).length
      if (notUnderstood > 0)
        terminal.say(
          `The members of ${counted(notUnderstood, 'bundle')} are not understood; --json shows them as received.`,
        )
      return show(given, terminal, { total: listed.length, bundles: listed }, () => {
        if (listed.length === 0)
          return product === null
            ? 'No firmware bundles are published.'
            : `No firmware bundle contains ${product.name}.`
        return table(
          ['Group', 'Version', 'Name', 'Product', 'Id', 'Firmware'],
          listed.flatMap(({ group, version, name, members, unread }) =>
            members.length === 0
              ? [[group, version, name, unread === undefined ? 'none listed' : 'not understood', null, null]]
              : members.map((one) => [
                  group,
                  version,
                  name,
                  one.name,
                  `${one.vendorId}/${one.productId}`,
                  one.firmwareVersion,
                ]),
          ),
        )
      })
    },
  },
  {
    name: 'firmware link',
    operands: ['PRODUCT', 'VERSION'],
    options: {
      'build-type': {
        type: 'string',
        help: 'build type (the values are not published; default: the first of the organization’s list)',
      },
      variant: { type: 'string', help: 'use the approved version of this variant' },
      bundle: { type: 'string', help: 'the firmware bundle to use, by group or name' },
      refresh: { type: 'boolean', help: 'ask the service again even if the link is known' },
      ...stageOptions,
    },
    summary: 'prints the download link of a firmware release; VERSION may be latest or approved',
    run: async (core, given, terminal) => {
      const product = await productTyped(core, given.operands[0] ?? '', terminal)
      const [, version = ''] = given.operands
      const [bundle, variant] = [text(given, 'bundle'), approvedVariantTyped(product, version, given)]
      const link = await core.handlers.firmware.link({
        vendorId: product.vendorId,
        productId: product.productId,
        version,
        buildType: text(given, 'build-type'),
        ...(bundle === null ? {} : { bundle }),
        ...(variant === null ? {} : { variant }),
        refresh: flag(given, 'refresh'),
        ...stagesOf(given),
      })
      return showLink(link, flag(given, 'json'), terminal, Date.now())
    },
  },
]

/** The columns of the document, in its order. */
async function productsAsCsv(products: readonly Product[]): Promise<string> {
  const columns = {
    vendorId: (one) => one.vendorId,
    productId: (one) => one.productId,
    name: (one) => one.name,
    groupName: (one) => one.groupName,
    deviceType: (one) => one.deviceType,
    supportedProtocols: (one) => one.supportedProtocols,
    variants: (one) => one.variants.map(({ variantType }) => variantType),
    latestVersion: (one) => one.latestVersion,
    deviceCount: (one) => one.deviceCount,
  } satisfies Record<keyof Product, (one: Product) => string | number | null | readonly string[]>
  const { csvWriter } = await import('../own-core.ts')
  const writer = csvWriter(',', false)
  const cells = Object.values(columns)
  return [[Object.keys(columns)], ...products.map((one) => [cells.map((cell) => cell(one))])]
    .map((rows) => String(writer.rows(rows)))
    .join('')
}

const stagesOf = (given: ParsedCommand): Pick<ReleaseQuery, 'includeStages'> => {
  const stages = includedStages(given)
  return stages === null ? {} : { includeStages: stages }
}

const bundleText = (bundle: FirmwareRelease['bundle']): string =>
  [bundle?.name ?? bundle?.group, bundle?.version].filter(Boolean).join(' ')

const stageWord = ({ stage, stageStated }: FirmwareRelease): string =>
  stageStated ? (stage ?? '') : [stage, 'not stated'].filter(Boolean).join(', ')

/** Unreadable records are counted in text and listed in the document. */
function sayUnread(terminal: Terminal, { count }: UnreadRecords, where: string): void {
  if (count > 0)
    terminal.say(
      `${count} ${count === 1 ? 'record' : 'records'} ${where} cannot be read; --json shows ${count === 1 ? 'it' : 'them'} as received.`,
    )
}

/**
 * Prints only the address, so that it can be passed on. A record without an address that may be offered is
 * printed as received and counts as a partial result, as an address that has ended does.
 */
function showLink(link: FirmwareLink, asJson: boolean, terminal: Terminal, now: number): ExitCode {
  const { version, buildType, url, refused, expiresAt, bytes, md5, raw } = link
  const hasEnded = expiresAt !== null && expiresAt <= now
  if (asJson) terminal.print(JSON.stringify(link))
  else if (url !== null) terminal.print(url)
  const facts = [
    expiresAt === null ? null : `${hasEnded ? 'ended' : 'ends'} ${moment(expiresAt) ?? ''}`,
    bytes === null ? null : `${bytes} bytes`,
    md5 === null ? null : `MD5 ${md5}`,
  ].filter((fact) => fact !== null)
  if (!asJson && facts.length > 0) terminal.say(`${version}, ${buildType}: ${facts.join(', ')}`)
  if (url !== null) return hasEnded ? 4 : 0
  terminal.say(
    refused === null
      ? 'The record contains no file address.'
      : `The record contains ${refused}, which Headroom does not open: it opens only https, and http to this computer.`,
  )
  if (!asJson) terminal.say(JSON.stringify(raw))
  return 4
}
