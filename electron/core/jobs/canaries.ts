import type { JobDetail, JobItem, JobPlan } from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { QueuedItem } from './item-queue.ts'
import type { TriedItem } from './job-rows.ts'
import type { WorkItem, WorkPlan } from './job-work.ts'

/** Details of items that were seen to work after their write. */
export const workedDetails = ['back-online', 'verified'] as const satisfies readonly JobDetail[]

export const hasWorked = ({ outcome, detail }: Pick<JobItem, 'outcome' | 'detail'>): boolean =>
  outcome === 'done' && workedDetails.some((one) => one === detail)

/**
 * Items of a job that wait until one of their family was tried: one room, or one device of each product. An
 * item that had nothing to do tries nothing, so the next one is its family's canary.
 */
export class Canaries {
  /** The item that is tried for a family; null: it ended. */
  readonly #canaryOf = new Map<string | null, number | null>()
  readonly #held = new Map<string | null, QueuedItem[]>()
  /** Monotonic time at which the canary of a family ended. */
  readonly #endedAt = new Map<string | null, number>()

  /** Items that wait for a canary. */
  get size(): number {
    let size = 0
    for (const { length } of this.#held.values()) size += length
    return size
  }

  /** An item of a stored job that was begun. */
  tried({ id, family, ended }: TriedItem): void {
    if (ended || this.#canaryOf.get(family) === undefined) this.#canaryOf.set(family, ended ? null : id)
  }

  /** Whether an item waits for the canary of its family; the first one is the canary. */
  holds(item: QueuedItem): boolean {
    const canary = this.#canaryOf.get(item.family)
    if (canary === undefined) this.#canaryOf.set(item.family, item.id)
    if (canary === undefined || canary === null || canary === item.id) return false
    this.#held.set(item.family, [...(this.#held.get(item.family) ?? []), item])
    return true
  }

  /** An item ended. The items that may be sent now; null: it was no canary. `idle`: it tried nothing. */
  ended(id: number, idle: boolean, monotonic: number): readonly QueuedItem[] | null {
    for (const [family, canary] of this.#canaryOf) {
      if (canary !== id) continue
      const held = this.#held.get(family) ?? []
      const [next, ...others] = held
      if (idle && next !== undefined) {
        this.#canaryOf.set(family, next.id)
        this.#held.set(family, others)
        return [next]
      }
      this.#canaryOf.set(family, null)
      this.#held.delete(family)
      this.#endedAt.set(family, monotonic)
      return held
    }
    return null
  }

  /** Monotonic time since which items of a family may be sent; null: no canary of it ended in this run. */
  since(family: string | null): number | null {
    return this.#endedAt.get(family) ?? null
  }

  clear(): void {
    this.#held.clear()
  }
}

/** As `job-rows.ts` reads it: devices of one product; all rooms. */
const familyOf = (memory: Json): number | undefined =>
  (memory as { readonly productId?: number } | null)?.productId

/** The items of a plan, the chosen ones before the others, each with the name of the item that is tried before it. */
export function withCanaries(items: readonly WorkItem[], chosen: readonly string[]): readonly WorkItem[] {
  const ranks = new Map(chosen.map((id, rank) => [id, rank]))
  const rankOf = ({ planned }: WorkItem): number => ranks.get(planned.target.id) ?? chosen.length
  const first = new Map<number | undefined, string>()
  return items
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((item) => {
      const family = familyOf(item.memory)
      const after = first.get(family)
      if (after === undefined) first.set(family, nameOf(item))
      return after === undefined ? item : { ...item, planned: { ...item.planned, after } }
    })
}

/** The products of a plan, each with the name of its device that is tried first. */
export function productsOf({ items, products }: WorkPlan): JobPlan['products'] {
  const first = new Map(
    items.flatMap((item) =>
      item.planned.after === undefined ? [[familyOf(item.memory), nameOf(item)] as const] : [],
    ),
  )
  return products?.map((product) => ({ ...product, first: first.get(product.productId) ?? '' }))
}

const nameOf = ({ planned: { target } }: WorkItem): string => target.name ?? target.id
