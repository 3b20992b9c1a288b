import { listNames, type ListName } from '../../electron/contract/view.ts'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { vocabularies } from '../../electron/contract/filter/filter-words.ts'

/** Which list a vocabulary is of: keys of the same name are explained differently. */
export const listOf = (vocabulary: FilterVocabulary): ListName =>
  listNames.find((name) => vocabularies[name] === vocabulary) ?? 'devices'

/** Ages worth choosing from. */
export const ageExamples = ['>1h', '>24h', '>7d', '>30d', '<1h', '<24h', '<7d', '<30d'] as const
export const numberExamples = ['0', '>0', '>1', '>=4', '<10'] as const
