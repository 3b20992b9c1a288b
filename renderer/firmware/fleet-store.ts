import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type {
  Approval,
  Approvals,
  FleetStatus,
  ProductId,
  ProductStatus,
} from '../../electron/contract/api/firmware.ts'
import type { CompareWith } from '../../electron/contract/firmware.ts'
import { byNameOrder } from '../../electron/contract/name-order.ts'
import { api } from '../api.ts'
import { formatCount, formatHex } from '../components/format.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { countedText } from '../locales/i18n.ts'
import { pictureClass } from '../pictures/pictures-store.ts'
import type { GridPlace } from '../lists/grid-rows.ts'

/**
 * Minimum interval of reloading the counts while a sync adds devices, because each count is a scan of the
 * fleet.
 */
const AGAIN_AFTER_IN_MS = 2_000

export type ProductColumn =
  | 'name'
  | 'devices'
  | 'newest'
  | 'released'
  | 'inUse'
  | 'standing'
  | 'approved'
  | 'current'
  | 'behind'
  | 'changes'
  | 'unknown'
  | 'actions'

/** The products of the fleet and their approved versions. */
export const useFleetFirmware = defineStore('fleet-firmware', () => {
  const appLayout = useLayoutStore()
  const status = latestResult<FleetStatus>()
  const organization = (): string => appLayout.current?.id ?? ''
  const approved = resultOf<Approvals>(organization)
  const approvals = computed(() => approved.answer.value.value?.approvals ?? [])
  const comparedWith = computed<CompareWith>(() => approved.answer.value.value?.comparedWith ?? 'latest')
  const sort = ref<readonly { readonly column: ProductColumn; readonly descending: boolean }[]>([
    { column: 'behind', descending: true },
  ])

  const products = computed(() => status.value.value?.products ?? [])
  const words = ref('')
  const rows = computed(() =>
    products.value.filter((one) => isFoundBy(one, words.value)).toSorted(compared(sort.value)),
  )
  /** The product that was opened last, and the position of the list without it. */
  const openedKey = ref<string | null>(null)
  const place = shallowRef<GridPlace | null>(null)

  async function loadApprovals(): Promise<void> {
    await approved.take(organization(), api.firmware.approvals(undefined))
  }
  const load = async (): Promise<void> =>
    void (await Promise.all([status.take(api.firmware.status({})), loadApprovals()]))

  return {
    status: status.value,
    failure: status.failure,
    busy: status.busy,
    approvals,
    /** Whether a version is approved for any product; true until this is known. */
    anyApproved: computed(
      () => approved.answer.value.value?.approvals.some(({ state }) => state === 'valid') ?? true,
    ),
    comparedWith,
    products,
    rows,
    words,
    sort,
    openedKey,
    place,
    /** A product was opened elsewhere: the list shows it when it is next on screen. */
    opened(id: ProductId) {
      if (openedKey.value === productKey(id)) return
      openedKey.value = productKey(id)
      place.value = null
      if (!rows.value.some((one) => sameProduct(one, id))) words.value = ''
    },
    load,
    loadApprovals,
    productOf: (id: ProductId): ProductStatus | null =>
      products.value.find((one) => sameProduct(one, id)) ?? null,
    approvalsOf: (id: ProductId): readonly Approval[] =>
      approvals.value.filter(({ product }) => sameProduct(product, id)),
    /** The valid version for all variants of a product; null: none. */
    approvedFor: (id: ProductId): string | null =>
      approvals.value.find(
        ({ product, variant, state }) => sameProduct(product, id) && variant === null && state === 'valid',
      )?.version ?? null,
    /** Subscribes to events; returns the function that stops it. */
    follow(): () => void {
      const again = throttle(() => void load(), AGAIN_AFTER_IN_MS)
      const disposers = [api.devices, api.firmware, api.organizations].map((feature) =>
        feature.changed(again.call),
      )
      return () => {
        again.stop()
        for (const end of disposers) end()
      }
    },
    async compareWith(word: CompareWith) {
      const outcome = await api.firmware.compareWith({ with: word })
      if (outcome.ok) await load()
      return outcome
    },
    approve: (given: Parameters<typeof api.firmware.approve>[0]) => then(api.firmware.approve(given), load),
    unapprove: (given: Parameters<typeof api.firmware.unapprove>[0]) =>
      then(api.firmware.unapprove(given), load),
  }
})

export const productKey = ({ vendorId, productId }: ProductId): string => `${vendorId}/${productId}`

/** By its name, its product id in both notations, or a version of it. */
function isFoundBy({ name, productId, newest, approved, inUse }: ProductStatus, words: string): boolean {
  const text = [name, String(productId), formatHex(productId), newest, approved]
    .concat(inUse.map(({ version }) => version))
    .join(' ')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** As many as fit below an empty state. */
const LARGEST = 6
export const largestOf = (products: readonly ProductStatus[]): readonly ProductStatus[] =>
  products.toSorted((a, b) => b.devices - a.devices).slice(0, LARGEST)

/** A product as a line to begin with. */
export const lineOf = (one: ProductId & { readonly name: string; readonly devices: number }) => ({
  key: productKey(one),
  picture: pictureClass(one.vendorId, one.productId, one.name),
  name: one.name,
  beside: formatHex(one.productId),
  end: countedText('palette.devices', one.devices, { n: formatCount(one.devices) }),
})

const sameProduct = (one: ProductId, other: ProductId): boolean =>
  one.vendorId === other.vendorId && one.productId === other.productId

/** Runs an action, then reloads the visible data after any result. */
async function then<T>(work: Promise<T>, load: () => Promise<void>): Promise<T> {
  const outcome = await work
  await load()
  return outcome
}

/** The most common version of the devices with another version; null: none is known. */
export const otherThan = (
  inUse: ProductStatus['inUse'],
  wanted: string | null,
): ProductStatus['inUse'][number] | null =>
  inUse.find(({ version }) => version !== null && version !== wanted) ?? null

/** Share of the devices with the expected version, in whole per cent, never rounded up; null: none could be compared. */
export const currentShare = ({
  current,
  devices,
  unknown,
}: Pick<ProductStatus, 'current' | 'devices' | 'unknown'>): number | null =>
  devices === unknown ? null : Math.floor((100 * current) / devices)

/** More than the devices of a product. */
const REVOKED_WEIGHS = 10_000_000
const valueOf: Readonly<Record<ProductColumn, (one: ProductStatus) => string | number>> = {
  name: (one) => one.name,
  devices: (one) => one.devices,
  newest: (one) => one.newest ?? '',
  released: (one) => one.newestReleasedAt ?? 0,
  inUse: () => 0,
  approved: (one) => one.approved ?? '',
  standing: (one) => currentShare(one) ?? -1,
  current: (one) => currentShare(one) ?? -1,
  // Those on revoked firmware come first.
  behind: (one) => one.revoked * REVOKED_WEIGHS + one.behind,
  changes: () => 0,
  unknown: (one) => one.unknown,
  actions: () => 0,
}

/** Order of equal ones: most devices first, then by name. */
function compared(
  sort: readonly { readonly column: ProductColumn; readonly descending: boolean }[],
): (a: ProductStatus, b: ProductStatus) => number {
  return (a, b) => {
    for (const { column, descending } of sort) {
      const [one, other] = [valueOf[column](a), valueOf[column](b)]
      const order =
        typeof one === 'number' && typeof other === 'number'
          ? one - other
          : byNameOrder(String(one), String(other))
      if (order !== 0) return descending ? -order : order
    }
    return b.devices - a.devices || byNameOrder(a.name, b.name)
  }
}
