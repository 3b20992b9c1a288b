import type { DeviceRow } from '../../contract/api/devices.ts'
import type { FirmwareLinkQuery, Product, ProductId } from '../../contract/api/firmware.ts'
import type { KitContents, KitPart } from '../../contract/api/kits.ts'
import type { RecoveryFacts } from '../../contract/api/metadata.ts'
import { Failed, isCancelled, type Failure } from '../../contract/failure.ts'
import { isProductId, variantKey } from '../../contract/firmware.ts'
import type { Devices } from '../devices/devices.ts'
import { productKey, type Approvals, type Firmware, type Recovery } from '../firmware/firmware.ts'
import type { Rooms, SelectedRoom } from '../rooms/rooms.ts'
import type { RunningTask } from '../tasks.ts'

export interface ContentsDeps {
  readonly organization: { readonly id: string; readonly vendorId: number }
  readonly devices: Pick<Devices, 'selected' | 'listed'>
  readonly rooms: Pick<Rooms, 'selected'>
  readonly firmware: Pick<Firmware, 'product' | 'link'>
  readonly approvals: Pick<Approvals, 'decisions'>
  readonly recovery: Pick<Recovery, 'all'>
}

/** A file of the kit, and the firmware it contains. */
export interface WantedFile {
  readonly query: Omit<FirmwareLinkQuery, 'variant'>
  /** The product whose link is used; several products may publish the same file. */
  readonly product: Product
  /** The products that get it, and the `targetKey` of their devices that do. */
  readonly products: readonly Product[]
  readonly targets: readonly string[]
  /** Products that it restores from recovery mode and that get another version afterwards. */
  readonly recovers: readonly Product[]
  readonly url: string
  readonly version: string
  readonly buildType: string
  /** null: not published. */
  readonly bytes: number | null
}

export interface FoundContents {
  readonly rooms: readonly SelectedRoom[]
  /** By room and product. */
  readonly devices: readonly DeviceRow[]
  readonly products: readonly Product[]
  readonly files: readonly WantedFile[]
  /** The published data of these products' recovery ids. */
  readonly recovery: readonly RecoveryFacts[]
  readonly missing: readonly KitPart[]
  /** Some firmware is among the missing parts. */
  readonly lacksFirmware: boolean
}

/** Devices of one product and variant. */
export const targetKey = (id: ProductId, variant: string | null): string =>
  `${productKey(id)} ${variantKey(variant)}`

/** The content of a kit. Rejects with Failed `not-found` if the selection is empty. */
export async function contentsOf(
  wanted: KitContents,
  deps: ContentsDeps,
  task: RunningTask,
): Promise<FoundContents> {
  const { organization, firmware, approvals } = deps
  const { rooms, devices } = await subjectsOf(wanted, deps, task)
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
    throw Failed.notFound('A room, device or product for the kit')
  if (withoutProduct > 0)
    missing.push({
      what: `Firmware of ${withoutProduct} devices`,
      reason: 'Their records do not name a product.',
    })
  const decisions = await approvals.decisions()
  const products: Product[] = []
  const files = new Map<string, WantedFile>()
  let lacksFirmware = false
  const want = async (
    product: Product,
    wantedVersion: string,
    as: 'products' | 'recovers',
    variant: string | null = null,
  ): Promise<void> => {
    const { vendorId, productId } = product
    const query = { vendorId, productId, version: wantedVersion, buildType: null }
    try {
      const link = await firmware.link({ ...query, ...(variant && { variant }), refresh: false })
      const { url, md5, bytes, buildType, version } = link
      if (url === null) throw Failed.notFound('An address of its file')
      const key = md5 === null ? url : `${md5} ${version}`
      const file = files.get(key) ?? {
        query: { ...query, version, ...(link.bundle && { bundle: link.bundle.group }) },
        product,
        products: [],
        targets: [],
        recovers: [],
        url,
        version,
        buildType,
        bytes,
      }
      // The target version is also the one that restores it.
      const isKnown = file.products.includes(product) || file.recovers.includes(product)
      files.set(key, {
        ...file,
        ...(!isKnown && { [as]: [...file[as], product] }),
        targets: [...file.targets, ...(as === 'products' ? [targetKey(product, variant)] : [])],
      })
    } catch (error) {
      if (!(error instanceof Failed) || isCancelled(error)) throw error
      lacksFirmware = true
      const what = as === 'products' ? 'Firmware' : `Recovery firmware ${wantedVersion}`
      const part = { what: `${what} of ${nameAndIds(product)}`, reason: reasonOf(error.failure) }
      // As for another variant.
      if (!missing.some((one) => one.what === part.what && one.reason === part.reason)) missing.push(part)
    }
  }
  let at = 0
  for (const { id, of } of variants.values()) {
    task.step('documents', at++, variants.size)
    const product = await firmware.product(id)
    products.push(product)
    // If no devices are known, any variant may be at the site.
    const all = of.size > 0 ? [...of] : [null, ...product.variants.map(({ variantType }) => variantType)]
    for (const variant of all) {
      const decided = decisions.of(id, variant)
      const version = wanted.version === 'approved' && decided.kind === 'valid' ? decided.version : 'latest'
      await want(product, version, 'products', variant)
    }
  }
  const recovery = await recoveryOf(products, deps, task, missing)
  for (const { firmware: release, products: of } of recovery)
    for (const product of release === null || release.revoked
      ? []
      : products.filter((one) => isAmong(of, one)))
      await want(product, release?.version ?? '', 'recovers')
  return { rooms, devices, products, files: [...files.values()], recovery, missing, lacksFirmware }
}

