/** How a tag stands on what is chosen: on all, on some, on none; null: nobody counted. */
export type Standing = 'all' | 'some' | 'none' | null
/** What a box shows and, at the end, does: put on, take off, leave as it is. */
export type Mark = 'on' | 'off' | 'leave'

export interface TagLine {
  readonly name: string
  readonly standing: Standing
  readonly mark: Mark
}

export function standingOf(carrying: number | undefined, of: number | null): Standing {
  if (carrying === undefined || of === null) return null
  return carrying === 0 ? 'none' : carrying >= of ? 'all' : 'some'
}
/** What a box shows before it is touched. */
export const markAtFirst = (standing: Standing): Mark =>
  standing === 'all' ? 'on' : standing === 'none' ? 'off' : 'leave'

/** As in mail programs: what is on some goes on all, then off all, then back as it was; what is on all or none has no third way. */
export function nextMark({ standing, mark }: Pick<TagLine, 'standing' | 'mark'>): Mark {
  if (mark === 'leave') return 'on'
  if (mark === 'on') return 'off'
  return standing === 'some' || standing === null ? 'leave' : 'on'
}

/** What the boxes mean, leaving out what is so already. */
export function changeOf(lines: readonly TagLine[]): {
  readonly add: readonly string[]
  readonly remove: readonly string[]
} {
  return {
    add: lines.filter((line) => line.mark === 'on' && line.standing !== 'all').map((line) => line.name),
    remove: lines.filter((line) => line.mark === 'off' && line.standing !== 'none').map((line) => line.name),
  }
}
