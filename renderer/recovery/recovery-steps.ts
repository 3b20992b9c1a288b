import type { RecoveryAnswer } from '../../electron/contract/api/metadata.ts'
import { text } from '../locales/i18n.ts'
import { formatCount, formatHex } from '../parts/format.ts'

/** Names of the products, each once: the same headset is several products, one for each connection and platform. */
export function namesOf(found: RecoveryAnswer): string {
  const names = [...new Set(found.products.map((product) => product.name))]
  const [first = text('recovery.unknownProduct'), second] = names
  if (names.length > 2) return text('recovery.andMore', { name: first, n: formatCount(names.length - 1) })
  return second === undefined ? first : text('recovery.and', { first, second })
}

/** Something is there to put on the device: without it steps would only look like help. */
export const canRecover = (found: RecoveryAnswer): boolean =>
  found.firmware !== null || found.configurations.length > 0

/** What to do at the desk, in order. General steps: the service publishes none, the vendor's own come first where there are some. */
export function stepsFor(found: RecoveryAnswer): readonly string[] {
  const id = formatHex(found.dfuProductId)
  const ids = [...new Set(found.products.map((product) => formatHex(product.productId)))]
  const file = found.firmware?.fileName ?? null
  const version = found.firmware?.version ?? null
  return [
    text('recovery.steps.connect', { id }),
    found.link
      ? text(file === null ? 'recovery.steps.download' : 'recovery.steps.downloadFile', { file })
      : text('recovery.steps.noLink'),
    ...(found.firmware?.md5 ? [text('recovery.steps.compare', { md5: found.firmware.md5 })] : []),
    version === null ? text('recovery.steps.update') : text('recovery.steps.updateTo', { version }),
    text('recovery.steps.wait'),
    ids.length > 0
      ? text(ids.length > 1 ? 'recovery.steps.checkOne' : 'recovery.steps.check', {
          id: ids.join(', '),
          name: namesOf(found),
        })
      : text('recovery.steps.checkAny', { id }),
  ]
}
