import type { changeKindWords } from './filter/filter-words.ts'

export type ChangeKind = (typeof changeKindWords)[number]
