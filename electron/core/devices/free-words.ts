import { allOf, anyOf, condition, type Condition } from '../lists/condition.ts'
import { like } from '../lists/sql-filter.ts'
import { comparable } from '../storage/search-text.ts'
import { inRoom, narrowed, ofClass, type RoomContext } from './text-conditions.ts'

/** A word, or a quoted phrase, matches the texts of the device itself, its product, its room, or its id. */
export function freeWord(context: RoomContext, typed: string): Condition {
  const word = typed.trim()
  if (word === '') return condition('1')
  const ids =
    [...word].length < shortestId
      ? []
      : [condition('lower(d.id) = ?', word), condition('lower(d.group_id) = ?', word)]
  // The cheapest condition first: one number among some hundred classes, then texts.
  return anyOf([
    ofClass(context.organizationId, like('c.product_words', word, false)),
    ...spellings(word).map(ownCondition),
    ...ids,
    inRoom(context, like('y.words', word, false)),
  ])
}

/**
 * Prefixes of a word that match everything the word matches, the longest first. None if the word may be more
 * than a part of a text: an id, or a MAC address with separators.
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

/**
 * Ids are compared as a whole, and none is shorter (services.md#B40: 41 characters; a group id is a GUID).
 */
const shortestId = 8

/** The index narrows the candidates, the text decides. */
function ownCondition(word: string): Condition {
  const decides = like('d.words', word, false)
  const narrows = narrowed(word)
  return narrows === null ? decides : allOf([narrows, decides])
}

/** A complete or partial MAC address matches with any separators: rows store it without. */
function spellings(word: string): readonly string[] {
  const looksLikeMac =
    /^[0-9a-f]{2}([:-][0-9a-f]{2})+[:-]?[0-9a-f]?$/.test(word) ||
    /^[0-9a-f]{4}(\.[0-9a-f]{4}){1,2}$/.test(word)
  return looksLikeMac ? [word, word.replaceAll(/[:.-]/g, '')] : [word]
}
