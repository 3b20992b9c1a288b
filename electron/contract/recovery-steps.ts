import type { RecoveryFacts } from './api/metadata.ts'
import type { JsonObject } from './json.ts'

/** A step by its name, and the values for its sentence. */
export interface RecoveryStep {
  readonly step:
    | 'connect'
    | 'download'
    | 'downloadFile'
    | 'noLink'
    | 'compare'
    | 'update'
    | 'updateTo'
    | 'wait'
    | 'check'
    | 'checkOne'
    | 'checkAny'
  readonly values: Readonly<Record<string, string>>
}

/** There is something to install on the device: without it the steps would not help. */
export const canRecover = (found: RecoveryFacts): boolean =>
  found.firmware !== null || found.configurations.length > 0

/** In USB notation: `0x24B9`. */
export const usbId = (id: number): string =>
  `${id < 0 ? '-' : ''}0x${Math.abs(id).toString(16).toUpperCase().padStart(4, '0')}`

/**
 * The steps at the bench, in order. They are general because the service publishes none; the vendor's own
 * steps come first if there are any.
 */
export function recoverySteps(found: RecoveryFacts, name: string): readonly RecoveryStep[] {
  const id = usbId(found.dfuProductId)
  const ids = [...new Set(found.products.map((product) => usbId(product.productId)))]
  const offered = found.firmware?.revoked === true ? null : found.firmware
  const { fileName: file = null, version = null, md5 = null } = offered ?? {}
  const step = (of: RecoveryStep['step'], values: RecoveryStep['values'] = {}): RecoveryStep => ({
    step: of,
    values,
  })
  return [
    step('connect', { id }),
    found.link === null ? step('noLink') : file === null ? step('download') : step('downloadFile', { file }),
    ...(md5 === null ? [] : [step('compare', { md5 })]),
    version === null ? step('update') : step('updateTo', { version }),
    step('wait'),
    ids.length === 0
      ? step('checkAny', { id })
      : step(ids.length > 1 ? 'checkOne' : 'check', { id: ids.join(', '), name }),
  ]
}

/**
 * Neither the values for platforms nor the name of their member are published: this is a text whose member
 * name suggests a platform. null: there is none.
 */
export function updaterPlatform(configuration: JsonObject): string | null {
  for (const [name, value] of Object.entries(configuration))
    if (/platform|operatingSystem|^os$/i.test(name) && typeof value === 'string') return value
  return null
}
