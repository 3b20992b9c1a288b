import type { DeviceRow } from '../../contract/api/devices.ts'
import type { FirmwareLinkQuery, Product, ProductId } from '../../contract/api/firmware.ts'
import type { KitContents, KitPart } from '../../contract/api/kits.ts'
import type { Room } from '../../contract/api/rooms.ts'
import { Failed, type Failure } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { Devices } from '../devices/devices.ts'
import type { Approvals, Firmware } from '../firmware/firmware.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { RunningTask } from '../tasks.ts'

export interface ContentsParts {
  readonly organization: { readonly id: string; readonly vendorId: number }
  readonly devices: Pick<Devices, 'selected' | 'listed'>
  readonly rooms: Pick<Rooms, 'selected'>
  readonly firmware: Pick<Firmware, 'product' | 'link'>
  readonly approvals: Pick<Approvals, 'decisions'>
}

/** A file that belongs into the kit, and whose firmware it is. */
export interface WantedFile {
  readonly query: Omit<FirmwareLinkQuery, 'variant'>
  /** Several products may publish the same file. */
  readonly products: readonly Product[]
  readonly url: string
  readonly version: string
  readonly buildType: string
  /** null: not published. */
  readonly bytes: number | null
}

export interface FoundContents {
  readonly rooms: readonly Room[]
  /** By room and product. */
  readonly devices: readonly DeviceRow[]
  readonly products: readonly Product[]
  readonly files: readonly WantedFile[]
  readonly missing: readonly KitPart[]
}

export const productKey = ({ vendorId, productId }: ProductId): string => `${vendorId}/${productId}`

/** What belongs into a kit. Rejects with Failed `not-found` where nothing is meant. */
export async function contentsOf(
  wanted: KitContents,
  parts: ContentsParts,
  task: RunningTask,
): Promise<FoundContents> {
  const { organization, firmware, approvals } = parts
  const { rooms, devices } = await subjectsOf(wanted, parts, task)
  const missing: KitPart[] = []
  const variants = new Map<string, { readonly id: ProductId; readonly of: Set<string | null> }>()
  for (const id of wanted.products) variants.set(productKey(id), { id, of: new Set() })
  let withoutProduct = 0
  for (const { productId, variantType } of devices) {
    if (productId === null || !isProductId(productId)) {
      withoutProduct++
      continue
    }
    const id = { vendorId: organization.vendorId, productId }
    const known = variants.get(productKey(id)) ?? { id, of: new Set() }
    variants.set(productKey(id), known)
    known.of.add(variantType)
  }
  if (rooms.length + devices.length + variants.size === 0)
    throw new Failed({ kind: 'not-found', call: null, what: 'A room, device or product for the kit' })
  if (withoutProduct > 0)
    missing.push({
      what: `Firmware of ${withoutProduct} devices`,
      reason: 'Their records name no product.',
    })
  const decisions = await approvals.decisions()
  const products: Product[] = []
  const files = new Map<string, WantedFile>()
  let at = 0
  for (const { id, of } of variants.values()) {
    task.step('documents', at++, variants.size)
    const product = await firmware.product(id)
    products.push(product)
    // Without devices every variant may be the one on the site.
    const all = of.size > 0 ? [...of] : [null, ...product.variants.map(({ variantType }) => variantType)]
    const versions = new Set(
      all.map((variant) => {
        const decided = decisions.of(id, variant)
        return wanted.version === 'approved' && decided.kind === 'valid' ? decided.version : 'latest'
      }),
    )
    for (const version of versions) {
      const query = { ...id, version, buildType: null }
      try {
        const link = await firmware.link({ ...query, refresh: false })
        const { url, md5, bytes, buildType } = link
        if (url === null) throw new Failed({ kind: 'not-found', call: null, what: 'An address of its file' })
        const key = md5 === null ? url : `${md5} ${link.version}`
        const same = files.get(key)
        if (same?.products.includes(product) === true) continue
        files.set(key, {
          query: { ...query, version: link.version, ...(link.bundle && { bundle: link.bundle.group }) },
          products: [...(same?.products ?? []), product],
          ...{ url, version: link.version, buildType, bytes },
          ...(same === undefined ? {} : { query: same.query, url: same.url }),
        })
      } catch (error) {
        if (!(error instanceof Failed) || error.failure.kind === 'cancelled') throw error
        missing.push({ what: `Firmware of ${nameAndIds(product)}`, reason: reasonOf(error.failure) })
      }
    }
  }
  return { rooms, devices, products, files: [...files.values()], missing }
}

/** Products of one name are told apart by their ids. */
export const nameAndIds = ({ name, vendorId, productId }: Product): string =>
  `${name} (${vendorId}/${productId})`

async function subjectsOf(
  wanted: KitContents,
  { organization: { id }, devices, rooms }: ContentsParts,
  task: RunningTask,
): Promise<{ readonly rooms: readonly Room[]; readonly devices: readonly DeviceRow[] }> {
  const chosen = wanted.rooms === null ? [] : (await rooms.selected(id, wanted.rooms)).rooms
  const there = chosen.filter(({ gone }) => !gone)
  const ids = new Set([
    ...there.flatMap((room) => (room.devices ?? []).map((device) => device.id)),
    ...(wanted.devices === null ? [] : await devices.selected(id, wanted.devices)),
  ])
  const found: DeviceRow[] = []
  const { total, batches } = await devices.listed(id, { kind: 'picked', ids: [...ids] }, [
    { column: 'roomName', descending: false },
    { column: 'productName', descending: false },
    { column: 'serialNumber', descending: false },
  ])
  for await (const batch of batches) {
    task.step('finding', found.length, total)
    found.push(...batch.filter(({ gone }) => !gone))
  }
  return { rooms: there, devices: found }
}

/** Why a part is missing, for whoever stands before the kit without this program. */
export function reasonOf(failure: Failure): string {
  switch (failure.kind) {
    case 'not-found':
      return /[.!?]$/.test(failure.what) ? failure.what : `${failure.what}: not found, or not published.`
    case 'offline':
    case 'timed-out':
    case 'service-unavailable':
      return `${failure.call.host} could not be reached or did not answer.`
    case 'refused':
      return `${failure.call.host} refused it with ${failure.status}.`
    case 'unreadable-answer':
      return `What ${failure.call.host} sent could not be read.`
    case 'file-mismatch':
      return `The file that came is not the one that was published or received before (${failure.what}).`
    case 'address-refused':
      return `The address ${failure.address} is not one that files are taken from.`
    case 'folder-unusable':
      if (failure.reason === 'too-large') return 'The file is larger than this drive can hold.'
      if (failure.reason === 'no-room') return 'This drive has not enough room for it.'
      return `It could not be written (${failure.reason}).`
    case 'cancelled':
      return 'Its download was paused or cancelled.'
    default:
      return `It could not be had (${failure.kind}).`
  }
}
