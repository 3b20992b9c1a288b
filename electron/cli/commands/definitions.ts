import type { DefinitionDocument } from '../../contract/definition.ts'
import { show, text, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { moment, table } from '../table.ts'

export const definitionCommands: readonly Command[] = [
  {
    name: 'definitions show',
    operands: ['PRODUCT'],
    options: {
      variant: { type: 'string', help: 'variant, such as 01-64 (default: the product’s first)' },
      firmware: { type: 'string', help: 'firmware version (default: the latest release)' },
    },
    summary: 'the property definitions, device model and feature model of a product and firmware',
    run: async (console, given, terminal) => {
      const desk = await console.desks.current()
      const product = await desk.firmware.find(given.operands[0] ?? '')
      const { vendorId, productId } = product
      const variantType = text(given, 'variant') ?? product.variants.find((one) => one.variantType !== '')?.variantType
      if (variantType === undefined) throw new UsageError(`The catalogue names no variant of ${product.name}: say --variant.`)
      const firmwareVersion =
        text(given, 'firmware') ?? (await desk.firmware.releases({ vendorId, productId })).releases.find((release) => release.latest)?.version
      if (firmwareVersion === undefined) throw new UsageError(`No firmware of ${product.name} is published: say --firmware.`)
      const document = await console.answers.definitions.read({ vendorId, productId, variantType, firmwareVersion })
      show(given, terminal, document, () => asText(product.name, document))
      return 0
    },
  },
]

function asText(
  name: string,
  { query, inUse, properties, propertiesNotPublished, stage, deviceModel, featureModel, observedAt }: DefinitionDocument,
): string[] {
  const yes = (flag: boolean, word: string): string => (flag ? word : '')
  return [
    `${name} ${query.variantType}, firmware ${query.firmwareVersion}: definition version ${inUse.inUse}${stage === null ? '' : ` (${stage})`}, schema ${inUse.schemaInUse}, as of ${moment(observedAt) ?? ''}`,
    '',
    ...(propertiesNotPublished
      ? ['Property definitions: not published.']
      : table(
          ['Property', 'Type', 'Access', 'Restarts', 'Allowed'],
          properties.map((one) => [
            one.name,
            one.type,
            [yes(one.read, 'read'), yes(one.write, 'write'), yes(one.event, 'event'), yes(one.execute, 'execute')].filter(Boolean).join(' '),
            one.restarts === null ? null : one.restarts ? 'yes' : 'no',
            one.allowed.length > 0 ? one.allowed.join(' ') : range(one.minimum, one.maximum),
          ]),
        )),
    '',
    deviceModel === null ? 'Device model: not published.' : `Device model: ${deviceModel.settings.length} settings.`,
    '',
    ...(featureModel === null
      ? ['Feature model: not published.']
      : table(
          ['Setting', 'Name', 'Kind', 'Restarts', 'Allowed'],
          featureModel.settings.map((one) => [
            one.id,
            one.name,
            one.kind,
            one.restarts === null ? null : one.restarts ? 'yes' : 'no',
            one.supported.length > 0 ? one.supported.join(' ') : range(one.minimum, one.maximum),
          ]),
        )),
  ]
}

const range = (minimum: number | null, maximum: number | null): string | null =>
  minimum === null && maximum === null ? null : `${minimum ?? '…'} to ${maximum ?? '…'}`
