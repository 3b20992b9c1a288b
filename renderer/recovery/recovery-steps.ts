import type { RecoveryAnswer } from '../../electron/contract/metadata.ts'
import { text } from '../locales/i18n.ts'
import { formatHex } from '../parts/format.ts'

/** What to do at the desk, in order. General steps: the service publishes none, the vendor's own come first where there are some. */
export function stepsFor(found: RecoveryAnswer): readonly string[] {
  const id = formatHex(found.dfuProductId)
  const product = found.products[0]
  const file = found.firmware?.fileName ?? null
  const version = found.firmware?.version ?? null
  return [
    text('recovery.steps.connect', { id }),
    found.link ? text(file === null ? 'recovery.steps.download' : 'recovery.steps.downloadFile', { file }) : text('recovery.steps.noLink'),
    ...(found.firmware?.md5 ? [text('recovery.steps.compare', { md5: found.firmware.md5 })] : []),
    version === null ? text('recovery.steps.update') : text('recovery.steps.updateTo', { version }),
    text('recovery.steps.wait'),
    product ? text('recovery.steps.check', { id: formatHex(product.productId), name: product.name }) : text('recovery.steps.checkAny', { id }),
  ]
}