const isAmong = (products: readonly Product[], product: Product): boolean =>
  products.some((one) => productKey(one) === productKey(product))

/** The published data of these products' recovery ids; unreadable data counts as a missing part. */
async function recoveryOf(
  products: readonly Product[],
  { recovery }: ContentsDeps,
  task: RunningTask,
  missing: KitPart[],
): Promise<readonly RecoveryFacts[]> {
  if (products.length === 0) return []
  try {
    const { answers, failure } = await recovery.all(new Set(products.map(({ vendorId }) => vendorId)), task)
    if (failure !== null) missing.push({ what: 'Some of the recovery steps', reason: reasonOf(failure) })
    return answers.filter((answer) => answer.products.some((one) => isAmong(products, one)))
  } catch (error) {
    if (!(error instanceof Failed) || task.signal.aborted) throw error
    missing.push({ what: 'Recovery steps', reason: reasonOf(error.failure) })
    return []
  }
}

/** Products with one name are distinguished by their ids. */
export const nameAndIds = ({ name, vendorId, productId }: Product): string =>
  `${name} (${vendorId}/${productId})`

async function subjectsOf(
  wanted: KitContents,
  { organization: { id }, devices, rooms }: ContentsDeps,
  task: RunningTask,
): Promise<{ readonly rooms: readonly SelectedRoom[]; readonly devices: readonly DeviceRow[] }> {
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

/** Why a part is missing, for readers of the kit without this program. */
export function reasonOf(failure: Failure): string {
  switch (failure.kind) {
    case 'not-found':
      // What is missing is named beside it.
      return /[.!?]$/.test(failure.what) ? failure.what : 'Not found, or not published.'
    case 'offline':
    case 'timed-out':
    case 'service-unavailable':
      return `${failure.call.host ?? 'The service'} could not be reached or did not answer.`
    case 'refused':
      return `${failure.call.host ?? 'The service'} refused it with ${failure.status}.`
    case 'unreadable-answer':
      return `The answer of ${failure.call.host ?? 'the service'} could not be read.`
    case 'file-mismatch':
      return `The downloaded file differs from the published one or from earlier downloads (${failure.what}).`
    case 'address-refused':
      return `Headroom does not download from ${failure.address}.`
    case 'folder-unusable':
      if (failure.reason === 'too-large') return 'The file is too large for the file system of this drive.'
      if (failure.reason === 'no-room') return 'There is not enough space on this drive.'
      return `The file could not be written (${failure.reason}).`
    case 'cancelled':
      return 'Its download was paused or cancelled.'
    default:
      return `It could not be downloaded (${failure.kind}).`
  }
}
