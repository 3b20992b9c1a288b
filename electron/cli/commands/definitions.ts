import type { DefinitionDocumentName, ProductDefinitions } from '../../contract/api/definitions.ts'
import { show, text, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { sentence } from '../sentences.ts'
import { moment, table } from '../table.ts'

export const definitionCommands: readonly Command[] = [
  {
    name: 'definitions show',
    operands: ['PRODUCT'],
    options: {
      variant: {
        type: 'string',
        help: 'variant, such as 01-64 (default: what most of the fleet has, else the product’s first)',
      },
      firmware: {
        type: 'string',
        help: 'firmware version (default: what most of the fleet runs, else the latest release)',
      },
    },
    summary: 'the property definitions, device model and feature model of a product and firmware',
    run: async (core, given, terminal) => {
      const session = await core.sessions.current()
      const product = await session.firmware.find(given.operands[0] ?? '')
      const { vendorId, productId } = product
      const [variant, firmware] = [text(given, 'variant'), text(given, 'firmware')]
      const usual =
        variant !== null && firmware !== null
          ? null
          : await core.handlers.definitions.defaults({ vendorId, productId, variantType: variant })
      const variantType = variant ?? usual?.variantType ?? null
      const firmwareVersion = firmware ?? usual?.firmwareVersion ?? null
      if (variantType === null)
        throw new UsageError(`The catalogue names no variant of ${product.name}: say --variant.`)
      if (firmwareVersion === null)
        throw new UsageError(`No firmware of ${product.name} is published: say --firmware.`)
      const found = await core.handlers.definitions.read({
        vendorId,
        productId,
        variantType,
        firmwareVersion,
      })
      show(given, terminal, found, () => asText(product.name, found))
      for (const { document, failure } of found.failed)
        terminal.say(`${titles[document]}: ${sentence(failure)}`)
      return found.failed.length === 0 ? 0 : 4
    },
  },
]

const titles: Readonly<Record<DefinitionDocumentName, string>> = {
  properties: 'Property definitions',
  'device-model': 'Device model',
  'feature-model': 'Feature model',
}

function asText(name: string, found: ProductDefinitions): string[] {
  const { query, inUse, properties, stage, deviceModel, featureModel, observedAt } = found
  return [
    `${name} ${query.variantType}, firmware ${query.firmwareVersion}: definition version in use ${inUse.inUse} (${stage ?? 'stage not stated'}), schema ${inUse.schemaInUse}, as of ${moment(observedAt) ?? ''}`,
    ...(Object.keys(titles) as DefinitionDocumentName[]).map(
      (document) => `${titles[document]}: ${standing(found, document)}`,
    ),
    '',
    ...(properties.length === 0
      ? ['No properties.']
      : table(
          ['Property', 'Type', 'Access', 'Restarts', 'Allowed'],
          properties.map((one) => [
            one.name,
            one.understood ? one.type : 'as received',
            (['read', 'write', 'event', 'execute'] as const).filter((access) => one[access]).join(' '),
            restarts(one.restarts),
            !one.understood
              ? JSON.stringify(one.raw)
              : one.allowed.length > 0
                ? one.allowed.join(' ')
                : range(one.minimum, one.maximum),
          ]),
        )),
    ...(deviceModel === null || deviceModel.settings.length === 0
      ? []
      : [
          '',
          ...table(
            ['Device model', 'Type', 'Properties', 'Access', 'Restarts', 'Allowed'],
            deviceModel.settings.map((one) => [
              one.id,
              one.type,
              one.properties.join(' '),
              one.access,
              restarts(one.restarts),
              one.possibleValues.join(' '),
            ]),
          ),
        ]),
    ...(featureModel === null || featureModel.settings.length === 0
      ? []
      : [
          '',
          ...table(
            ['Feature model', 'Name', 'Kind', 'Restarts', 'Allowed'],
            featureModel.settings.map((one) => [
              one.id,
              one.name,
              one.kind,
              restarts(one.restarts),
              one.supported.length > 0 ? one.supported.join(' ') : range(one.minimum, one.maximum),
            ]),
          ),
        ]),
  ]
}

/** What a document says of itself, or why nothing is taken from it. */
function standing(
  { documents, failed, inUse, deviceModel, featureModel }: ProductDefinitions,
  name: DefinitionDocumentName,
): string {
  if (failed.some(({ document }) => document === name)) return 'could not be read.'
  const one = documents.find(({ document }) => document === name)
  if (one === undefined) return 'not published.'
  const version =
    one.definitionVersion === null
      ? 'definition version not stated'
      : `definition version ${one.definitionVersion}`
  const said = [
    version,
    ...(one.schemaVersion === null ? [] : [`schema ${one.schemaVersion}`]),
    one.stage ?? 'stage not stated',
  ].join(', ')
  if (one.aboveCeiling)
    return `${said}. It is above the ceiling ${inUse.ceiling} and is not used; --json shows it as received.`
  const settings =
    name === 'device-model'
      ? deviceModel?.settings.length
      : name === 'feature-model'
        ? featureModel?.settings.length
        : undefined
  return `${said}${settings === undefined ? '' : `, ${settings} ${settings === 1 ? 'setting' : 'settings'}`}.`
}

const restarts = (said: boolean | null): string | null => (said === null ? null : said ? 'yes' : 'no')

const range = (minimum: number | null, maximum: number | null): string | null =>
  minimum === null && maximum === null ? null : `${minimum ?? '…'} to ${maximum ?? '…'}`
