import {
  documentKinds,
  type InUseReason,
  type DefinitionInUse,
  type DefinitionItem,
  type DocumentKind,
  type DocumentSelection,
  type ReadDocument,
} from '../../contract/api/definitions.ts'
import { Failed } from '../../contract/failure.ts'
import type { Product } from '../../contract/api/firmware.ts'
import type { CoreClient } from '../core-client.ts'
import { flag, show, text, type Command, type Terminal } from '../command.ts'
import { UsageError, type CommandOptions, type ParsedCommand } from '../grammar.ts'
import { productTyped } from '../product-typed.ts'
import { sentence } from '../texts.ts'
import { moment, table, type Line } from '../table.ts'

export const documentOption = {
  document: { type: 'string', help: `one document: ${documentKinds.join(', ')}` },
} as const satisfies CommandOptions

export const selectionOptions = {
  schema: { type: 'string', help: 'schema version (default: the one in use)' },
  definition: { type: 'string', help: 'definition version of a device model (default: the one in use)' },
  firmware: {
    type: 'string',
    help: 'firmware version (default: what most of the fleet runs, else the latest release)',
  },
  variant: {
    type: 'string',
    help: 'variant, such as 01-64 (default: what most of the fleet has, else the product’s first)',
  },
  trimmed: { type: 'boolean', help: 'the trimmed properties of the schema version' },
  source: {
    type: 'string',
    help: 'service or package, the installed definitions package (default: service)',
  },
} as const satisfies CommandOptions

const refresh = { refresh: { type: 'boolean', help: 'ask the service again' } } as const

export const definitionCommands: readonly Command[] = [
  {
    name: 'definitions latest',
    operands: ['[PRODUCT]'],
    options: refresh,
    summary: 'shows which definition version is in use, and why',
    run: async (core, given, terminal) => {
      const product = await productOf(core, given, terminal)
      const inUse = await core.handlers.definitions.inUse({ refresh: flag(given, 'refresh') })
      const document = product === null ? inUse : { product: named(product), ...inUse }
      return show(given, terminal, document, () => inUseAsText(inUse))
    },
  },
  {
    name: 'definitions versions',
    options: refresh,
    summary: 'lists the schema versions, their latest definition versions, and the one in use',
    run: async (core, given, terminal) => {
      const { schemas, inUse } = await core.handlers.definitions.versions({ refresh: flag(given, 'refresh') })
      const document = {
        schemas,
        highestSupported: inUse.limit,
        inUse: inUse.inUse,
        reason: inUse.reason,
      }
      return show(given, terminal, document, () => [
        ...table(
          ['Schema', 'Latest definition', 'Stage'],
          schemas.map(({ version, latest, stage }) => [version, latest ?? 'not published', stage]),
        ),
        ...inUseAsText(inUse),
      ])
    },
  },
  {
    name: 'definitions show',
    operands: ['[PRODUCT]'],
    options: {
      ...documentOption,
      ...selectionOptions,
    },
    summary: 'shows the documents of a product or a schema version: settings, properties and events',
    run: async (core, given, terminal) => {
      const product = await productOf(core, given, terminal)
      const requested = requestedDocument(given)
      const selection = selectionOf(given, product, '')
      const found = await core.handlers.definitions.documents({ selection, kinds: requested && [requested] })
      const [document] = found.documents
      const [failure] = found.failed
      if (failure !== undefined && (requested !== null || document === undefined))
        throw new Failed(failure.failure)
      const about = [product?.name, found.variantType, found.firmwareVersion].filter(Boolean).join(' ')
      if (requested !== null) {
        if (document === undefined) throw notPublished(requested, about)
        return show(given, terminal, document, () => documentAsText(document, about))
      }
      const failed = found.failed.map((one) => ({ document: one.document, reason: sentence(one.failure) }))
      show(
        given,
        terminal,
        {
          ...(product === null
            ? {}
            : { product: named(product), variant: found.variantType, firmware: found.firmwareVersion }),
          documents: found.documents,
          failed,
          absent: found.absent,
        },
        () => [
          ...found.documents.flatMap((one) => [...documentAsText(one, about), '']),
          ...found.absent.map((kind) => `${documentNames[kind]}: not published.`),
        ],
      )
      for (const one of failed) terminal.say(`${documentNames[one.document]}: ${one.reason}`)
      return failed.length === 0 ? 0 : 4
    },
  },
]

