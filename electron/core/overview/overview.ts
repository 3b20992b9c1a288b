import { Failed } from '../../contract/failure.ts'
import type { Overview } from '../../contract/overview.ts'
import type { Changes } from '../changes/changes.ts'
import type { Clock } from '../host.ts'
import type { Store } from '../storage/store.ts'

/** Work to do, from the cache alone. Rejects with Failed `cache-unusable`. */
export interface OverviewReader {
  get(organizationId: string, staleAfterInMs: number): Promise<Overview>
}

export function openOverview(_parts: { readonly store: Store; readonly changes: Changes; readonly clock: Clock }): OverviewReader {
  return { get: () => Promise.reject(new Failed({ kind: 'invalid', field: 'call', message: 'This cannot be asked yet.' })) }
}
