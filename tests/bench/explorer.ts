import { answer } from '../fake-transport.ts'
import { explorerRig } from '../core/explorer/explorer-rig.ts'
import { median, rounded } from './load/in-page.ts'

const repeats = 5

/**
 * A response of five megabytes in the Explorer, from its bytes to the display, compared with JSON.parse of the same text (guide: within a
 * second).
 */
export async function run(): Promise<object> {
  const body = JSON.stringify(
    Array.from({ length: 60_000 }, (_, index) => ({ version: `1.${index}.0`, note: 'x'.repeat(60) })),
  )
  const { explorer } = await explorerRig(() => answer(200, body))
  const shown: number[] = []
  const parsed: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const begun = performance.now()
    await explorer.run({ operation: 'GetGnpSchemaVersions', parameters: {}, unlock: false })
    const between = performance.now()
    JSON.parse(body)
    shown.push(between - begun)
    parsed.push(performance.now() - between)
  }
  return {
    bytes: body.length,
    shownInMs: rounded(median(shown)),
    parsedInMs: rounded(median(parsed)),
    ratio: rounded(median(shown) / median(parsed)),
  }
}
