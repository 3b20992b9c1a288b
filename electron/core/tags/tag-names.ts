import { Failed } from '../../contract/failure.ts'
import { tagAtMost } from '../../contract/tag.ts'
import { folded } from '../../contract/filter/folded.ts'

/** A tag or a list: `word` identifies it in comparisons, `name` is its first spelling. */
export interface TagName {
  readonly word: string
  readonly name: string
}

/** Trimmed and checked. Throws Failed `invalid` with the reason; `field` is the argument's. */
export function tagName(typed: string, field: string): TagName {
  const name = typed.trim()
  const refuse = (message: string): Failed => Failed.invalid(field, message)
  if (name === '') throw refuse('Enter a name.')
  const length = [...name].length
  if (length > tagAtMost)
    throw refuse(`A name can have at most ${tagAtMost} characters. This one has ${length}.`)
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw refuse('A name cannot contain line breaks, tabs or other control characters.')
  if (/[,"]/.test(name))
    throw refuse(
      `A name cannot contain ${name.includes(',') ? 'a comma' : 'a quotation mark'}, because filters use it.`,
    )
  const word = folded(name)
  // A lone surrogate, or combining marks without a letter: no search would find it.
  if (/\p{Cs}/u.test(name) || word.trim() === '')
    throw refuse('A name needs at least one letter, digit or symbol.')
  return { word, name }
}

/** Tags that differ only in case are one tag; the first spelling remains. */
export function tagNames(typed: readonly string[], field: string): readonly TagName[] {
  const found = new Map<string, TagName>()
  for (const one of typed) {
    const named = tagName(one, field)
    if (!found.has(named.word)) found.set(named.word, named)
  }
  return [...found.values()]
}
