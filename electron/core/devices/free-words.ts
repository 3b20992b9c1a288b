import { allOf, anyOf, condition, type Condition } from '../lists/condition.ts'
import { like } from '../lists/sql-filter.ts'
import { comparable } from '../storage/search-text.ts'
import { inRoom, narrowed, ofClass, type RoomsAsked } from './text-conditions.ts'

/** A word, or a phrase in quotes, is found in the device's own words, its product, its room, or is its id. */
export function freeWord(asked: RoomsAsked, typed: string): Condition {
  const word = typed.trim()
  if (word === '') return condition('1')
  const ids =
    [...word].length < shortestId
      ? []
      : [condition('lower(d.id) = ?', word), condition('lower(d.group_id) = ?', word)]
  // What costs least is asked first: one number among some hundred classes, then texts.
  return anyOf([
    ofClass(asked.organizationId, like('c.product_words', word, false)),
    ...spellings(word).map(ownCondition),
    ...ids,
    inRoom(asked, like('y.words', word, false)),
  ])
}

/**
 * Beginnings of a word that find everything the word finds, the longest first. None where the word may be more than a part of a text: an
 * id, or a MAC address with separators.
 */
export function widerWords(typed: string): readonly string[] {
  const word = comparable(typed).trim()
  if ([...word].length >= shortestId || /[:.-]/.test(word)) return []
  const letters = [...typed]
  return letters
    .slice(1)
    .map((_, index) => letters.slice(0, letters.length - 1 - index).join(''))
    .filter((beginning) => {
      const wider = comparable(beginning).trim()
      return wider !== '' && word.includes(wider)
    })
}

/** Ids are compared whole, and none is shorter (observed: 41 characters; a group id is a guid). */
const shortestId = 8

/** The index narrows, the text decides. */
function ownCondition(word: string): Condition {
  const decides = like('d.words', word, false)
  const narrows = narrowed(word)
  return narrows === null ? decides : allOf([narrows, decides])
}

/** A MAC address, whole or begun, is found with any separators: rows hold it without. */
function spellings(word: string): readonly string[] {
  const looksLikeMac =
    /^[0-9a-f]{2}([:-][0-9a-f]{2})+[:-]?[0-9a-f]?$/.test(word) ||
    /^[0-9a-f]{4}(\.[0-9a-f]{4}){1,2}$/.test(word)
  return looksLikeMac ? [word, word.replaceAll(/[:.-]/g, '')] : [word]
}
