import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'

/** One page as received: records not yet read. */
export interface Page {
  readonly items: readonly Json[]
  /** null: the last page. */
  readonly nextToken: string | null
  readonly receivedAt: number
  readonly calls: number
}

export type DeviceStream = 'MeetingRoom' | 'Personal' | 'all'

/** Interface B. Rejects with Failed. */
export interface Management {
  devicePage(request: { stream: DeviceStream; token: string | null; pageSize: number; lane: Lane; signal: AbortSignal | null }): Promise<Page>
  roomPage(request: { token: string | null; pageSize: number; lane: Lane; signal: AbortSignal | null }): Promise<Page>
  /** A room by the group id of any one of its devices. */
  room(request: { groupId: string; lane: Lane; signal: AbortSignal | null }): Promise<{ raw: Json; receivedAt: number }>
}
