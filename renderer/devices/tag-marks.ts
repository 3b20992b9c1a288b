/** Whether the selected devices have a tag: all, some, none; null: not counted. */
export type TagCoverage = 'all' | 'some' | 'none' | null
/** The state of a check box, which is also its effect: add, remove, unchanged. */
export type Mark = 'on' | 'off' | 'leave'

export interface TagLine {
  readonly name: string
  readonly coverage: TagCoverage
  readonly mark: Mark
}

export function coverageOf(carrying: number | undefined, of: number | null): TagCoverage {
  if (carrying === undefined || of === null) return null
  return carrying === 0 ? 'none' : carrying >= of ? 'all' : 'some'
}
/** The initial state of a check box. */
export const markAtFirst = (coverage: TagCoverage): Mark =>
  coverage === 'all' ? 'on' : coverage === 'none' ? 'off' : 'leave'

/**
 * As in mail programs: a tag on some devices is set on all, then removed from all, then restored; a tag on
 * all or none has no third state.
 */
export function nextMark({ coverage, mark }: Pick<TagLine, 'coverage' | 'mark'>): Mark {
  if (mark === 'leave') return 'on'
  if (mark === 'on') return 'off'
  return coverage === 'some' || coverage === null ? 'leave' : 'on'
}

/** The changes that the check boxes make, without those that have no effect. */
export function changeOf(lines: readonly TagLine[]): {
  readonly add: readonly string[]
  readonly remove: readonly string[]
} {
  return {
    add: lines.filter((line) => line.mark === 'on' && line.coverage !== 'all').map((line) => line.name),
    remove: lines.filter((line) => line.mark === 'off' && line.coverage !== 'none').map((line) => line.name),
  }
}
