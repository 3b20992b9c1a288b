import { Failed } from '../../contract/failure.ts'

/**
 * What a technician wrote, as it is kept: trimmed, null where nothing is left. Throws Failed `invalid` for what is too long, and for what no
 * text holds: control characters other than line breaks, and half a character. `field` is the argument's.
 */
export function writtenText(typed: string | null, field: string, atMost: number): string | null {
  const text = (typed ?? '').replaceAll(/\r\n?/g, '\n').trim()
  const refuse = (message: string): Failed => new Failed({ kind: 'invalid', field, message })
  if (text.length > atMost)
    throw refuse(`At most ${atMost} characters can be kept; these are ${text.length}.`)
  if (/(?!\n)\p{Cc}|\p{Cs}/u.test(text)) throw refuse('Tabs and other control characters cannot be kept.')
  return text === '' ? null : text
}
