import { Failed } from '../../contract/failure.ts'

/**
 * A technician's text in its stored form: trimmed, null if empty. Throws Failed `invalid` for a text that is
 * too long or contains control characters other than line breaks, or a lone surrogate. `field` is the
 * argument's.
 */
export function writtenText(typed: string | null, field: string, atMost: number): string | null {
  const text = (typed ?? '').replaceAll(/\r\n?/g, '\n').trim()
  const refuse = (message: string): Failed => Failed.invalid(field, message)
  if (text.length > atMost)
    throw refuse(`At most ${atMost} characters are allowed. This text has ${text.length}.`)
  if (/(?!\n)\p{Cc}|\p{Cs}/u.test(text)) throw refuse('Tabs and other control characters are not allowed.')
  return text === '' ? null : text
}
