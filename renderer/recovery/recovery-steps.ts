import type { RecoveryFacts } from '../../electron/contract/api/metadata.ts'
import { recoverySteps } from '../../electron/contract/recovery-steps.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'

/**
 * Names of the products, each once: the same headset exists as several products, one for each connection and
 * platform.
 */
export function productNames(found: RecoveryFacts): string {
  const names = [...new Set(found.products.map((product) => product.name))]
  const [first = text('recovery.unknownProduct'), second] = names
  if (names.length > 2) return text('recovery.andMore', { name: first, n: formatCount(names.length - 1) })
  return second === undefined ? first : text('recovery.and', { first, second })
}

/** The steps as text. */
export const stepsFor = (found: RecoveryFacts): readonly string[] =>
  recoverySteps(found, productNames(found)).map(({ step, values }) => text(`recovery.steps.${step}`, values))
