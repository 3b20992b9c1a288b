import { Failed } from '../../contract/failure.ts'

/**
 * A longer text is certainly not a subscription key but something else from the clipboard. No length is
 * published; raise it if a real key is longer.
 */
const longestKey = 500

/** A pasted subscription key, trimmed. Throws Failed `invalid` with the reason, never with the key. */
export function checkedKey(pasted: string): string {
  const key = pasted.trim()
  const refuse = (message: string): Failed => new Failed({ kind: 'invalid', field: 'key', message })
  if (key === '') throw refuse('Nothing was entered.')
  if (key.length > longestKey)
    throw refuse(`This is longer than ${longestKey} characters: copy the key alone.`)
  if (/\s/.test(key))
    throw refuse(
      'There is a space or a line break inside the key: copy the key alone, without the text around it.',
    )
  if (/\p{Cc}/u.test(key))
    throw refuse('There is an invisible control character inside the key: copy it again from the API portal.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw refuse(
      'There is a character inside the key that keys do not have, such as a typographic dash or an invisible mark: copy it again from the API portal.',
    )
  return key
}

/** A word of 32 hexadecimal digits. Observed: the gateway is Azure API Management, which makes its keys so. */
const asThePortalMakesThem = /(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/gi

/** The text without anything that may be an unknown key. */
export const withoutLookalikes = (text: string): string =>
  text.replaceAll(asThePortalMakesThem, '[may be a subscription key]')

/** Distinguishes keys; null if four characters would be half of the key or more. */
export const lastFourOf = (key: string): string | null => (key.length >= 8 ? key.slice(-4) : null)
