import { Failed } from '../../contract/failure.ts'
import type { RecoveryFacts, TelemetryEvent } from '../../contract/api/metadata.ts'
import { updaterPlatform } from '../../contract/recovery-steps.ts'
import { show, type Command } from '../command.ts'
import { sentence } from '../texts.ts'
import { table } from '../table.ts'

export const metadataCommands: readonly Command[] = [
  {
    name: 'recovery',
    operands: ['ID'],
    summary:
      'looks up a device in recovery mode by its USB id: products, firmware and updater configurations',
    run: async (core, given, terminal) => {
      const answer = await core.handlers.metadata.recovery({ text: given.operands[0] ?? '' })
      const { vendorId, dfuProductId, products, firmware, link, configurations, failed } = answer
      for (const { document, failure } of failed)
        terminal.say(`The published ${documents[document]} could not be read. ${sentence(failure)}`)
      const notFound = new Failed(
        failed[0]?.failure ?? {
          kind: 'not-found',
          call: null,
          what: `a product with the recovery id ${vendorId}/${dfuProductId}`,
        },
      )
      if (products.length + configurations.length === 0 && firmware === null) throw notFound
      const document = {
        id: { vendorId, productId: dfuProductId },
        products: products.map(({ vendorId: vendor, productId, name }) => ({
          vendorId: vendor,
          productId,
          name,
        })),
        firmware: firmware && { ...firmware, link },
        updaters: configurations.map((record) => ({ platform: updaterPlatform(record), ...record })),
      }
      show(given, terminal, document, () => [
        `Recovery id ${vendorId}/${dfuProductId}`,
        ...(products.length === 0
          ? ['No product is published for it.']
          : products.map((one) => `Product      ${one.name} (${one.vendorId}/${one.productId})`)),
        `Firmware     ${firmware === null ? 'not published' : [firmware.version, firmware.fileName, firmware.revoked ? 'revoked' : ''].filter(Boolean).join('  ')}`,
        ...(link === null ? [] : [`Link         ${link.url}`]),
        ...configurations.map(
          (record) => `Updater      ${updaterPlatform(record) ?? '–'}  ${JSON.stringify(record)}`,
        ),
      ])
      if (products.length === 0) {
        // What is published for the id is shown, but nothing says which device it is for.
        terminal.say(sentence(notFound.failure))
        return 3
      }
      return failed.length > 0 ? 4 : 0
    },
  },
  {
    name: 'telemetry',
    options: { refresh: { type: 'boolean', help: 'ask the service again' } },
    summary: 'lists the telemetry events that the service describes',
    run: async (core, given, terminal) => {
      const { events, unreadable, raw } = await core.handlers.metadata.telemetry({
        refresh: given.options['refresh'] === true,
      })
      if (unreadable.count > 0)
        terminal.say(
          `${unreadable.count} of its records cannot be read; --json shows ${unreadable.count === 1 ? 'it' : 'them'} as received.`,
        )
      return show(given, terminal, { total: events.length, events, unreadable, raw }, () =>
        table(
          ['Kind', 'Name', 'What'],
          events.map((event) => [event.kind, event.name, aboutEvent(event)]),
        ),
      )
    },
  },
]

const documents: Readonly<Record<RecoveryFacts['failed'][number]['document'], string>> = {
  ids: 'recovery ids',
  firmware: 'firmware',
  configurations: 'updater configurations',
  link: 'download link',
}

function aboutEvent(event: TelemetryEvent): string {
  const { kind: _, name: __, ...others } = event
  return Object.entries(others)
    .map(([name, value]) => `${name} ${value === null ? '–' : String(value)}`)
    .join(', ')
}