const productOf = async (
  core: CoreClient,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<Product | null> => {
  const [typed] = given.operands
  return typed === undefined ? null : productTyped(core, typed, terminal)
}

export const named = ({
  vendorId,
  productId,
  name,
}: Product): Pick<Product, 'vendorId' | 'productId' | 'name'> => ({
  vendorId,
  productId,
  name,
})

const notPublished = (document: DocumentKind, about: string): Failed =>
  Failed.notFound(`${documentNames[document]}${about === '' ? '' : ` of ${about}`} (not published)`)

export function requestedDocument(given: ParsedCommand): DocumentKind | null {
  const typed = text(given, 'document')
  const kind = documentKinds.find((one) => one === typed)
  if (typed !== null && kind === undefined)
    throw new UsageError(`--document ${typed}: use one of ${documentKinds.join(', ')}.`)
  return kind ?? null
}

/** `prefix`: begins the names of the options. */
export function selectionOf(
  given: ParsedCommand,
  product: Product | null,
  prefix: '' | 'with-',
): DocumentSelection {
  const source = text(given, `${prefix}source`) ?? 'service'
  if (source !== 'service' && source !== 'package')
    throw new UsageError(`--${prefix}source ${source}: use service or package.`)
  return {
    product: product && { vendorId: product.vendorId, productId: product.productId },
    variantType: text(given, `${prefix}variant`),
    firmwareVersion: text(given, `${prefix}firmware`),
    schemaVersion: text(given, `${prefix}schema`),
    definitionVersion: text(given, `${prefix}definition`),
    trimmed: flag(given, `${prefix}trimmed`),
    source,
  }
}

export const documentNames: Readonly<Record<DocumentKind, string>> = {
  properties: 'Property definitions',
  'device-model': 'Device model',
  'feature-model': 'Feature model',
  jose: 'Jose definition',
  'jose-v1': 'Jose definition V1',
  'property-map': 'Property map',
  'name-map': 'Settings name map',
}

const because: Readonly<Record<InUseReason, (found: DefinitionInUse) => string>> = {
  'latest-within-limit': (found) =>
    `It is the latest of schema ${found.schemaVersion}, not above the highest supported version ${found.limit}`,
  'held-at-package': (found) =>
    `Latest ${found.latest ?? ''} (schema ${found.schemaVersion}), but the installed definitions package supports versions up to ${found.limit}`,
  'held-at-profile': (found) =>
    `Latest ${found.latest ?? ''} (schema ${found.schemaVersion}), but this organization is limited to versions up to ${found.limit}`,
  'latest-not-published': (found) =>
    `No latest definition version is published; the highest supported version ${found.limit} is used`,
}

const inUseAsText = (found: DefinitionInUse): readonly string[] => [
  `Definition version in use: ${found.inUse} (${found.stage ?? 'stage not specified'}, schema ${found.schemaInUse}). ${because[found.reason](found)}. As of ${moment(found.observedAt) ?? ''}.`,
  ...(found.schemasListed
    ? []
    : [
        `The service publishes no list of schema versions. Headroom requested the installed package’s own schema, ${found.schemaVersion}.`,
      ]),
  ...(found.schemasListed ? found.passedOver : []).map(
    (schema) => `Schema ${schema} is newer, but its latest definition version is not published.`,
  ),
  ...(found.statedSchemaVersion === null || found.statedSchemaVersion === found.schemaVersion
    ? []
    : [
        `Headroom requested schema ${found.schemaVersion}; the service answered with schema ${found.statedSchemaVersion}.`,
      ]),
]

function documentAsText(found: ReadDocument, about: string): readonly Line[] {
  const { document, definitionVersion, schemaVersion, stage, olderThan, items } = found
  const stated = [
    definitionVersion === null
      ? 'definition version not specified'
      : `definition version ${definitionVersion}`,
    ...(found.askedFor === null || found.askedFor === definitionVersion
      ? []
      : [`asked for ${found.askedFor}`]),
    ...(schemaVersion === null ? [] : [`schema ${schemaVersion}`]),
    stage ?? 'stage not specified',
    ...(found.joseVersion === null ? [] : [`Jose definition V${found.joseVersion}`]),
    `as of ${moment(found.observedAt) ?? ''}`,
  ]
  return [
    `${documentNames[document]}${about === '' ? '' : ` of ${about}`}: ${stated.join(', ')}.`,
    found.address,
    ...(found.aboveLimit ? ['It is above the highest supported version, so it is not used.'] : []),
    ...(olderThan === null
      ? []
      : [
          `It is older than the document used before: ${olderThan.definitionVersion}, as of ${moment(olderThan.observedAt) ?? ''}.`,
        ]),
    ...(items.length === 0
      ? [
          found.isUnderstood
            ? 'No items.'
            : 'Its shape is not understood, so no items are listed; --json shows it as received.',
        ]
      : maps.includes(document)
        ? table(
            ['Name', 'Label', 'Mapped to'],
            items.map((item) => [item.name, item.label, allowedText(item)]),
          )
        : table(
            ['Name', 'Label', 'Type', 'Access', 'Restarts', 'Allowed', 'Unit', 'Default'],
            items.map((item) => [
              item.name,
              item.label,
              item.type,
              item.access.join(' '),
              item.restarts === null ? null : item.restarts ? 'yes' : 'no',
              allowedText(item),
              item.unit,
              item.default === null ? null : word(item.default),
            ]),
          )),
  ]
}

const maps: readonly DocumentKind[] = ['property-map', 'name-map']

const word = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function allowedText(item: DefinitionItem): string | null {
  const { allowed, minimum, maximum, minLength, maxLength, members } = item
  if (allowed.length > 0) return allowed.map(word).join(' ')
  const range = (from: number | null, to: number | null): string =>
    from === null && to === null ? '' : `${from ?? '…'} to ${to ?? '…'}`
  const length = range(minLength, maxLength)
  const value = members['value']
  return (
    range(minimum, maximum) ||
    (length && `${length} characters`) ||
    (value === undefined ? null : word(value))
  )
}
