import type {
  ChangedMember,
  ComparedSide,
  ComparisonGap,
  DefinitionLine,
  DocumentComparison,
  DocumentKind,
  DocumentSelection,
} from '../../contract/api/definitions.ts'
import { Failed } from '../../contract/failure.ts'
import type { Product } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { CoreClient } from '../core-client.ts'
import { show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import { UsageError, type CommandOptions } from '../grammar.ts'
import { productTyped } from '../product-typed.ts'
import { say, sentence } from '../texts.ts'
import { counted, table, type Line } from '../table.ts'
import {
  requestedDocument,
  documentNames,
  documentOption,
  named,
  selectionOf,
  selectionOptions,
} from './definitions.ts'

const withOptions = Object.fromEntries(
  Object.entries({
    product: { type: 'string', help: 'another product (default: the same)' } as const,
    ...selectionOptions,
  }).map(([name, option]) => [`with-${name}`, { ...option, help: `the other side: ${option.help}` }]),
) satisfies CommandOptions

export const differenceCommands: readonly Command[] = [
  {
    name: 'definitions diff',
    operands: ['PRODUCT'],
    options: { ...documentOption, ...selectionOptions, ...withOptions },
    summary: 'compares two documents of the same kind',
    notes: [
      'Options not given for the other side are as on the first, except --with-source and --with-trimmed.',
    ],
    run: async (core, given, terminal) => {
      const document = requestedDocument(given)
      if (document === null) throw new UsageError('definitions diff needs --document.')
      const product = await productTyped(core, given.operands[0] ?? '', terminal)
      const typed = text(given, 'with-product')
      const other = typed === null ? product : await productTyped(core, typed, terminal)
      const left = selectionOf(given, product, '')
      const said = selectionOf(given, other, 'with-')
      const isSame = other.vendorId === product.vendorId && other.productId === product.productId
      const right = isSame ? asOn(left, said) : said
      const found = await core.handlers.definitions.compare({ left, right, kinds: [document] })
      const sides = {
        left: sideAsJson(found.left, left, product),
        right: sideAsJson(found.right, right, other),
      }
      show(given, terminal, { document, ...sides, ...asJson(found) }, () => [
        `${documentNames[document]}: ${sideAsText(found.left, product)} and ${sideAsText(found.right, other)}`,
        ...asText(found),
      ])
      return exitCode(found)
    },
  },
  {
    name: 'firmware diff',
    operands: ['PRODUCT', 'FROM', 'TO'],
    options: { variant: selectionOptions.variant },
    summary:
      'shows which settings a firmware version adds, removes or changes, and which devices are affected',
    run: async (core, given, terminal) => {
      const [typed = '', from = '', to = ''] = given.operands
      const product = await productTyped(core, typed, terminal)
      const { vendorId, productId } = product
      await sayUnusual(core, product, [from, to], terminal)
      const query = { vendorId, productId, variantType: text(given, 'variant'), from, to }
      const found = await core.handlers.definitions.firmwareDifference(query)
      const { total, allowed, notAllowed, unknown, ids } = found.devices
      const document = {
        product: { ...named(product), variant: found.left.variantType },
        from,
        to,
        ...asJson(found),
        devices: { total, allowed, notAllowed, unknown, ids },
      }
      show(given, terminal, document, () => [
        `${product.name} ${found.left.variantType ?? ''}, ${from} to ${to}`,
        ...asText(found),
        `${counted(total, 'device')}: ${notAllowed} at risk, ${unknown} unknown, ${allowed} allowed.`,
        ...ids.map((id) => `At risk: ${id}`),
      ])
      return exitCode(found)
    },
  },
]

const asOn = (left: DocumentSelection, said: DocumentSelection): DocumentSelection => ({
  ...said,
  variantType: said.variantType ?? left.variantType,
  firmwareVersion: said.firmwareVersion ?? left.firmwareVersion,
  schemaVersion: said.schemaVersion ?? left.schemaVersion,
  definitionVersion: said.definitionVersion ?? left.definitionVersion,
})

const exitCode = ({ compared, gaps }: DocumentComparison): ExitCode =>
  compared.length === 0 ? 3 : gaps.length > 0 ? 4 : 0

/** Revoked and unlisted versions may be compared. */
async function sayUnusual(
  core: CoreClient,
  { vendorId, productId, name }: Product,
  versions: readonly string[],
  terminal: Terminal,
): Promise<void> {
  try {
    const { releases } = await core.handlers.firmware.releases({ vendorId, productId })
    for (const version of new Set(versions)) {
      const release = releases.find((one) => one.version === version)
      if (release === undefined) terminal.say(`${version} is not among the releases of ${name}.`)
      else if (release.revoked) terminal.say(`${version} was revoked.`)
    }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    terminal.say(`It is not known whether the versions are published. ${sentence(error.failure)}`)
  }
}

const sideAsText = ({ variantType, firmwareVersion }: ComparedSide, { name }: Product): string =>
  [name, variantType, firmwareVersion].filter(Boolean).join(' ')

const sideAsJson = (side: ComparedSide, { source }: DocumentSelection, product: Product): object => ({
  product: named(product),
  variant: side.variantType,
  firmware: side.firmwareVersion,
  source,
  ...(side.documents[0] ?? null),
})

const asJson = (found: DocumentComparison): object => ({
  added: found.added.map(lineAsJson),
  removed: found.removed.map(lineAsJson),
  changed: found.changed,
  gaps: found.gaps.map((gap) => ({ document: gap.document, reason: reasonOf(gap, found) })),
  absent: found.absent,
})

const lineAsJson = (line: DefinitionLine): object => {
  const { name, label, source, type, access } = line
  return { name, label, source, type, access, allowed: allowedOf(line) }
}

/** The values, or the limits where no values are listed. */
function allowedOf({ allowed, minimum, maximum, minLength, maxLength }: DefinitionLine): Json {
  const limits = Object.entries({ minimum, maximum, minLength, maxLength }).filter(
    ([, value]) => value !== null,
  )
  return allowed.length > 0 || limits.length === 0 ? allowed : Object.fromEntries(limits)
}

const limitsOr = (line: DefinitionLine): string => {
  const limits = allowedOf(line)
  return Array.isArray(limits)
    ? (line.type ?? '')
    : Object.entries(limits as object)
        .map(([member, value]) => `${memberNames[member] ?? member} ${String(value)}`)
        .join(', ')
}

function reasonOf({ side, reason, failure }: ComparisonGap, found: DocumentComparison): string {
  const version = found[side].firmwareVersion ?? `the ${side === 'left' ? 'first' : 'other'} side`
  if (failure !== null) return `${version}: ${sentence(failure)}`
  return `${version}: ${say(`gap.${reason}`)}`
}

const word = (value: Json): string =>
  value === null ? 'not said' : typeof value === 'string' ? value : JSON.stringify(value)

/** Lists are sets: lists removed and added values. */
function changeText({ member, from, to }: ChangedMember): string {
  const what = memberNames[member] ?? member
  if (!Array.isArray(from) || !Array.isArray(to)) return `${what}: ${word(from)} → ${word(to)}`
  const [before, after] = [from, to].map((list: readonly Json[]) => list.map(word)) as [string[], string[]]
  const gone = before.filter((one) => !after.includes(one))
  const come = after.filter((one) => !before.includes(one))
  return [
    ...(gone.length === 0 ? [] : [`${what} withdrawn: ${gone.join(', ')}`]),
    ...(come.length === 0 ? [] : [`${what} new: ${come.join(', ')}`]),
    // A string became a number, or vice versa.
    ...(gone.length + come.length === 0 ? [`${what}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`] : []),
  ].join('; ')
}

const memberNames: Readonly<Record<string, string>> = {
  allowed: 'values',
  minimum: 'lowest value',
  maximum: 'highest value',
  minLength: 'least length',
  maxLength: 'greatest length',
  restarts: 'restarts the device',
}

function asText(found: DocumentComparison): readonly Line[] {
  const { added, removed, changed, gaps, absent, unchanged } = found
  const line = (sign: string, one: DefinitionLine): readonly string[] => [
    sign,
    one.label,
    one.name,
    documentNames[one.source],
    one.allowed.length > 0 ? one.allowed.map(word).join(', ') : limitsOr(one),
  ]
  const rows = [
    ...added.map((one) => line('+', one)),
    ...removed.map((one) => line('-', one)),
    ...changed.map((one) => ['~', one.label, one.name, documentNames[one.source], changeText(one)]),
  ]
  const list = (kinds: readonly DocumentKind[]): string => kinds.map((kind) => documentNames[kind]).join(', ')
  return [
    ...(rows.length === 0 ? [] : table(['', 'Label', 'Name', 'Document', 'What'], rows)),
    ...(found.compared.length === 0
      ? ['Nothing could be compared.']
      : [
          `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${unchanged.length} equal.`,
        ]),
    ...gaps.map((gap) => `Not compared: ${documentNames[gap.document]}. ${reasonOf(gap, found)}`),
    ...(absent.length === 0 ? [] : [`Not published for either: ${list(absent)}.`]),
  ]
}
