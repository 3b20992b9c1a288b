/**
 * Invisible characters that a terminal interprets: control and format characters (including those that change
 * the direction of text), line and paragraph separators.
 */
export const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Each of them in JSON notation, such as `\u001b`: a JSON text remains the same document, and people see that
 * something is there.
 */
export const withUnseenEscaped = (text: string): string =>
  text.replace(unseen, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/**
 * A JSON document that is one line for every reader: some treat U+0085 and U+2028 as line ends too, which
 * JSON does not escape.
 */
export const jsonLine = (document: unknown): string => `${withUnseenEscaped(JSON.stringify(document))}\n`
