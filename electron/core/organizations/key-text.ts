import { Failed } from '../../contract/failure.ts'

/**
 * A longer text is certainly not a subscription key but something else from the clipboard. No length is
 * published; raise it if a real key is longer.
 */
const longestKey = 500

/** A pasted subscription key, trimmed. Throws Failed `invalid` with the reason, never with the key. */
export function checkedKey(pasted: string): string {
  const key = pasted.trim()
  const refuse = (message: string): Failed => Failed.invalid('key', message)
  if (key === '') throw refuse('Nothing was entered.')
  if (key.length > longestKey)
    throw refuse(`This is longer than ${longestKey} characters. Copy only the key.`)
  if (/\s/.test(key))
    throw refuse('The key contains a space or a line break. Copy only the key, without the text around it.')
  if (/\p{Cc}/u.test(key))
    throw refuse('The key contains an invisible control character. Copy it again from the API portal.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw refuse(
      'The key contains an invalid character, such as a typographic dash or an invisible mark. Copy it again from the API portal.',
    )
  return key
}

/**
 * A word of 32 hexadecimal digits: the keys of Azure API Management, which is the gateway (services.md#B44),
 * have this form.
 */
const asThePortalMakesThem = /(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/gi

export const lookalikeMark = '[may be a subscription key]'
/** The text without anything that may be an unknown key. */
export const withoutLookalikes = (text: string): string =>
  text.replaceAll(asThePortalMakesThem, lookalikeMark)

/** Distinguishes keys; null if four characters would be half of the key or more. */
export const lastFourOf = (key: string): string | null => (key.length >= 8 ? key.slice(-4) : null)
