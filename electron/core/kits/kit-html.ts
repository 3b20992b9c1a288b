import { unseen } from '../../contract/unseen.ts'

/** A piece of a page made by `html`: all inserted text is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | Html | readonly Value[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose values are text, in elements and in quoted attributes; null becomes nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.map((string, at) => string + textOf(values[at] ?? null)).join(''))

function textOf(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(textOf).join('')
  return (
    String(value)
      .toWellFormed()
      .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
      // Invisible characters may reverse the direction of adjacent text; line breaks become white space.
      .replaceAll(unseen, (sign) => (sign === '\n' || sign === '\t' ? sign : '\u{FFFD}'))
  )
}
