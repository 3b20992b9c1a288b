/** What nobody sees and a terminal obeys: control and format signs (those that turn the direction of text among them), line and paragraph separators. */
export const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Each of them as JSON writes it, such as `\u001b`: a JSON text stays the same document, and people see that something is there. */
export const withUnseenShown = (text: string): string =>
  text.replace(unseen, (sign) =>
    [...Array(sign.length).keys()]
      .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** A JSON document that is one line for every reader: some end a line at U+0085 or U+2028 too, which JSON leaves as they are. */
export const jsonLine = (document: unknown): string => `${withUnseenShown(JSON.stringify(document))}\n`
