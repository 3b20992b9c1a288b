import { listNames, type ListName } from '../../electron/contract/view.ts'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { vocabularies } from '../../electron/contract/filter/vocabularies.ts'

/** The list to which a vocabulary belongs: keys of the same name have different explanations. */
export const listOf = (vocabulary: FilterVocabulary): ListName =>
  listNames.find((name) => vocabularies[name] === vocabulary) ?? 'devices'

/** Common ages to choose from. */
export const ageExamples = ['>1h', '>24h', '>7d', '>30d', '<1h', '<24h', '<7d', '<30d'] as const
export const numberExamples = ['0', '>0', '>1', '>=4', '<10'] as const
