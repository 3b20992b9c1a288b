export type ChangeKind =
  'appeared' | 'gone' | 'came-back' | 'went-offline' | 'back-online' | 'rebooted' | 'firmware-changed' | 'moved-room' | 'renamed' | 'status-changed'

/** What a sync found different from what was known. */
export interface Change {
  readonly id: number
  readonly of: 'device' | 'room'
  readonly subjectId: string
  readonly subjectName: string
  readonly kind: ChangeKind
  readonly before: string | null
  readonly after: string | null
  readonly observedAt: number
}
