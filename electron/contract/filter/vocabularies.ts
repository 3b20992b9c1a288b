import { changeFields } from '../fields/change.ts'
import { deviceFields } from '../fields/device.ts'
import { vocabularyOf } from '../fields/field.ts'
import { jobFields } from '../fields/job.ts'
import { journalFields } from '../fields/journal.ts'
import { roomFields } from '../fields/room.ts'

/** The filter vocabulary of each list: the filter keys of its fields. */
export const deviceVocabulary = vocabularyOf(deviceFields)
export const roomVocabulary = vocabularyOf(roomFields)
export const changeVocabulary = vocabularyOf(changeFields)
export const jobVocabulary = vocabularyOf(jobFields)
export const journalVocabulary = vocabularyOf(journalFields)

export const vocabularies = {
  devices: deviceVocabulary,
  rooms: roomVocabulary,
  changes: changeVocabulary,
  jobs: jobVocabulary,
  journal: journalVocabulary,
} as const
