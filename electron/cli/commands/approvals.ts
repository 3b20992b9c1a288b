import type { Approval, Approvals } from '../../contract/api/firmware.ts'
import { compareWithValues } from '../../contract/firmware.ts'
import { show, text, type Command, type Terminal } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { includedStages, sayUnread, stageOptions } from '../stages.ts'
import { productTyped } from '../product-typed.ts'
import { comparingText } from '../texts.ts'
import { counted, moment, table } from '../table.ts'
import type { CoreClient } from '../core-client.ts'

export const approvalCommands: readonly Command[] = [
  {
    name: 'firmware status',
    options: stageOptions,
    summary:
      'how many devices of each product are current, behind or revoked, against the latest or approved version',
    run: async (core, given, terminal) => {
      const stages = includedStages(given)
      const { comparedWith, comparing, products, unread } = await core.handlers.firmware.status(
        stages === null ? {} : { stages },
      )
      await sayWarnings(core, terminal)
      // Counts of a part look like those of the whole fleet.
      const hidden = { current: null, behind: null, ahead: null, revoked: null, unknown: null }
      const rows = products.map(({ inUse: _, ...one }) => ({
        ...one,
        ...(comparing === undefined ? {} : hidden),
      }))
      show(given, terminal, { comparedWith, comparing, total: rows.length, products: rows }, () =>
        rows.length === 0
          ? 'No devices have been read yet: headroom sync'
          : [
              ...(comparing === undefined ? [] : [comparingText(comparing)]),
              ...table(
                [
                  'Name',
                  'Devices',
                  'Behind',
                  'Revoked',
                  'Newest',
                  'Approved',
                  'Current',
                  'Ahead',
                  'Unknown',
                  'Product',
                ],
                rows.map((one) => [
                  one.name,
                  one.devices,
                  one.behind,
                  one.revoked,
                  one.newest,
                  one.approved,
                  one.current,
                  one.ahead,
                  one.unknown,
                  `${one.vendorId}/${one.productId}`,
                ]),
              ),
              comparedWith === 'approved'
                ? 'Compared with the approved versions, and with the latest where none is approved.'
                : 'Compared with the latest versions.',
            ],
      )
      return sayUnread(unread, terminal)
    },
  },
  {
    name: 'firmware approve',
    operands: ['PRODUCT', 'VERSION'],
    options: {
      variant: { type: 'string', help: 'for this variant only' },
      reason: { type: 'string', help: 'reason for this version (required)' },
      expires: { type: 'string', help: 'the last day, such as 2026-12-31' },
    },
    summary: 'approves a firmware version for a product; VERSION may be latest',
    run: async (core, given, terminal) => {
      const { vendorId, productId } = await productTyped(core, given.operands[0] ?? '', terminal)
      const reason = text(given, 'reason')
      if (reason === null) throw new UsageError('firmware approve needs --reason.')
      const approval = await core.handlers.firmware.approve({
        vendorId,
        productId,
        variant: text(given, 'variant'),
        version: given.operands[1] ?? '',
        reason,
        expires: text(given, 'expires'),
      })
      return show(given, terminal, approval, () => `Approved: ${approvalText(approval)}.`)
    },
  },
  {
    name: 'firmware unapprove',
    operands: ['PRODUCT'],
    options: { variant: { type: 'string', help: 'only the approval for this variant' } },
    summary: 'removes the approval for a product',
    run: async (core, given, terminal) => {
      const product = await productTyped(core, given.operands[0] ?? '', terminal)
      const { vendorId, productId, name } = product
      const variant = text(given, 'variant')
      await core.handlers.firmware.unapprove({ vendorId, productId, variant })
      return show(
        given,
        terminal,
        { product: { vendorId, productId, name }, variant },
        () => `No version is approved for ${[name, variant].filter(Boolean).join(' variant ')} now.`,
      )
    },
  },
  {
    name: 'firmware approvals',
    summary: 'lists approved firmware versions, with reason, person and last day',
    run: async (core, given, terminal) => {
      const { approvals } = await core.handlers.firmware.approvals()
      await sayWarnings(core, terminal)
      return show(given, terminal, { total: approvals.length, approvals }, () =>
        approvals.length === 0
          ? 'No version is approved: headroom firmware approve PRODUCT VERSION --reason TEXT'
          : table(
              ['Product', 'Name', 'Variant', 'Version', 'State', 'Until', 'Who', 'When', 'Reason'],
              approvals.map(({ product, variant, version, state, expiresAt, who, at, reason }) => [
                `${product.vendorId}/${product.productId}`,
                product.name,
                variant,
                version,
                state,
                lastMoment(expiresAt),
                who,
                moment(at),
                reason,
              ]),
            ),
      )
    },
  },
  {
    name: 'firmware compare-with',
    operands: ['latest|approved'],
    summary: 'shows or sets what devices are compared with in all lists and counts',
    run: async (core, given, terminal) => {
      const word = compareWithValues.find((one) => one === given.operands[0])
      if (word === undefined)
        throw new UsageError(`firmware compare-with takes ${compareWithValues.join(' or ')}.`)
      const { comparedWith }: Approvals = await core.handlers.firmware.compareWith({ with: word })
      return show(given, terminal, { comparedWith }, () =>
        comparedWith === 'approved'
          ? 'Devices are compared with the approved version, and with the latest where none is approved.'
          : 'Devices are compared with the latest version.',
      )
    },
  },
]

/** The approval ends at this moment. */
const lastMoment = (expiresAt: number | null): string | null =>
  moment(expiresAt === null ? null : expiresAt - 1)

const approvalText = ({ product, variant, version, expiresAt }: Approval): string =>
  [
    `${version} for ${product.name}`,
    ...(variant === null ? [] : [`variant ${variant}`]),
    ...(expiresAt === null ? [] : [`until ${lastMoment(expiresAt) ?? ''}`]),
  ].join(', ')

/** Rows that call for a decision are reported in every output format. */
async function sayWarnings(core: CoreClient, terminal: Terminal): Promise<void> {
  const { approvals, notCompared } = await core.handlers.firmware.warnings()
  for (const warning of approvals) terminal.say(warning)
  if (notCompared > 0)
    terminal.say(`${counted(notCompared, 'product')} could not be compared: headroom sync lists them.`)
}
